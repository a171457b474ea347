import type { Json, JsonRecord } from "../../../ir/snapshot/model.js";
import { anything, type Check, type Schema, type TypeName } from "../../../ir/constraint.js";
import type { Placeholders } from "./placeholders.js";

/** A schema in the few keywords that the library prints as the right type; null for one that accepts everything. */
export type Plain = JsonRecord | null;

type Of<K extends Check["kind"]> = Extract<Check, { kind: K }>;

/** A list with more positions than this is a list of anything. */
const maxPositions = 50;

/** The same object each time: the library looks at each object once. */
const leaves = {
  boolean: { type: "boolean" },
  null: { type: "null" },
  number: { type: "number" },
  string: { type: "string" },
} as const;

/** `tsType` is the library's keyword for a type that is already text: here a keyword or a placeholder of ours. */
const never: JsonRecord = { tsType: "never" };

/**
 * The values that a schema accepts, or more: conditions that a type cannot express are left out, and a schema whose keywords
 * describe members without saying "object" is taken to mean one.
 */
export function plain(schema: Schema, names: Placeholders): Plain {
  const { checks } = schema;
  if (checks.some(({ kind }) => kind === "never")) return never;
  const parts: JsonRecord[] = [];
  const add = (part: Plain): void => {
    if (part !== null) parts.push(part);
  };
  add(ownPart(checks, names));
  for (const check of checks) {
    if (check.kind === "reference") add({ tsType: names.reference(check.key) });
    else if (check.kind === "all") for (const inner of check.schemas) add(plain(inner, names));
    else if (check.kind === "any" || check.kind === "one")
      add(oneOf(check.schemas.map((inner) => plain(inner, names))));
  }
  const [only] = parts;
  if (only === undefined) return null;
  if (parts.length === 1) return only;
  // "Any object" adds nothing to the other parts.
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
  const known = parts.filter((part) => part !== null);
  const [only] = known;
  if (known.length < parts.length || only === undefined) return null;
  return known.length === 1 ? only : { anyOf: known };
}

/** What `type`, `enum`, `const` and the keywords of objects and lists say together. */
function ownPart(checks: readonly Check[], names: Placeholders): Plain {
  const types = first(checks, "type")?.types ?? null;
  const listed = first(checks, "values");
  if (listed !== undefined) {
    const fitting = types === null ? listed.values : listed.values.filter((value) => fits(value, types));
    return valuesPart(fitting, names);
  }
  const implied = types ?? impliedTypes(checks);
  return implied.length === 0 ? null : oneOf(implied.map((name) => typePart(name, checks, names)));
}

function first<K extends Check["kind"]>(checks: readonly Check[], kind: K): Of<K> | undefined {
  return checks.find((check): check is Of<K> => check.kind === kind);
}

function fits(value: Json, types: readonly TypeName[]): boolean {
  const own = typeOf(value);
  return types.some((type) => type === own || (type === "number" && own === "integer"));
}

function typeOf(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

/** An author who writes `{ properties }` without a type does not mean that a string would do as well. */
function impliedTypes(checks: readonly Check[]): TypeName[] {
  const isObject = checks.some((check) => check.kind === "members" && check.properties.length > 0);
  const isArray = checks.some(({ kind }) => kind === "items");
  return [...(isObject ? ["object" as const] : []), ...(isArray ? ["array" as const] : [])];
}

function typePart(name: TypeName, checks: readonly Check[], names: Placeholders): JsonRecord {
  switch (name) {
    case "object":
      return objectPart(checks, names);
    case "array":
      return arrayPart(checks, names);
    case "integer":
      return leaves.number;
    default:
      return leaves[name];
  }
}

function objectPart(checks: readonly Check[], names: Placeholders): JsonRecord {
  const required = new Set<string>();
  for (const check of checks)
    if (check.kind === "required") for (const name of check.names) required.add(name);
  const members = first(checks, "members");
  const properties: Record<string, Json> = {};
  const present: string[] = [];
  const declared = new Set<string>();
  const add = (name: string, schema: Schema): void => {
    const key = names.member({ name, doc: schema.doc });
    properties[key] = plain(schema, names) ?? {};
    if (required.has(name)) present.push(key);
    declared.add(name);
  };
  for (const { name, schema } of members?.properties ?? []) add(name, schema);
  for (const name of required) if (!declared.has(name)) add(name, anything);
  const hasMembers = declared.size > 0;
  const rest = othersPart(members, names);
  if (!hasMembers) return { type: "object", required: present, additionalProperties: rest ?? true };
  // TypeScript holds named members to the index signature too, so it can be of no narrower type than `unknown`.
  const isOpen = rest !== null && rest !== false;
  return { type: "object", properties, required: present, additionalProperties: isOpen };
}

/** The schema of members without a name of their own; null where nothing is said of them. */
function othersPart(members: Of<"members"> | undefined, names: Placeholders): Json {
  if (members === undefined) return null;
  if (members.patterns.length > 0) return true;
  return members.rest === null ? null : restPart(members.rest, names);
}

function restPart(rest: Schema, names: Placeholders): Json {
  if (rest.checks.some(({ kind }) => kind === "never")) return false;
  return plain(rest, names) ?? true;
}

/** A list; one whose positions have types of their own is an object with the members `t0`, `t1`, … and `rest`. */
function arrayPart(checks: readonly Check[], names: Placeholders): JsonRecord {
  const items = first(checks, "items");
  const size = checks.find((check): check is Of<"size"> => check.kind === "size" && check.of === "array");
  const positions = items?.first ?? [];
  const rest = items?.rest ?? null;
  if (positions.length === 0 || positions.length > maxPositions) {
    const element = positions.length === 0 && rest !== null ? plain(rest, names) : null;
    return { type: "array", items: element ?? {} };
  }
  const entries = positions.map((schema, index): [string, Json] => [`t${index}`, plain(schema, names) ?? {}]);
  const isFull = size !== undefined && size.max !== null && size.max <= positions.length;
  const others = isFull ? false : rest === null ? true : restPart(rest, names);
  if (others !== false) entries.push(["rest", { type: "array", items: others === true ? {} : others }]);
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: [...entries.slice(0, size?.min ?? 0).map(([token]) => token), "rest"],
    additionalProperties: false,
  };
}

function valuesPart(values: readonly Json[], names: Placeholders): JsonRecord {
  const scalars: Json[] = [];
  const parts: JsonRecord[] = [];
  for (const value of values) {
    if (typeof value === "object" && value !== null) parts.push(plain(exactly(value), names) ?? {});
    else scalars.push(typeof value === "string" ? names.string(value) : value);
  }
  if (scalars.length > 0) parts.unshift({ enum: scalars });
  const [only] = parts;
  if (only === undefined) return never;
  return parts.length === 1 ? only : { anyOf: parts };
}

/** The schema that accepts one value alone. */
function exactly(value: Json): Schema {
  const doc = anything.doc;
  if (typeof value !== "object" || value === null)
    return { doc, checks: [{ kind: "values", values: [value] }] };
  const nothing: Schema = { doc, checks: [{ kind: "never" }] };
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return {
      doc,
      checks: [
        { kind: "type", types: ["array"] },
        { kind: "items", first: items.map(exactly), rest: nothing },
        { kind: "size", of: "array", min: items.length, max: items.length },
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
        rest: nothing,
      },
    ],
  };
}
