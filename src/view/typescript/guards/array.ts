import type { Check, Schema } from "../../../ir/constraint.js";
import { type Code, code, identifier, literal } from "../code.js";
import type { Layout } from "../layout.js";
import { finalIn, helperOf, local, type Scope, within } from "./file.js";
import { acceptsAll, checksOf } from "./normal.js";
import { sizes } from "./scalars.js";
import { block, declare, failure, type Place, refuseIf } from "./spelling.js";
import { guardBody, statements, testOf } from "./statements.js";
import { countWords } from "./words.js";

/** The value is known to be an array. */
export function arrayStatements(scope: Scope, checks: readonly Check[], value: Code, place: Place): Layout[] {
  return checks.flatMap((check): Layout[] => {
    switch (check.kind) {
      case "size":
        return sizes(check.min, check.max, code`${value}.length`, "item", place);
      case "unique":
        return [refuseIf([code`!isUnique(${value})`], failure("items that all differ", place))];
      case "contains":
        return containsStatements(scope, check, value, place);
      case "items":
        return itemStatements(scope, check, value, place);
      default:
        return [];
    }
  });
}

function containsStatements(
  scope: Scope,
  { schema, min, max }: Extract<Check, { kind: "contains" }>,
  value: Code,
  place: Place,
): Layout[] {
  const guard = helperOf(within(scope, "Item"), schema, guardBody);
  const size = code`countOf(${value}, ${guard})`;
  const low = sizes(min, null, size, "matching item", place);
  if (max === null) return low;
  const high = refuseIf(
    [code`${size} > ${literal(max)}`, ...finalIn(scope)],
    failure(countWords("most", max, "matching item"), place),
  );
  return [...low, high];
}

function itemStatements(
  scope: Scope,
  { first, rest }: Extract<Check, { kind: "items" }>,
  value: Code,
  place: Place,
): Layout[] {
  const { definitions } = scope.file;
  const inner = within(scope, "Item");
  const result = first.flatMap((schema, index): Layout[] => {
    if (acceptsAll(definitions, schema)) return [];
    const at = literal(index);
    const lines = elementStatements(inner, schema, code`${value}[${at}]`, [...place, at]);
    return [block(code`if (${value}.length > ${at})`, lines)];
  });
  if (rest === null || acceptsAll(definitions, rest)) return result;
  if (checksOf(definitions, rest).some(({ kind }) => kind === "never")) {
    return [...result, ...sizes(0, first.length, code`${value}.length`, "item", place)];
  }
  const i = identifier(scope.locals.claim("i"));
  const loop = code`for (let ${i} = ${literal(first.length)}; ${i} < ${value}.length; ${i}++)`;
  return [...result, block(loop, elementStatements(inner, rest, code`${value}[${i}]`, [...place, i]))];
}

/** One test reads the element in place; several tests read it once into a variable. */
export function elementStatements(scope: Scope, schema: Schema, element: Code, place: Place): Layout[] {
  const test = testOf(scope, schema, element);
  if (test?.conditions.length === 1) return [refuseIf(test.conditions, test.refusal(place))];
  const item = local(scope, "item");
  return [declare(code`${item}: unknown`, element), ...statements(scope, schema, item, place)];
}
