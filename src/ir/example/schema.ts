import { accepts, trialOf, type Definitions } from "../surface/accepts.js";
import type { Json } from "../surface/model.js";
import type { Check, Schema } from "../surface/schema.js";
import { isRecord } from "../surface/value.js";
import { alternatives, type Making } from "./branches.js";
import { ofKind, schemaOf, sizesOf, typeOf } from "./checks.js";
import { numberOf, textOf } from "./scalars.js";

/**
 * A value that a tool's schema accepts, for a reader to look at: the same for the same schema. `undefined` where none was
 * found, since some schemas accept nothing and others hide what they accept.
 */
export function exampleOfSchema(definitions: Definitions, schema: Schema, name: string): Json | undefined {
  const making: Making = { trial: trialOf(definitions, mostChecks), steps: { left: mostSteps } };
  const value = valueOf(making, schema, name, 0);
  return value !== undefined && accepts(making.trial, schema, value) ? value : undefined;
}

/** How many schemas are looked into for one example. */
const mostSteps = 5000;
/** How many conditions are tried on what was made. */
const mostChecks = 200_000;
const shownDepth = 0;
const deepest = 12;

function valueOf(making: Making, schema: Schema, name: string, depth: number): Json | undefined {
  making.steps.left -= 1;
  if (making.steps.left < 0 || depth > deepest) return undefined;
  for (const checks of alternatives(making, schema.checks)) {
    const value = candidate(making, checks, name, depth);
    if (value !== undefined && accepts(making.trial, schemaOf(checks), value)) return value;
  }
  return undefined;
}

function candidate(making: Making, checks: readonly Check[], name: string, depth: number): Json | undefined {
  const values = ofKind(checks, "values")[0]?.values;
  if (values !== undefined) return values.find((value) => accepts(making.trial, schemaOf(checks), value));
  switch (typeOf(checks)) {
    case "null":
      return null;
    case "boolean":
      return false;
    case "integer":
      return numberOf(checks, true);
    case "number":
      return numberOf(checks, false);
    case "array":
      return arrayOf(making, checks, name, depth);
    case "object":
      return objectOf(making, checks, depth);
    default:
      return textOf(checks, name);
  }
}

function arrayOf(making: Making, checks: readonly Check[], name: string, depth: number): Json | undefined {
  const [items] = ofKind(checks, "items");
  const [contains] = ofKind(checks, "contains");
  const sizes = sizesOf(checks, "array");
  const least = Math.max(items?.first.length ?? 0, contains?.least ?? 0, ...sizes.map((size) => size.least));
  const most = Math.min(...sizes.map((size) => size.most ?? Infinity));
  const isUnique = ofKind(checks, "unique").length > 0;
  if (least > mostFilled) return undefined;
  const list: Json[] = [];
  for (let i = 0; i < Math.min(most, Math.max(least, 1)); i += 1) {
    const schema = items?.first[i] ?? items?.rest ?? contains?.schema ?? schemaOf([]);
    const value =
      (isUnique ? untaken(making, schema, list) : undefined) ??
      valueOf(making, schema, isUnique && i > 0 ? `${name} ${i + 1}` : name, depth + 1);
    if (value === undefined) return i >= least ? list : undefined;
    list.push(isUnique && i > 0 && typeof value === "number" ? value + i : value);
  }
  return list;
}

/** One of the values that a schema lists which is not in the list yet. */
function untaken(making: Making, schema: Schema, list: readonly Json[]): Json | undefined {
  const taken = new Set(list.map((value) => JSON.stringify(value)));
  const listed = alternatives(making, schema.checks).flatMap((checks) => ofKind(checks, "values"));
  return listed
    .flatMap(({ values }) => values)
    .find((value) => !taken.has(JSON.stringify(value)) && accepts(making.trial, schema, value));
}

function objectOf(making: Making, checks: readonly Check[], depth: number): Json | undefined {
  const groups = ofKind(checks, "members");
  const required = new Set(ofKind(checks, "required").flatMap(({ names }) => names));
  const entries = new Map<string, Json>();
  const properties = groups.flatMap((group) => group.properties);
  for (const { name } of properties) {
    if (entries.has(name) || (!required.has(name) && depth > shownDepth)) continue;
    // A member that several conditions speak of must fit them all.
    const schemas = properties
      .filter((property) => property.name === name)
      .flatMap(({ schema }) => schema.checks);
    const value = valueOf(making, schemaOf(schemas), name, depth + 1);
    if (value !== undefined) entries.set(name, value);
    else if (required.has(name)) return undefined;
  }
  const rest = groups.find((group) => group.rest !== null)?.rest ?? schemaOf([]);
  for (const name of required) {
    if (entries.has(name)) continue;
    const value = valueOf(making, rest, name, depth + 1);
    if (value === undefined) return undefined;
    entries.set(name, value);
  }
  const least = Math.max(0, ...sizesOf(checks, "object").map((size) => size.least));
  if (least > mostFilled) return undefined;
  for (let number = 1; entries.size < least; number += 1) {
    const value = valueOf(making, rest, `member ${number}`, depth + 1);
    if (value === undefined) return undefined;
    entries.set(`member${number}`, value);
  }
  return trimmed(making, checks, Object.fromEntries(entries), required);
}

/** Leaves members out that may be absent, the last first, while the whole is refused for having too much. */
function trimmed(making: Making, checks: readonly Check[], whole: Json, required: ReadonlySet<string>): Json {
  const fits = (value: Json): boolean => accepts(making.trial, schemaOf(checks), value);
  if (!isRecord(whole) || fits(whole)) return whole;
  let kept = Object.entries(whole);
  for (const entry of [...kept].reverse()) {
    if (required.has(entry[0])) continue;
    kept = kept.filter((other) => other !== entry);
    const smaller = Object.fromEntries(kept);
    if (fits(smaller)) return smaller;
  }
  return whole;
}

/** How many items or members that a schema only counts are worth showing. */
const mostFilled = 20;
