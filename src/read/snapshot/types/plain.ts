import type { Json, JsonRecord } from "../../../ir/snapshot/model.js";
import {
  anything,
  ofKind,
  type Check,
  type CheckOf,
  type Schema,
  type TypeName,
} from "../../../ir/constraint.js";
import type { Placeholders } from "./placeholders.js";

/** A schema with only the keywords that the library prints correctly; null for a schema that accepts everything. */
export type Plain = JsonRecord | null;

/** The maximum number of positions of a tuple. A list with more becomes a list of any values. */
const maxPositions = 50;

/** Shared objects, because the library processes each object only once. */
const leaves = {
  boolean: { type: "boolean" },
  null: { type: "null" },
  number: { type: "number" },
  string: { type: "string" },
} as const;

/** `tsType` is the library's keyword for the text of a type: a keyword or one of our placeholders. */
const never: JsonRecord = { tsType: "never" };

/**
 * Converts a schema to one that accepts the same values or more: conditions that a type cannot express are omitted. A
 * schema that describes members or items without a type is read as an object or an array.
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
  const restrictive = parts.filter((part) => !isAnyObject(part));
  const [first = only] = restrictive;
  return restrictive.length < 2 ? first : { allOf: restrictive };
}

function isAnyObject(part: JsonRecord): boolean {
  return (
    part["type"] === "object" && part["additionalProperties"] === true && part["properties"] === undefined
  );
}

function oneOf(parts: readonly Plain[]): Plain {
  const branches = parts.filter((part) => part !== null);
  const [only] = branches;
  if (branches.length < parts.length || only === undefined) return null;
  return branches.length === 1 ? only : { anyOf: branches };
}

/** The part for `type`, `enum`, `const` and the keywords of objects and arrays. */
function ownPart(checks: readonly Check[], names: Placeholders): Plain {
  const types = ofKind(checks, "type")[0]?.types ?? null;
  const [list] = ofKind(checks, "values");
  if (list !== undefined) {
    const values = types === null ? list.values : list.values.filter((value) => fits(value, types));
    return valuesPart(values, names);
  }
  const allTypes = types ?? impliedTypes(checks);
  return allTypes.length === 0 ? null : oneOf(allTypes.map((name) => typePart(name, checks, names)));
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

/** `{ properties }` without a type also accepts strings, which its author does not intend. */
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
    case "boolean":
    case "null":
    case "number":
    case "string":
      return leaves[name];
    default:
      return name satisfies never;
  }
}

function objectPart(checks: readonly Check[], names: Placeholders): JsonRecord {
  const required = new Set<string>();
  for (const check of checks)
    if (check.kind === "required") for (const name of check.names) required.add(name);
  const [members] = ofKind(checks, "members");
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
  // In TypeScript, named members must match the index signature, so it can only be `unknown`.
  const isOpen = rest !== null && rest !== false;
  return { type: "object", properties, required: present, additionalProperties: isOpen };
}

/** The schema of the other members; null if there is none. */
function othersPart(members: CheckOf<"members"> | undefined, names: Placeholders): Json {
  if (members === undefined) return null;
  if (members.patterns.length > 0) return true;
  return members.rest === null ? null : restPart(members.rest, names);
}

function restPart(rest: Schema, names: Placeholders): Json {
  if (rest.checks.some(({ kind }) => kind === "never")) return false;
  return plain(rest, names) ?? true;
}

/** An array. A tuple becomes an object with the members `t0`, `t1`, … and `rest`. */
function arrayPart(checks: readonly Check[], names: Placeholders): JsonRecord {
  const [items] = ofKind(checks, "items");
  const size = checks.find(
    (check): check is CheckOf<"size"> => check.kind === "size" && check.of === "array",
  );
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

/** A schema that accepts only this value. */
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
