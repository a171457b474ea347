import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { type Code, code } from "../code.js";
import type { Layout } from "../layout.js";
import { upperFirst } from "../names.js";
import { arrayStatements } from "./array.js";
import { branchStatements } from "./branches.js";
import {
  acceptanceTests,
  inlineChecks,
  rejectionTests,
  typeRejection,
  typeTest,
  valueRejections,
} from "./conditions.js";
import { callFrom, guardCall, helperOf, type Scope } from "./file.js";
import {
  onlyOf,
  referenceIn,
  typesOf,
  valuesOf,
} from "../../../ir/constraint/form.js";
import { typeOfCheck } from "../../../ir/constraint/kinds.js";
import { acceptsNothing, type Kind } from "./inspect.js";
import { checksOf } from "./normal.js";
import { objectStatements } from "./object.js";
import { isRepeated } from "./analysis.js";
import { numberStatements, stringStatements } from "./scalars.js";
import {
  block,
  failCall,
  inside,
  type Path,
  rejectIf,
  returnAny,
  returnIfAny,
} from "./syntax.js";
import { unionBody } from "./union.js";
import { typeWords, wordsOf } from "./words.js";

/** The whole body of a guard. */
export function guardBody(scope: Scope, schema: Schema): Layout[] {
  const { file } = scope;
  const value = code`value`;
  const checks = checksOf(file.definitions, schema);
  const key = onlyOf(checks, "reference")?.key;
  if (key !== undefined)
    return [code`return ${guardCall(scope, key, value)};`.layout];
  const union = onlyOf(checks, "any");
  if (union !== null) return unionBody(scope, union.schemas, value);
  const conditions = rejectionTests(scope, schema, value);
  if (conditions === null)
    return [...inlineStatements(scope, schema, value, []), "return true;"];
  const result = failCall(wordsOf(file, schema), []);
  const tests = acceptanceTests(scope, schema, value) ?? [];
  if (tests.length > 1) return [returnAny([...tests, result])];
  return [rejectIf(conditions, result), "return true;"];
}

/**
 * Statements that return false if the schema rejects the value, and continue
 * otherwise.
 */
export function statements(
  scope: Scope,
  schema: Schema,
  value: Code,
  path: Path,
): Layout[] {
  const test = testOf(scope, schema, value);
  if (test === null) return inlineStatements(scope, schema, value, path);
  return [rejectIf(test.conditions, test.result(path))];
}

/**
 * The test of a schema: conditions that are all true if it rejects the value,
 * and the result of the guard in that case.
 */
export interface Test {
  readonly conditions: readonly Code[];
  readonly result: (path: Path) => Code;
  /** The type, if the test is for one type and nothing else. */
  readonly type?: TypeName | undefined;
}

/** The test of a schema; null if it needs statements. */
export function testOf(scope: Scope, schema: Schema, value: Code): Test | null {
  const { file } = scope;
  const conditions = rejectionTests(scope, schema, value);
  const checks = inlineChecks(file, schema);
  if (
    isRepeated(scope, schema) ||
    (conditions === null && onlyOf(checks, "any") !== null)
  ) {
    const helper = helperOf(
      { ...scope, owner: ownerOf(scope, schema) },
      schema,
      guardBody,
    );
    return {
      conditions: [code`!${callFrom(scope, helper, value)}`],
      result: inside,
    };
  }
  if (conditions === null) return null;
  const isCall = onlyOf(checks, "reference") !== null;
  const [type, ...others] = onlyOf(checks, "type")?.types ?? [];
  return {
    conditions,
    result: isCall ? inside : (path) => failCall(wordsOf(file, schema), path),
    type: others.length === 0 ? type : undefined,
  };
}

/**
 * The stem of a helper's name. The helper of an array is named after its items:
 * `isIconArray`.
 */
function ownerOf({ file, owner }: Scope, { checks }: Schema): string {
  const items = checks.find((check) => check.kind === "items")?.rest;
  if (items === undefined || items === null) return owner;
  const key = referenceIn(items);
  if (key !== null) return `${file.naming.word(key)}Array`;
  const [type, ...others] = onlyOf(items.checks, "type")?.types ?? [];
  return type === undefined || others.length > 0
    ? owner
    : `${upperFirst(type)}Array`;
}

/**
 * The statements of a schema, inline. `knownKind` is a type that was already
 * checked.
 */
export function inlineStatements(
  scope: Scope,
  schema: Schema,
  value: Code,
  path: Path,
  knownKind: Kind | null = null,
): Layout[] {
  const { file } = scope;
  const checks = checksOf(file.definitions, schema);
  const values = valuesOf(checks);
  if (acceptsNothing(checks)) {
    return [
      rejectIf([code`${value} !== undefined`], failCall("nothing", path)),
    ];
  }
  const types = typesOf(checks) ?? (knownKind === null ? null : [knownKind]);
  const result: Layout[] = [];
  // The values imply the types and give a better message.
  const isTested =
    types === null ||
    values !== null ||
    (types.length === 1 && types[0] === knownKind);
  if (!isTested) result.push(typeStatement(types, checks, value, path));
  for (const [kind, write] of groups) {
    const own = checks.filter((check) => typeOfCheck(check) === kind);
    if (own.length === 0 || !isPossible(kind, types)) continue;
    const inner = write(scope, own, value, path);
    if (inner.length === 0) continue;
    const isCertain =
      types !== null &&
      (values === null || knownKind !== null) &&
      types.every(
        (name) => name === kind || (name === "integer" && kind === "number"),
      );
    if (isCertain) for (const each of inner) result.push(each);
    else result.push(block(code`if (${kindTest(kind, value)})`, inner));
  }
  for (const check of checks) {
    if (check.kind !== "reference") continue;
    result.push(
      rejectIf([code`!${guardCall(scope, check.key, value)}`], inside(path)),
    );
  }
  for (const each of branchStatements(scope, checks, value, path))
    result.push(each);
  // The last check, because TypeScript narrows a value after a comparison with
  // one literal.
  if (values !== null) {
    const words = wordsOf(file, {
      ...schema,
      checks: [{ kind: "values", values }],
    });
    result.push(
      rejectIf(valueRejections(scope, values, value), failCall(words, path)),
    );
  }
  return result;
}

type Write = (
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  path: Path,
) => Layout[];

const groups: readonly (readonly [Kind, Write])[] = [
  ["string", stringStatements],
  ["number", numberStatements],
  ["array", arrayStatements],
  ["object", objectStatements],
];

function isPossible(kind: Kind, types: readonly TypeName[] | null): boolean {
  return (
    types === null ||
    types.includes(kind) ||
    (kind === "number" && types.includes("integer"))
  );
}

/**
 * A test that narrows the type in TypeScript, which `Number.isFinite` does not.
 */
export function kindTest(kind: Kind, value: Code): Code {
  return kind === "number"
    ? code`typeof ${value} === "number"`
    : typeTest(kind, value);
}

function typeStatement(
  types: readonly TypeName[],
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout {
  const result = failCall(typeWords(types), path);
  const rejections = types.map((type) => typeRejection(type, value));
  const [only] = types;
  const isNumber =
    types.length === 1 && (only === "number" || only === "integer");
  if (isNumber && checks.some((check) => typeOfCheck(check) === "number")) {
    // The comparisons that follow need the type.
    return returnIfAny(
      [code`typeof ${value} !== "number"`, ...rejections],
      result,
    );
  }
  return rejectIf(rejections, result);
}
