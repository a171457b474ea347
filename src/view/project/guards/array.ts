import type { Check, Schema } from "../../../ir/constraint.js";
import { type Code, code, identifier, literal } from "../../typescript/code.js";
import { declare, failure, local, type Place, refuseIf } from "../../guards/context.js";
import { block } from "../../guards/statements.js";
import type { Layout } from "../../typescript/layout.js";
import { type GuardScope, helperOf, sureIn } from "./scope.js";
import { simpleRefusals } from "./simple.js";
import { statements } from "./statements.js";
import { countWords, wordsOf } from "./words.js";

/** The value is known to be an array. */
export function arrayStatements(
  scope: GuardScope,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] {
  return checks.flatMap((check): Layout[] => {
    switch (check.kind) {
      case "size":
        return sizes(check.least, check.most, code`${value}.length`, "item", place);
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

/** Bounds on how many there are. */
export function sizes(least: number, most: number | null, size: Code, noun: string, place: Place): Layout[] {
  const low = failure(countWords("least", least, noun), place);
  return [
    ...(least > 0 ? [refuseIf([code`${size} < ${literal(least)}`], low)] : []),
    ...(most === null
      ? []
      : [refuseIf([code`${size} > ${literal(most)}`], failure(countWords("most", most, noun), place))]),
  ];
}

function containsStatements(
  scope: GuardScope,
  { schema, least, most }: Extract<Check, { kind: "contains" }>,
  value: Code,
  place: Place,
): Layout[] {
  if (least === 0 && most === null) return [];
  const guard = helperOf({ ...scope, owner: `${scope.owner}Item` }, schema, body);
  const size = code`countOf(${value}, ${guard})`;
  const [low] = sizes(least, null, size, "matching item", place);
  if (most === null) return low === undefined ? [] : [low];
  const high = refuseIf(
    [code`${size} > ${literal(most)}`, ...sureIn(scope)],
    failure(countWords("most", most, "matching item"), place),
  );
  return low === undefined ? [high] : [low, high];
}

/** The body of a guard, but for its last line. */
export function body(scope: GuardScope, schema: Schema): Layout[] {
  const value = code`value`;
  const found = statements(scope, schema, value, []);
  return found.length > 0 ? found : [refuseIf([code`${value} === undefined`], failure("a value", []))];
}

function itemStatements(
  scope: GuardScope,
  { first, rest }: Extract<Check, { kind: "items" }>,
  value: Code,
  place: Place,
): Layout[] {
  const inner: GuardScope = { ...scope, owner: `${scope.owner}Item` };
  const found = first.flatMap((schema, index): Layout[] => {
    if (schema.checks.length === 0) return [];
    const at = literal(index);
    const lines = elementStatements(inner, schema, code`${value}[${at}]`, [...place, at]);
    return [block(code`if (${value}.length > ${at})`, lines)];
  });
  if (rest === null || rest.checks.length === 0) return found;
  if (rest.checks.some(({ kind }) => kind === "never")) {
    return [...found, ...sizes(0, first.length, code`${value}.length`, "item", place)];
  }
  const i = identifier(scope.locals.claim("i"));
  const loop = code`for (let ${i} = ${literal(first.length)}; ${i} < ${value}.length; ${i}++)`;
  return [...found, block(loop, elementStatements(inner, rest, code`${value}[${i}]`, [...place, i]))];
}

/** One test may read the element in place; several read it once into a variable. */
export function elementStatements(scope: GuardScope, schema: Schema, element: Code, place: Place): Layout[] {
  const once = simpleRefusals(scope, schema, element);
  if (once?.length === 1) return [refuseIf(once, failure(wordsOf(schema), place))];
  const item = local(scope, "item");
  return [declare(code`${item}: unknown`, element), ...statements(scope, schema, item, place)];
}
