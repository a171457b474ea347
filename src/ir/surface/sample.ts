import { accepts, hasType, type Schemas } from "./accepts.js";
import { matching } from "./matching.js";
import type { Json } from "./model.js";
import { anything, type Check, type Schema, type TypeName } from "./schema.js";

/** How many schemas may lie inside each other; what contains itself must end before. */
const deepest = 24;
/** How often a value may be begun in all: schemas whose branches multiply are given up. */
const most = 2_000;

interface Making {
  readonly schemas: Schemas;
  left: number;
}

/**
 * A small value that the schema accepts, the same one every time; undefined when none is found, which says nothing of
 * whether there is one.
 */
export function sampleOf(schemas: Schemas, schema: Schema): Json | undefined {
  return make({ schemas, left: most }, [schema], 0);
}

/** A value that all of the schemas accept. */
function make(making: Making, wanted: readonly Schema[], depth: number): Json | undefined {
  making.left -= 1;
  if (depth > deepest || making.left < 0) return undefined;
  const whole: Schema = { doc: anything.doc, checks: wanted.flatMap(({ checks }) => checks) };
  for (const checks of branches(making, whole.checks, depth)) {
    for (const value of candidates(making, checks, depth)) {
      if (accepts(making.schemas, whole, value)) return value;
    }
  }
  return undefined;
}

/** The conditions with references and lists of schemas written out, one choice of branches after another. */
function* branches(making: Making, checks: readonly Check[], depth: number): Generator<readonly Check[]> {
  making.left -= 1;
  if (depth > deepest || making.left < 0) return;
  const at = checks.findIndex(({ kind }) => ["reference", "all", "any", "one", "when"].includes(kind));
  const check = checks[at];
  if (check === undefined) {
    yield checks;
    return;
  }
  const others = checks.filter((_, i) => i !== at);
  for (const more of alternatives(making.schemas, check)) {
    yield* branches(making, [...others, ...more], depth + 1);
  }
}

function alternatives(schemas: Schemas, check: Check): readonly (readonly Check[])[] {
  switch (check.kind) {
    case "reference":
      return [schemas.get(check.key)?.checks ?? []];
    case "all":
      return [check.schemas.flatMap((schema) => schema.checks)];
    case "any":
    case "one":
      return check.schemas.map((schema) => schema.checks);
    case "when":
      return [check.otherwise?.checks ?? [], [...check.test.checks, ...(check.then?.checks ?? [])]];
    default:
      return [[check]];
  }
}

const order: readonly TypeName[] = ["object", "string", "number", "array", "boolean", "null"];

function* candidates(making: Making, checks: readonly Check[], depth: number): Generator<Json> {
  for (const check of checks) if (check.kind === "values") yield* check.values;
  const told = checks.find((check) => check.kind === "type")?.types;
  for (const type of told ?? order) yield* ofType(making, type, checks, depth);
}

function* ofType(making: Making, type: TypeName, checks: readonly Check[], depth: number): Generator<Json> {
  switch (type) {
    case "object":
      yield* objects(making, checks, depth);
      return;
    case "array":
      yield* arrays(making, checks, depth);
      return;
    case "string":
      yield* strings(checks);
      return;
    case "boolean":
      yield* [false, true];
      return;
    case "null":
      yield null;
      return;
    default:
      yield* numbers(checks).filter((value) => hasType(value, type));
  }
}

function numbers(checks: readonly Check[]): number[] {
  const near = checks.flatMap((check) => {
    if (check.kind === "multiple") return [check.of];
    return check.kind === "bound" ? [check.value, check.value + 1, check.value - 1, check.value + 0.5] : [];
  });
  const steps = checks.flatMap((check) => (check.kind === "multiple" ? [check.of] : []));
  const rounded = steps.flatMap((of) => near.map((value) => Math.ceil(value / of) * of));
  const middle = near.length === 0 ? [] : [near.reduce((a, b) => a + b) / near.length];
  return [0, 1, ...near, ...rounded, ...middle, 0.5];
}

function* strings(checks: readonly Check[]): Generator<string> {
  const least = Math.min(size(checks, "string").least, 10_000);
  for (const check of checks) {
    if (check.kind !== "pattern") continue;
    const text = matching(check.source);
    if (text !== null) yield text.padEnd(least, text.at(-1) ?? "a");
  }
  for (const word of ["text", "a", "1", "A", ""]) yield word.padEnd(least, "a");
}

function* arrays(making: Making, checks: readonly Check[], depth: number): Generator<Json> {
  const items = checks.filter((check) => check.kind === "items");
  const contains = checks.filter((check) => check.kind === "contains");
  const { least } = size(checks, "array");
  const wanted = Math.max(least, ...contains.map((check) => check.least));
  if (wanted > 100) return;
  const list: Json[] = [];
  for (let i = 0; i < wanted; i++) {
    const own = items.flatMap(({ first, rest }) => first[i] ?? rest ?? []);
    const held = contains.flatMap((check) => (i < check.least ? [check.schema] : []));
    // Where all must differ, what is there already is refused.
    const others: Check[] = checks.some(({ kind }) => kind === "unique")
      ? list.map((value) => ({ kind: "not", schema: exactly(value) }))
      : [];
    const item = make(making, [...own, ...held, { doc: anything.doc, checks: others }], depth + 1);
    if (item === undefined) return;
    list.push(item);
  }
  yield list;
}

function exactly(value: Json): Schema {
  return { doc: anything.doc, checks: [{ kind: "values", values: [value] }] };
}

function* objects(making: Making, checks: readonly Check[], depth: number): Generator<Json> {
  const members = checks.filter((check) => check.kind === "members");
  const required = new Set(checks.flatMap((check) => (check.kind === "required" ? check.names : [])));
  for (const check of checks) {
    if (check.kind === "dependent" && required.has(check.member)) {
      for (const name of check.names) required.add(name);
    }
  }
  const { least } = size(checks, "object");
  const spare = [
    ...members.flatMap(({ properties }) => properties.map(({ name }) => name)),
    "a",
    "b",
    "c",
    "d",
  ];
  for (const name of spare) if (required.size < least) required.add(name);
  const entries: [string, Json][] = [];
  for (const name of required) {
    const told = members.flatMap((check) => {
      const own = check.properties.filter((entry) => entry.name === name);
      const matched = check.patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(name));
      const found = [...own, ...matched].map(({ schema }) => schema);
      return found.length > 0 || check.rest === null ? found : [check.rest];
    });
    const value = make(making, told, depth + 1);
    if (value === undefined) return;
    entries.push([name, value]);
  }
  yield Object.fromEntries(entries);
}

function size(checks: readonly Check[], of: "string" | "array" | "object"): { readonly least: number } {
  const sizes = checks.filter((check) => check.kind === "size").filter((check) => check.of === of);
  return { least: Math.max(0, ...sizes.map(({ least }) => least)) };
}
