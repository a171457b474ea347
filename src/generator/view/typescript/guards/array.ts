import type {
  BranchKind,
  Check,
  CheckOf,
  ObjectKind,
  ScalarKind,
  Schema,
  ValueKind,
} from "../../../ir/constraint.js";
import { type Code, code, identifier, literal } from "../code.js";
import type { Layout } from "../layout.js";
import { finalIn, helperOf, local, type Scope, inPart } from "./file.js";
import { acceptsAll, checksOf } from "./normal.js";
import { sizes } from "./scalars.js";
import { block, declare, failCall, type Path, rejectIf } from "./syntax.js";
import { guardBody, statements, testOf } from "./statements.js";
import { countWords } from "./words.js";

/** Checks a value that is an array. */
export function arrayStatements(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout[] {
  // The length first: its check takes no loop.
  const sorted = [...checks].sort(
    (a, b) => Number(b.kind === "size") - Number(a.kind === "size"),
  );
  return sorted.flatMap((check): Layout[] => {
    switch (check.kind) {
      case "size":
        return sizes(check.min, check.max, code`${value}.length`, "item", path);
      case "unique":
        return [
          rejectIf(
            [code`!isUnique(${value})`],
            failCall("items that all differ", path),
          ),
        ];
      case "contains":
        return containsStatements(scope, check, value, path);
      case "items":
        return itemStatements(scope, check, value, path);
      default:
        void (check satisfies CheckOf<
          ValueKind | Exclude<ScalarKind, "size"> | ObjectKind | BranchKind
        >);
        return [];
    }
  });
}

function containsStatements(
  scope: Scope,
  { schema, min, max }: CheckOf<"contains">,
  value: Code,
  path: Path,
): Layout[] {
  const guard = helperOf(inPart(scope, "Item"), schema, guardBody);
  const size = code`countOf(${value}, ${guard})`;
  const low = sizes(min, null, size, "matching item", path);
  if (max === null) return low;
  const high = rejectIf(
    [code`${size} > ${literal(max)}`, ...finalIn(scope)],
    failCall(countWords("most", max, "matching item"), path),
  );
  return [...low, high];
}

function itemStatements(
  scope: Scope,
  { first, rest }: CheckOf<"items">,
  value: Code,
  path: Path,
): Layout[] {
  const { definitions } = scope.file;
  const inner = inPart(scope, "Item");
  const result = first.flatMap((schema, index): Layout[] => {
    if (acceptsAll(definitions, schema)) return [];
    const at = literal(index);
    const lines = elementStatements(inner, schema, code`${value}[${at}]`, [
      ...path,
      at,
    ]);
    return [block(code`if (${value}.length > ${at})`, lines)];
  });
  if (rest === null || acceptsAll(definitions, rest)) return result;
  if (checksOf(definitions, rest).some(({ kind }) => kind === "never")) {
    return [
      ...result,
      ...sizes(0, first.length, code`${value}.length`, "item", path),
    ];
  }
  const i = identifier(scope.locals.claim("i"));
  const loop = code`for (let ${i} = ${literal(first.length)}; ${i} < ${value}.length; ${i}++)`;
  return [
    ...result,
    block(
      loop,
      elementStatements(inner, rest, code`${value}[${i}]`, [...path, i]),
    ),
  ];
}

/**
 * Checks an element. It is read into a variable if several conditions need it.
 */
export function elementStatements(
  scope: Scope,
  schema: Schema,
  element: Code,
  path: Path,
): Layout[] {
  const test = testOf(scope, schema, element);
  if (test?.conditions.length === 1)
    return [rejectIf(test.conditions, test.result(path))];
  const item = local(scope, "item");
  return [
    declare(code`${item}: unknown`, element),
    ...statements(scope, schema, item, path),
  ];
}
