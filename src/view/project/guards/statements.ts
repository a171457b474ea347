import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { type Code, code, literal } from "../../typescript/code.js";
import { call, failure, inside, type Place, refuseIf, returnIfAny } from "../../guards/context.js";
import { block } from "../../guards/statements.js";
import type { Layout } from "../../typescript/layout.js";
import { arrayStatements } from "./array.js";
import { branchStatements } from "./branches.js";
import { objectStatements } from "./object.js";
import { callOf, constantOf, type GuardScope } from "./scope.js";
import { typeRefusal, typesOf, valueRefusals, valuesOf } from "./simple.js";
import { countWords, typeWords, wordsOf } from "./words.js";

/** Statements that return a refusal unless the value fits the schema, and fall through when it does. */
export function statements(scope: GuardScope, schema: Schema, value: Code, place: Place): Layout[] {
  const { checks } = schema;
  const values = valuesOf(checks);
  if (checks.some(({ kind }) => kind === "never") || values?.length === 0) {
    return [refuseIf([code`${value} !== undefined`], failure("nothing", place))];
  }
  const types = typesOf(checks);
  const found: Layout[] = [];
  // The words of the values say more than those of the types, which the values imply.
  if (types !== null && values === null) found.push(typeStatement(types, checks, value, place));
  for (const [type, write] of groups) {
    const own = checks.filter((check) => speaksOf(check) === type);
    if (own.length === 0 || !isPossible(type, types)) continue;
    const inner = write(scope, own, value, place);
    if (inner.length === 0) continue;
    const isSure =
      types !== null &&
      values === null &&
      types.every((name) => name === type || (name === "integer" && type === "number"));
    if (isSure) for (const each of inner) found.push(each);
    else found.push(block(code`if (${isOf(type, value)})`, inner));
  }
  for (const check of checks) {
    if (check.kind === "reference")
      found.push(refuseIf([code`!${callOf(scope, check.key, value)}`], inside(place)));
  }
  for (const each of branchStatements(scope, checks, value, place)) found.push(each);
  // Last, since a compiler takes what follows a comparison with one value for a comparison with that value alone.
  if (values !== null) {
    found.push(
      refuseIf(
        valueRefusals(scope, values, value),
        failure(wordsOf({ ...schema, checks: [{ kind: "values", values }] }), place),
      ),
    );
  }
  return found;
}

type Group = "string" | "number" | "array" | "object";
type Write = (scope: GuardScope, checks: readonly Check[], value: Code, place: Place) => Layout[];

const groups: readonly (readonly [Group, Write])[] = [
  ["string", stringStatements],
  ["number", numberStatements],
  ["array", arrayStatements],
  ["object", objectStatements],
];

/** The type whose values a check speaks of; null when it speaks of all. */
function speaksOf(check: Check): Group | null {
  switch (check.kind) {
    case "bound":
    case "multiple":
      return "number";
    case "pattern":
      return "string";
    case "size":
      return check.of;
    case "items":
    case "unique":
    case "contains":
      return "array";
    case "members":
    case "required":
    case "names":
    case "dependent":
      return "object";
    default:
      return null;
  }
}

function isPossible(type: Group, types: readonly TypeName[] | null): boolean {
  return types === null || types.includes(type) || (type === "number" && types.includes("integer"));
}

/** A condition that is true of values of the type. */
function isOf(type: Group, value: Code): Code {
  if (type === "array") return code`Array.isArray(${value})`;
  if (type === "object") return code`isObject(${value})`;
  return code`typeof ${value} === ${literal(type)}`;
}

function typeStatement(
  types: readonly TypeName[],
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout {
  const refusal = failure(typeWords(types), place);
  const [only] = types;
  // Only `typeof` tells a compiler that it may be compared with a bound.
  if (
    types.length === 1 &&
    (only === "number" || only === "integer") &&
    checks.some((check) => speaksOf(check) === "number")
  ) {
    return returnIfAny([code`typeof ${value} !== "number"`, typeRefusal(only, value)], refusal);
  }
  return refuseIf(
    types.map((type) => typeRefusal(type, value)),
    refusal,
  );
}

function stringStatements(scope: GuardScope, checks: readonly Check[], value: Code, place: Place): Layout[] {
  return checks.flatMap((check) => {
    if (check.kind === "size") {
      const { least, most } = check;
      return [
        ...(least > 0
          ? [
              refuseIf(
                [code`lengthOf(${value}) < ${literal(least)}`],
                failure(countWords("least", least, "character"), place),
              ),
            ]
          : []),
        ...(most !== null
          ? [
              refuseIf(
                [code`lengthOf(${value}) > ${literal(most)}`],
                failure(countWords("most", most, "character"), place),
              ),
            ]
          : []),
      ];
    }
    if (check.kind !== "pattern") return [];
    const { isShort, matches } = patternTest(scope, check, value);
    const refusal = failure(`a string that matches ${shorten(check.source)}`, place);
    return [refuseIf([...isShort, code`!${matches}`], refusal)];
  });
}

function shorten(source: string): string {
  return source.length > 60 ? `${source.slice(0, 60)}…` : source;
}

/** A test of a text by a pattern, and what must be true for it to be tried. */
export interface PatternTest {
  readonly isShort: readonly Code[];
  readonly matches: Code;
}

export function patternTest(
  scope: GuardScope,
  { source, longest }: { readonly source: string; readonly longest: number | null },
  text: Code,
): PatternTest {
  const constant = constantOf(
    scope,
    "pattern",
    code`RegExp`,
    call(code`/* @__PURE__ */ new RegExp`, [literal(source), code`"u"`]),
  );
  return {
    isShort: longest === null ? [] : [code`${text}.length <= ${literal(longest)}`],
    matches: code`${constant}.test(${text})`,
  };
}

function numberStatements(_scope: GuardScope, checks: readonly Check[], value: Code, place: Place): Layout[] {
  return checks.flatMap((check) => {
    if (check.kind === "multiple") {
      const words = `a multiple of ${check.of}`;
      return [refuseIf([code`!isMultiple(${value}, ${literal(check.of)})`], failure(words, place))];
    }
    if (check.kind !== "bound") return [];
    const { side, value: bound, open } = check;
    const limit = literal(bound);
    const [test, words] =
      side === "low"
        ? open
          ? [code`${value} <= ${limit}`, `above ${bound}`]
          : [code`${value} < ${limit}`, `of at least ${bound}`]
        : open
          ? [code`${value} >= ${limit}`, `below ${bound}`]
          : [code`${value} > ${limit}`, `of at most ${bound}`];
    return [refuseIf([test], failure(`a number ${words}`, place))];
  });
}
