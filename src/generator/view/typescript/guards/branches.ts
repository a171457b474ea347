import type {
  ArrayKind,
  Check,
  CheckOf,
  ObjectKind,
  ScalarKind,
  Schema,
  TypeName,
  ValueKind,
} from "../../../ir/constraint.js";
import { callCode, type Code, code } from "../code.js";
import type { Layout } from "../layout.js";
import {
  callFrom,
  finalIn,
  guardCall,
  helperOf,
  type Scope,
  inPart,
} from "./file.js";
import { referenceIn, schemaOf, typesOf } from "../../../ir/constraint/form.js";
import { acceptsAll, checksOf } from "./normal.js";
import { block, failCall, inside, type Path, rejectIf } from "./syntax.js";
import { guardBody } from "./statements.js";
import { guardOf } from "./union.js";

/**
 * Checks for combinations of schemas: `allOf`, `anyOf`, `oneOf`, `not`, and
 * `if`.
 */
export function branchStatements(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout[] {
  return checks.flatMap((check): Layout[] => {
    switch (check.kind) {
      case "all":
        return check.schemas.map((schema) => {
          return rejectIf(
            [code`!${acceptance(scope, schema, "All", value)}`],
            inside(path),
          );
        });
      case "any":
        return [unionStatement(scope, check, checks, value, path)];
      case "one": {
        const union = withTypes(check, typesOf(checks));
        const [only] = checksOf(scope.file.definitions, schemaOf([union]));
        if (only?.kind === "any")
          return [unionStatement(scope, only, checks, value, path)];
        const guards = check.schemas.map((schema) =>
          guardOf(inPart(scope, "One"), schema),
        );
        const words = `exactly one of ${check.schemas.length} schemas to match`;
        return [
          rejectIf(
            [code`!${callCode(code`holdsOne`, [value, ...guards])}`],
            failCall(words, path),
          ),
        ];
      }
      case "not": {
        const result = failCall(
          "a value that does not match a certain schema",
          path,
        );
        return [
          rejectIf(
            [acceptance(scope, check.schema, "Not", value), ...finalIn(scope)],
            result,
          ),
        ];
      }
      case "when":
        return whenStatements(scope, check, value, path);
      default:
        void (check satisfies CheckOf<
          ValueKind | ScalarKind | ArrayKind | ObjectKind
        >);
        return [];
    }
  });
}

function unionStatement(
  scope: Scope,
  check: CheckOf<"any" | "one">,
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout {
  const union = schemaOf([withTypes(check, typesOf(checks))]);
  const helper = helperOf(scope, union, guardBody);
  return rejectIf([code`!${callFrom(scope, helper, value)}`], inside(path));
}

/**
 * Adds the types of the surrounding schema to alternatives without a type, so
 * that alternatives for objects are recognized.
 */
function withTypes<C extends CheckOf<"any" | "one">>(
  check: C,
  types: readonly TypeName[] | null,
): C {
  if (types === null) return check;
  const schemas = check.schemas.map((schema): Schema => {
    const isOwn =
      typesOf(schema.checks) !== null || referenceIn(schema) !== null;
    return isOwn
      ? schema
      : { ...schema, checks: [{ kind: "type", types }, ...schema.checks] };
  });
  return { ...check, schemas };
}

function whenStatements(
  scope: Scope,
  { test, then, otherwise }: CheckOf<"when">,
  value: Code,
  path: Path,
): Layout[] {
  const rejectUnless = (schema: Schema | null, part: string): Layout[] => {
    if (schema === null || acceptsAll(scope.file.definitions, schema))
      return [];
    return [
      rejectIf(
        [code`!${acceptance(scope, schema, part, value)}`],
        inside(path),
      ),
    ];
  };
  const [whenTrue, whenFalse] = [
    rejectUnless(then, "Then"),
    rejectUnless(otherwise, "Else"),
  ];
  const condition = acceptance(scope, test, "If", value);
  const [isFinal] = finalIn(scope);
  const thenBranch =
    isFinal === undefined || whenTrue.length === 0
      ? whenTrue
      : [block(code`if (${isFinal})`, whenTrue)];
  if (whenFalse.length === 0)
    return [block(code`if (${condition})`, thenBranch)];
  if (thenBranch.length === 0)
    return [block(code`if (!${condition})`, whenFalse)];
  return [
    [
      block(code`if (${condition})`, thenBranch),
      " ",
      block(code`else`, whenFalse),
    ],
  ];
}

/** A call of the guard for a schema. */
function acceptance(
  scope: Scope,
  schema: Schema,
  part: string,
  value: Code,
): Code {
  const key = referenceIn(schema);
  if (key !== null) return guardCall(scope, key, value);
  return callFrom(
    scope,
    helperOf(inPart(scope, part), schema, guardBody),
    value,
  );
}
