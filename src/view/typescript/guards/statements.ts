import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { type Code, code } from "../code.js";
import type { Layout } from "../layout.js";
import { arrayStatements } from "./array.js";
import { branchStatements } from "./branches.js";
import { acceptances, inlined, refusals, typeRefusal, typeTest, valueRefusals } from "./conditions.js";
import { callFrom, guardCall, helperOf, type Scope } from "./file.js";
import { type Kind, onlyOf, typesOf, valuesOf } from "./inspect.js";
import { checksOf } from "./normal.js";
import { objectStatements } from "./object.js";
import { isRepeated } from "./repeated.js";
import { numberStatements, stringStatements } from "./scalars.js";
import { block, failure, inside, type Place, refuseIf, returnAny, returnIfAny } from "./spelling.js";
import { unionBody } from "./union.js";
import { typeWords, wordsOf } from "./words.js";

/** The whole body of a guard. */
export function guardBody(scope: Scope, schema: Schema): Layout[] {
  const { file } = scope;
  const value = code`value`;
  const checks = checksOf(file.definitions, schema);
  const key = onlyOf(checks, "reference")?.key;
  if (key !== undefined) return [code`return ${guardCall(scope, key, value)};`.layout];
  const union = onlyOf(checks, "any");
  if (union !== null) return unionBody(scope, union.schemas, value);
  const conditions = refusals(scope, schema, value);
  if (conditions === null) return [...spelledOut(scope, schema, value, []), "return true;"];
  const refusal = failure(wordsOf(file, schema), []);
  const tests = acceptances(scope, schema, value) ?? [];
  if (tests.length > 1) return [returnAny([...tests, refusal])];
  return [refuseIf(conditions, refusal), "return true;"];
}

/** Statements that return a refusal when the schema rejects the value, and do nothing when it accepts it. */
export function statements(scope: Scope, schema: Schema, value: Code, place: Place): Layout[] {
  const test = testOf(scope, schema, value);
  if (test === null) return spelledOut(scope, schema, value, place);
  return [refuseIf(test.conditions, test.refusal(place))];
}

/** The test of a schema: conditions that are all true when it rejects the value, and what the guard returns then. */
export interface Test {
  readonly conditions: readonly Code[];
  readonly refusal: (place: Place) => Code;
}

/** Null for a schema that takes statements. */
export function testOf(scope: Scope, schema: Schema, value: Code): Test | null {
  const { file } = scope;
  const conditions = refusals(scope, schema, value);
  const checks = inlined(file, schema);
  if (isRepeated(file, schema) || (conditions === null && onlyOf(checks, "any") !== null)) {
    const helper = helperOf(scope, schema, guardBody);
    return { conditions: [code`!${callFrom(scope, helper, value)}`], refusal: inside };
  }
  if (conditions === null) return null;
  const isCall = onlyOf(checks, "reference") !== null;
  return { conditions, refusal: isCall ? inside : (place) => failure(wordsOf(file, schema), place) };
}

/** The statements of a schema, in place. A check of the type that is `known` is left out. */
export function spelledOut(
  scope: Scope,
  schema: Schema,
  value: Code,
  place: Place,
  known: Kind | null = null,
): Layout[] {
  const { file } = scope;
  const checks = checksOf(file.definitions, schema);
  const values = valuesOf(checks);
  if (checks.some(({ kind }) => kind === "never") || values?.length === 0) {
    return [refuseIf([code`${value} !== undefined`], failure("nothing", place))];
  }
  const types = typesOf(checks) ?? (known === null ? null : [known]);
  const result: Layout[] = [];
  // The words of the values say more than those of the types, which the values imply.
  const isTested = types === null || values !== null || (types.length === 1 && types[0] === known);
  if (!isTested) result.push(typeStatement(types, checks, value, place));
  for (const [kind, write] of groups) {
    const own = checks.filter((check) => kindOf(check) === kind);
    if (own.length === 0 || !isPossible(kind, types)) continue;
    const inner = write(scope, own, value, place);
    if (inner.length === 0) continue;
    const isCertain =
      types !== null &&
      (values === null || known !== null) &&
      types.every((name) => name === kind || (name === "integer" && kind === "number"));
    if (isCertain) for (const each of inner) result.push(each);
    else result.push(block(code`if (${kindTest(kind, value)})`, inner));
  }
  for (const check of checks) {
    if (check.kind !== "reference") continue;
    result.push(refuseIf([code`!${guardCall(scope, check.key, value)}`], inside(place)));
  }
  for (const each of branchStatements(scope, checks, value, place)) result.push(each);
  // Last, since TypeScript narrows a value that was compared with one literal to that literal.
  if (values !== null) {
    const words = wordsOf(file, { ...schema, checks: [{ kind: "values", values }] });
    result.push(refuseIf(valueRefusals(scope, values, value), failure(words, place)));
  }
  return result;
}

type Write = (scope: Scope, checks: readonly Check[], value: Code, place: Place) => Layout[];

const groups: readonly (readonly [Kind, Write])[] = [
  ["string", stringStatements],
  ["number", numberStatements],
  ["array", arrayStatements],
  ["object", objectStatements],
];

/** The type whose values a check concerns; null when it concerns all values. */
function kindOf(check: Check): Kind | null {
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
    case "never":
    case "type":
    case "values":
    case "reference":
    case "all":
    case "any":
    case "one":
    case "not":
    case "when":
      return null;
    default:
      return check satisfies never;
  }
}

function isPossible(kind: Kind, types: readonly TypeName[] | null): boolean {
  return types === null || types.includes(kind) || (kind === "number" && types.includes("integer"));
}

/** A test after which TypeScript knows the type: `Number.isFinite` does not narrow. */
export function kindTest(kind: Kind, value: Code): Code {
  return kind === "number" ? code`typeof ${value} === "number"` : typeTest(kind, value);
}

function typeStatement(
  types: readonly TypeName[],
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout {
  const refusal = failure(typeWords(types), place);
  const refused = types.map((type) => typeRefusal(type, value));
  const [only] = types;
  const isNumber = types.length === 1 && (only === "number" || only === "integer");
  if (isNumber && checks.some((check) => kindOf(check) === "number")) {
    // The comparisons that follow need the type.
    return returnIfAny([code`typeof ${value} !== "number"`, ...refused], refusal);
  }
  return refuseIf(refused, refusal);
}
