import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { type Code, code } from "../code.js";
import type { Layout } from "../layout.js";
import { callFrom, finalIn, guardCall, helperOf, type Scope, within } from "./file.js";
import { referenceIn, typesOf } from "./inspect.js";
import { acceptsAll, checksOf } from "./normal.js";
import { block, call, failure, inside, type Place, refuseIf } from "./spelling.js";
import { guardBody } from "./statements.js";
import { guardOf } from "./union.js";

/** Schemas that check the same value: combined, alternatives, negated, conditional. */
export function branchStatements(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] {
  return checks.flatMap((check): Layout[] => {
    switch (check.kind) {
      case "all":
        return check.schemas.map((schema) => {
          return refuseIf([code`!${acceptance(scope, schema, "All", value)}`], inside(place));
        });
      case "any":
        return [refuseUnion(scope, check, checks, value, place)];
      case "one": {
        const union = withTypes(check, typesOf(checks));
        const [only] = checksOf(scope.file.definitions, { doc: noDoc, checks: [union] });
        if (only?.kind === "any") return [refuseUnion(scope, only, checks, value, place)];
        const guards = check.schemas.map((schema) => guardOf(within(scope, "One"), schema));
        const words = `exactly one of ${check.schemas.length} schemas to fit`;
        return [refuseIf([code`!${call(code`holdsOne`, [value, ...guards])}`], failure(words, place))];
      }
      case "not": {
        const refusal = failure("a value that another schema refuses", place);
        return [refuseIf([acceptance(scope, check.schema, "Not", value), ...finalIn(scope)], refusal)];
      }
      case "when":
        return whenStatements(scope, check, value, place);
      default:
        return [];
    }
  });
}

const noDoc = { text: "", tags: [] };

function refuseUnion(
  scope: Scope,
  check: Extract<Check, { kind: "any" | "one" }>,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout {
  const union = { doc: noDoc, checks: [withTypes(check, typesOf(checks))] };
  const helper = helperOf(scope, union, guardBody);
  return refuseIf([code`!${callFrom(scope, helper, value)}`], inside(place));
}

/** A union whose alternatives repeat the types that the schema around it names: by these an object is known as one. */
function withTypes<C extends Extract<Check, { kind: "any" | "one" }>>(
  check: C,
  types: readonly TypeName[] | null,
): C {
  if (types === null) return check;
  const schemas = check.schemas.map((schema): Schema => {
    const isOwn = typesOf(schema.checks) !== null || referenceIn(schema) !== null;
    return isOwn ? schema : { ...schema, checks: [{ kind: "type", types }, ...schema.checks] };
  });
  return { ...check, schemas };
}

function whenStatements(
  scope: Scope,
  { test, then, otherwise }: Extract<Check, { kind: "when" }>,
  value: Code,
  place: Place,
): Layout[] {
  const refuseUnless = (schema: Schema | null, part: string): Layout[] => {
    if (schema === null || acceptsAll(scope.file.definitions, schema)) return [];
    return [refuseIf([code`!${acceptance(scope, schema, part, value)}`], inside(place))];
  };
  const [wanted, no] = [refuseUnless(then, "Then"), refuseUnless(otherwise, "Else")];
  const condition = acceptance(scope, test, "If", value);
  const [isFinal] = finalIn(scope);
  const yes = isFinal === undefined || wanted.length === 0 ? wanted : [block(code`if (${isFinal})`, wanted)];
  if (no.length === 0) return [block(code`if (${condition})`, yes)];
  if (yes.length === 0) return [block(code`if (!${condition})`, no)];
  return [[block(code`if (${condition})`, yes), " ", block(code`else`, no)]];
}

/** A call of a guard for the schema. */
function acceptance(scope: Scope, schema: Schema, part: string, value: Code): Code {
  const key = referenceIn(schema);
  if (key !== null) return guardCall(scope, key, value);
  return callFrom(scope, helperOf(within(scope, part), schema, guardBody), value);
}
