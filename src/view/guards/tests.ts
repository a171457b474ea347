import { resolve } from "../../ir/lookup.js";
import type { Type } from "../../ir/model.js";
import { type Code, code, literal } from "../typescript/code.js";
import { type Context, guardCall, type Scope } from "./context.js";
import { findTag, openArms } from "./union.js";

/**
 * Conditions that are all true when the value is not of the type; null when no expression can say it. An empty list
 * accepts everything.
 */
export function refusals(scope: Scope, type: Type, value: Code): Code[] | null {
  const { context } = scope;
  const target = inlined(context, type);
  switch (target.kind) {
    case "unknown":
      return [code`${value} === undefined`];
    case "boolean":
      return [code`typeof ${value} !== "boolean"`];
    case "string":
      return [code`typeof ${value} !== "string"`];
    case "number":
      return [code`!${numberTest(target, value)}`];
    case "literal":
      return [code`${value} !== ${literal(target.value)}`];
    case "array":
      return target.element.kind === "unknown" && target.maxItems === null
        ? [code`!Array.isArray(${value})`]
        : null;
    case "record":
    case "object":
      return isAnyObject(target) ? [code`!isObject(${value})`] : null;
    case "union":
      return unionRefusals(scope, target.members, value);
    case "intersection":
      return null;
    case "reference":
      return [code`!${guardCall(scope, target.name, value)}`];
    default:
      return target satisfies never;
  }
}

/** Is nothing known of the members? */
function isAnyObject(type: Type): boolean {
  if (type.kind === "record") return type.member.kind === "unknown";
  return type.kind === "object" && type.properties.length === 0 && isOpen(type.rest);
}

export function isOpen(rest: Type | null): boolean {
  return rest === null || rest.kind === "unknown";
}

/** A condition that is true of numbers of the type. */
export function numberTest(type: Extract<Type, { kind: "number" }>, value: Code): Code {
  const { integer, minimum, maximum } = type;
  const test = integer ? code`Number.isInteger(${value})` : code`Number.isFinite(${value})`;
  if (minimum === null && maximum === null) return test;
  const bounds = code`${bound(minimum, code`-Infinity`)}, ${bound(maximum, code`Infinity`)}`;
  const within = code`isBetween(${value}, ${bounds})`;
  return integer ? code`(${test} && ${within})` : within;
}

function bound(value: number | null, none: Code): Code {
  return value === null ? none : literal(value);
}

/** An untagged union of things that can each be refused by one condition. */
function unionRefusals(scope: Scope, members: readonly Type[], value: Code): Code[] | null {
  const arms = openArms(scope.context.declarations, members);
  if (arms.length > 4 || findTag(scope.context.declarations, arms) !== null) return null;
  const tests = arms.map((arm) => refusals(scope, arm, value));
  const all: Code[] = [];
  for (const test of tests) {
    const only = test?.[0];
    if (only === undefined || test?.length !== 1) return null;
    all.push(only);
  }
  return all;
}

/** A reference to a scalar, or to a short union of scalars, is checked in place rather than by a call. */
export function inlined(context: Context, type: Type): Type {
  if (type.kind !== "reference" || context.recursive.has(type.name)) return type;
  const target = resolve(context.declarations, type);
  if (isScalar(target)) return target;
  if (target.kind !== "union") return type;
  return target.members.length <= 2 && target.members.every(isScalar) ? target : type;
}

function isScalar(type: Type): boolean {
  return type.kind === "string" || type.kind === "number" || type.kind === "boolean";
}
