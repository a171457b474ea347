import type { Json, JsonRecord } from "../../../ir/surface/model.js";
import { anything, type Check, type Schema, type TypeName } from "../../../ir/surface/schema.js";
import { nothing, type Tokens } from "./tokens.js";

/** A schema in the few words that the printing library turns into the right types; null for one that accepts everything. */
export type Plain = JsonRecord | null;

type Of<K extends Check["kind"]> = Extract<Check, { kind: K }>;

/** More positions than this are read as a list of anything. */
const mostPositions = 50;

/**
 * The values that a schema accepts, or more: conditions that a type cannot tell are left out, and a schema whose keywords
 * speak of members without saying "object" is taken to mean one.
 */
export function plain(schema: Schema, tokens: Tokens): Plain {
  const { checks } = schema;
  if (checks.some(({ kind }) => kind === "never")) return { enum: [nothing] };
  const parts: JsonRecord[] = [];
  const add = (part: Plain): void => {
    if (part !== null) parts.push(part);
  };
  add(ownPart(checks, tokens));
  for (const check of checks) {
    if (check.kind === "reference") add({ $ref: `#/definitions/${tokens.definition(check.key)}` });
    else if (check.kind === "all") for (const inner of check.schemas) add(plain(inner, tokens));
    else if (check.kind === "any" || check.kind === "one")
      add(oneOf(check.schemas.map((inner) => plain(inner, tokens))));
  }
  const [only] = parts;
  if (only === undefined) return null;
  if (parts.length === 1) return only;
  // "Any object" says nothing that the other parts do not.
  const telling = parts.filter((part) => !isAnyObject(part));
  const [first = only] = telling;
  return telling.length < 2 ? first : { allOf: telling };
}

function isAnyObject(part: JsonRecord): boolean {
  return (
    part["type"] === "object" && part["additionalProperties"] === true && part["properties"] === undefined
  );
}

function oneOf(parts: readonly Plain[]): Plain {
  const told = parts.filter((part) => part !== null);
  const [only] = told;
  if (told.length < parts.length || only === undefined) return null;
  return told.length === 1 ? only : { anyOf: told };
}

/** What `type`, `enum`, `const` and the keywords of objects and lists say together. */
function ownPart(checks: readonly Check[], tokens: Tokens): Plain {
  const listed = of(checks, "values");
  const types = of(checks, "type")[0]?.types ?? null;
  const [values] = listed;
  if (values !== undefined) {
    const fitting = values.values.filter(
      (value) =>
        types === null ||
        types.some((type) => type === typeOf(value) || (type === "number" && typeOf(value) === "integer")),
    );
    return valuesPart(fitting, tokens);
  }
  const names = types ?? impliedTypes(checks);
  return names.length === 0 ? null : oneOf(names.map((name) => typePart(name, checks, tokens)));
}

function of<K extends Check["kind"]>(checks: readonly Check[], kind: K): Of<K>[] {
  return checks.filter((check): check is Of<K> => check.kind === kind);
}

function typeOf(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

/** Nobody who writes `{ properties }` without a type means that a text would do as well. */
function impliedTypes(checks: readonly Check[]): TypeName[] {
  const isObject = checks.some((check) => check.kind === "members" && check.properties.length > 0);
  const isArray = checks.some(({ kind }) => kind === "items");
  return [...(isObject ? ["object" as const] : []), ...(isArray ? ["array" as const] : [])];
}

function typePart(name: TypeName, checks: readonly Check[], tokens: Tokens): JsonRecord {
  switch (name) {
    case "object":
      return objectPart(checks, tokens);
    case "array":
      return arrayPart(checks, tokens);
    case "integer":
      return tokens.leaf("number");
    default:
      return tokens.leaf(name);
  }
}

function objectPart(checks: readonly Check[], tokens: Tokens): JsonRecord {
  const required = new Set(of(checks, "required").flatMap(({ names }) => names));
  const [members] = of(checks, "members");
  const named = new Map((members?.properties ?? []).map(({ name, schema }) => [name, schema]));
  for (const name of required) if (!named.has(name)) named.set(name, anything);
  const entries = [...named].map(([name, schema]) => {
    return [
      tokens.member({ name, doc: schema.doc }),
      plain(schema, tokens) ?? {},
      required.has(name),
    ] as const;
  });
  const isMatched = (members?.patterns.length ?? 0) > 0;
  const rest = members?.rest ?? null;
  const others = isMatched ? true : rest === null ? entries.length === 0 : restPart(rest, tokens);
  return {
    type: "object",
    ...(entries.length === 0
      ? {}
      : { properties: Object.fromEntries(entries.map(([token, part]) => [token, part])) }),
    required: entries.flatMap(([token, , isRequired]) => (isRequired ? [token] : [])),
    additionalProperties: others,
  };
}

function restPart(rest: Schema, tokens: Tokens): Json {
  if (rest.checks.some(({ kind }) => kind === "never")) return false;
  return plain(rest, tokens) ?? true;
}

/** A list; one whose places have types of their own becomes an object with numbered members, and a tuple later on. */
function arrayPart(checks: readonly Check[], tokens: Tokens): JsonRecord {
  const [items] = of(checks, "items");
  const size = of(checks, "size").find((check) => check.of === "array");
  const first = items?.first ?? [];
  const rest = items?.rest ?? null;
  if (first.length === 0 || first.length > mostPositions) {
    const element = first.length === 0 && rest !== null ? plain(rest, tokens) : null;
    return { type: "array", items: element ?? {} };
  }
  const entries = first.map((schema, index) => [`t${index}`, plain(schema, tokens) ?? {}] as const);
  const isFull = size !== undefined && size.most !== null && size.most <= first.length;
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: entries.slice(0, size?.least ?? 0).map(([token]) => token),
    additionalProperties: isFull ? false : rest === null ? true : restPart(rest, tokens),
  };
}

function valuesPart(values: readonly Json[], tokens: Tokens): JsonRecord {
  const scalars = values.filter((value) => typeof value !== "object" || value === null);
  const others = values.filter((value) => typeof value === "object" && value !== null);
  const told = scalars.map((value) => (typeof value === "string" ? tokens.text(value) : value));
  const parts = [
    ...(scalars.length === 0 ? [] : [{ enum: told }]),
    ...others.map((value) => plain(exactly(value), tokens) ?? {}),
  ];
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? only
    : parts.length === 0
      ? { enum: [nothing] }
      : { anyOf: parts };
}

/** The schema of one value alone. */
function exactly(value: Json): Schema {
  const doc = anything.doc;
  if (typeof value !== "object" || value === null)
    return { doc, checks: [{ kind: "values", values: [value] }] };
  const never: Schema = { doc, checks: [{ kind: "never" }] };
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return {
      doc,
      checks: [
        { kind: "type", types: ["array"] },
        { kind: "items", first: items.map(exactly), rest: never },
        { kind: "size", of: "array", least: items.length, most: items.length },
      ],
    };
  }
  const entries = Object.entries(value as JsonRecord);
  return {
    doc,
    checks: [
      { kind: "type", types: ["object"] },
      { kind: "required", names: entries.map(([name]) => name) },
      {
        kind: "members",
        properties: entries.map(([name, member]) => ({ name, schema: exactly(member) })),
        patterns: [],
        rest: never,
      },
    ],
  };
}
