import { accepts, isRecord, matches, trialOf, type Definitions, type Trial } from "../surface/accepts.js";
import type { Json } from "../surface/model.js";
import type { Check, Schema, Sized, TypeName } from "../surface/schema.js";
import { sampleOf } from "./pattern.js";
import { wordsOf } from "./words.js";

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

interface Making {
  readonly trial: Trial;
  readonly steps: { left: number };
}

function valueOf(making: Making, schema: Schema, name: string, depth: number): Json | undefined {
  making.steps.left -= 1;
  if (making.steps.left < 0 || depth > deepest) return undefined;
  for (const checks of alternatives(making, schema.checks)) {
    const value = candidate(making, checks, name, depth);
    if (value !== undefined && accepts(making.trial, { doc: none, checks }, value)) return value;
  }
  return undefined;
}

/** The conditions with one branch chosen of each that offers several, and with references and conjunctions written out. */
function alternatives(
  making: Making,
  checks: readonly Check[],
  open: readonly string[] = [],
): readonly Check[][] {
  let ways: Check[][] = [[]];
  for (const check of checks) {
    const arms = armsOf(making, check, open);
    ways = ways.flatMap((way) => arms.map((arm) => [...way, ...arm])).slice(0, mostWays);
  }
  return ways;
}

/** How long a chain of references is followed at one place. */
const mostReferences = 50;
/** How many combinations of branches are tried at one place. */
const mostWays = 16;

function armsOf(making: Making, check: Check, open: readonly string[]): readonly Check[][] {
  making.steps.left -= 1;
  if (making.steps.left < 0) return [];
  switch (check.kind) {
    case "reference": {
      const target = making.trial.definitions.get(check.key);
      if (target === undefined || open.length > mostReferences) return [[check]];
      return alternatives(making, target.schema.checks, [...open, check.key]);
    }
    case "all":
      return alternatives(
        making,
        check.schemas.flatMap(({ checks }) => checks),
        open,
      );
    case "any":
    case "one":
      return check.schemas.flatMap(({ checks }) =>
        alternatives(making, checks, open).map((arm) => [...arm, check]),
      );
    default:
      return [[check]];
  }
}

function candidate(making: Making, checks: readonly Check[], name: string, depth: number): Json | undefined {
  const values = ofKind(checks, "values")[0]?.values;
  if (values !== undefined)
    return values.find((value) => accepts(making.trial, { doc: none, checks }, value));
  const types = ofKind(checks, "type").map(({ types: list }) => list);
  const type = types[0]?.filter((one) => types.every((list) => list.includes(one))).sort(nullLast)[0];
  switch (type ?? impliedType(checks)) {
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

const none = { text: "", tags: [] } as const;

function nullLast(a: TypeName, b: TypeName): number {
  return Number(a === "null") - Number(b === "null");
}

/** The type that conditions without one speak of. */
function impliedType(checks: readonly Check[]): TypeName {
  const has = (...kinds: readonly string[]): boolean => checks.some(({ kind }) => kinds.includes(kind));
  if (has("members", "required", "names", "dependent")) return "object";
  if (has("items", "unique", "contains")) return "array";
  if (has("bound", "multiple")) return "number";
  const [size] = ofKind(checks, "size");
  return size?.of ?? "string";
}

function numberOf(checks: readonly Check[], isInteger: boolean): number {
  const bounds = ofKind(checks, "bound");
  const step = ofKind(checks, "multiple")[0]?.of ?? (isInteger ? 1 : 0.5);
  const lows = bounds.filter(({ side }) => side === "low");
  const highs = bounds.filter(({ side }) => side === "high");
  const low = Math.max(...lows.map(({ value }) => value));
  const high = Math.min(...highs.map(({ value }) => value));
  const isAbove = (value: number): boolean =>
    lows.every((one) => value > one.value || (value === one.value && !one.open));
  let value = Math.min(Math.max(1, low), high);
  value = (low > 1 ? Math.ceil(value / step) : Math.floor(value / step)) * step;
  if (!isAbove(value)) value += step;
  if (highs.some((one) => one.open && value === one.value)) value -= step;
  // Between narrow bounds the middle is the best guess.
  return isAbove(value) || isInteger ? value : (low + high) / 2;
}

function textOf(checks: readonly Check[], name: string): string | undefined {
  const sizes = sizesOf(checks, "string");
  const least = Math.max(0, ...sizes.map((size) => size.least));
  const most = Math.min(longestText, ...sizes.map((size) => size.most ?? Infinity));
  if (least > longestText) return undefined;
  const patterns = ofKind(checks, "pattern");
  const words = wordsOf(name);
  const sampled = patterns.flatMap(({ source }) => sampleOf(source) ?? []);
  const fitted = [words, ...sampled].map((text) => {
    const points = [...text];
    const padded =
      points.length === 0
        ? text
        : text.padEnd(text.length + Math.max(0, least - points.length), points.at(-1));
    return [...padded].slice(0, most).join("");
  });
  return fitted.find((text) => patterns.every((pattern) => matches(pattern, text)));
}

/** The longest text that is worth showing, in code points. */
const longestText = 200;

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
    const schema = items?.first[i] ?? items?.rest ?? contains?.schema ?? { doc: none, checks: [] };
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
    const value = valueOf(making, { doc: none, checks: schemas }, name, depth + 1);
    if (value !== undefined) entries.set(name, value);
    else if (required.has(name)) return undefined;
  }
  const rest = groups.find((group) => group.rest !== null)?.rest ?? { doc: none, checks: [] };
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
  const fits = (value: Json): boolean => accepts(making.trial, { doc: none, checks }, value);
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

function sizesOf(checks: readonly Check[], what: Sized): Extract<Check, { kind: "size" }>[] {
  return ofKind(checks, "size").filter(({ of }) => of === what);
}

function ofKind<K extends Check["kind"]>(checks: readonly Check[], kind: K): Extract<Check, { kind: K }>[] {
  return checks.filter((check): check is Extract<Check, { kind: K }> => check.kind === kind);
}
