import { resolve } from "../../ir/lookup.js";
import type { Type } from "../../ir/model.js";
import { type Code, code, identifier, literal, literalText } from "../typescript/code.js";
import { hardline, indent, type Layout } from "../typescript/layout.js";
import {
  expected,
  failure,
  guardCall,
  read,
  refuseIf,
  returnAny,
  returnIfAny,
  type Context,
  type Scope,
} from "./context.js";
import { anyOf } from "./expectation.js";
import { helperFor } from "./helper.js";
import { block, checks, itemChecks, objectTest } from "./statements.js";
import { numberTest } from "./tests.js";
import { findTag, openArms, type Tag } from "./union.js";

/**
 * A whole function body that decides a union: by the kind of the JSON value first, then by the tag of its objects, and
 * only then by trying one arm after the other.
 */
export function unionBody(scope: Scope, members: readonly Type[], value: Code): Layout[] {
  const { context } = scope;
  const arms = openArms(context.declarations, members);
  const sorted = sortArms(context, arms);
  if (sorted === null) return [code`return ${value} !== undefined || ${failure("a value", [])};`.layout];
  const { scalars, arrays, objects } = sorted;
  const whole = failure(expected(context, arms), []);
  const tests = scalars.map((arm) => accepts(context, arm, value));
  if (arrays.length + objects.length === 0) return [returnAny([...tests, whole])];
  const statements: Layout[] = [];
  if (tests.length > 0) statements.push(returnIfAny(tests, code`true`));
  if (arrays.length > 0) statements.push(arrayArms(scope, arrays, value));
  if (objects.length === 0) return [...statements, code`return ${whole};`.layout];
  const test = statements.length > 0 ? [refuseIf([code`!isObject(${value})`], whole)] : objectTest(value, []);
  return [...statements, ...test, ...objectArms(scope, objects, value)];
}

interface SortedArms {
  readonly scalars: Type[];
  readonly arrays: Type[];
  readonly objects: Type[];
}

/** Null when an arm accepts everything, and so the union does. */
function sortArms(context: Context, arms: readonly Type[]): SortedArms | null {
  const sorted: SortedArms = { scalars: [], arrays: [], objects: [] };
  for (const arm of arms) {
    const { kind } = resolve(context.declarations, arm);
    if (kind === "unknown") return null;
    if (kind === "array") sorted.arrays.push(arm);
    else if (kind === "string" || kind === "number" || kind === "boolean" || kind === "literal")
      sorted.scalars.push(arm);
    else sorted.objects.push(arm);
  }
  return sorted;
}

function accepts(context: Context, arm: Type, value: Code): Code {
  const type = resolve(context.declarations, arm);
  if (type.kind === "literal") return code`${value} === ${literal(type.value)}`;
  if (type.kind === "boolean") return code`typeof ${value} === "boolean"`;
  return type.kind === "number" ? numberTest(type, value) : code`typeof ${value} === "string"`;
}

function arrayArms(scope: Scope, arms: readonly Type[], value: Code): Layout {
  const [only, ...others] = arms.map((arm) => resolve(scope.context.declarations, arm));
  const head = code`if (Array.isArray(${value}))`;
  if (only?.kind === "array" && others.length === 0) {
    return block(head, [...itemChecks(scope, only, value, []), "return true;"]);
  }
  return block(head, [tryArms(scope, arms, value)]);
}

/** The value is known to be an object. */
function objectArms(scope: Scope, arms: readonly Type[], value: Code): Layout[] {
  const [only, ...others] = arms;
  if (only !== undefined && others.length === 0) return onlyArm(scope, only, value);
  const tag = findTag(scope.context.declarations, arms);
  return tag === null ? [tryArms(scope, arms, value)] : [switchOn(scope, tag, value)];
}

function onlyArm(scope: Scope, arm: Type, value: Code): Layout[] {
  if (arm.kind === "reference") return [code`return ${guardCall(scope, arm.name, value)};`.layout];
  return [...checks(scope, arm, value, []), "return true;"];
}

function switchOn(scope: Scope, tag: Tag, value: Code): Layout {
  const words = tag.cases.map((entry) => (entry.value === undefined ? "nothing" : literalText(entry.value)));
  const cases = groupCases(tag).map(({ values, arms }): Layout => {
    const labels = values.map((label) => [
      hardline,
      code`case ${label === undefined ? identifier("undefined") : literal(label)}:`.layout,
    ]);
    const body = objectArms(scope, arms, value).map((statement) => [hardline, statement]);
    return [labels, indent(body)];
  });
  const otherwise = code`return ${failure(anyOf(words), [literal(tag.member)])};`;
  cases.push([hardline, "default:", indent([hardline, otherwise.layout])]);
  return [code`switch (${read(value, tag.member)}) {`.layout, indent(cases), hardline, "}"];
}

/** Values that lead to the same arms share their statements. */
function groupCases(tag: Tag): { values: Tag["cases"][number]["value"][]; arms: readonly Type[] }[] {
  const groups = new Map<string, { values: Tag["cases"][number]["value"][]; arms: readonly Type[] }>();
  for (const { value, arms } of tag.cases) {
    const key = JSON.stringify(arms);
    const entry = groups.get(key) ?? { values: [], arms };
    entry.values.push(value);
    groups.set(key, entry);
  }
  return [...groups.values()];
}

function tryArms(scope: Scope, arms: readonly Type[], value: Code): Layout {
  const tries = arms.map((arm) => {
    const guard =
      arm.kind === "reference" ? scope.context.naming.guard(arm.name) : helperFor(scope, arm).name;
    return scope.isRecursive ? code`attempt(${guard}, ${value})` : code`${guard}(${value})`;
  });
  return returnAny([...tries, failure(expected(scope.context, arms), [])]);
}
