import { intersection, union } from "./combine.js";
import { ofKind, type Check, type Schema, type TypeName } from "./constraint.js";
import type { Doc, Property, Type } from "./model.js";

export interface TypeOfOptions {
  /** The targets of references by key: the name of a declaration, or a schema without a name. */
  readonly targets: ReadonlyMap<string, string | Schema>;
  /** Called with a schema whose conditions the model cannot express together; its type is that of the first one. */
  readonly onConflict: (schema: Schema) => void;
}

const unknown: Type = { kind: "unknown" };

/**
 * The nearest type to a schema: the reverse of `lower`. The type is never narrower than the schema; conditions that the
 * model cannot express are left out. The format of strings is the tag `format` of the schema's doc.
 */
export function typeOf(schema: Schema, options: TypeOfOptions): Type {
  if (schema.checks.some(({ kind }) => kind === "never")) return { kind: "never" };
  const references: Type[] = [];
  const branches: Type[] = [];
  const others: Type[] = [];
  for (const check of schema.checks) {
    if (check.kind === "reference") references.push(targetType(check.key, options));
    else if (check.kind === "any" || check.kind === "one")
      branches.push(union(check.schemas.map((each) => typeOf(each, options))));
    else if (check.kind === "all") for (const each of check.schemas) others.push(typeOf(each, options));
  }
  const shape = shapeOf(schema, options);
  const parts = [...references, ...(shape === null ? [] : [shape]), ...branches, ...others];
  return meet(parts, () => options.onConflict(schema));
}

/** The doc of a schema without the tag that is part of its type. */
export function docOf({ doc }: Schema): Doc {
  return { text: doc.text, tags: doc.tags.filter(({ name }) => name !== "format") };
}

function targetType(key: string, options: TypeOfOptions): Type {
  const target = options.targets.get(key);
  if (target === undefined) return unknown;
  return typeof target === "string" ? { kind: "reference", name: target } : typeOf(target, options);
}

/** The type of the conditions about values and about single types; null if there are none. */
function shapeOf(schema: Schema, options: TypeOfOptions): Type | null {
  const values = ofKind(schema.checks, "values")[0]?.values.map(literal);
  if (values?.every((value) => value !== null)) return union(values);
  const types = ofKind(schema.checks, "type")[0]?.types;
  return types === undefined ? null : union(types.map((name) => single(name, schema, options)));
}

function literal(value: unknown): Type | null {
  if (value !== null && typeof value === "object") return null;
  return { kind: "literal", value: value as string | number | boolean | null, constant: null };
}

function single(name: TypeName, schema: Schema, options: TypeOfOptions): Type {
  const { doc, checks } = schema;
  switch (name) {
    case "null":
      return { kind: "literal", value: null, constant: null };
    case "boolean":
      return { kind: "boolean" };
    case "integer":
    case "number": {
      const bound = (at: "low" | "high"): number | null =>
        ofKind(checks, "bound").find(({ side }) => side === at)?.value ?? null;
      return { kind: "number", integer: name === "integer", minimum: bound("low"), maximum: bound("high") };
    }
    case "string": {
      const format = doc.tags.find((tag) => tag.name === "format")?.text ?? null;
      return { kind: "string", format, known: [] };
    }
    case "array": {
      const items = ofKind(checks, "items")[0];
      const element = items === undefined || items.first.length > 0 ? null : items.rest;
      const size = ofKind(checks, "size").find(({ of }) => of === "array");
      return {
        kind: "array",
        element: element === null ? unknown : typeOf(element, options),
        maxItems: size?.max ?? null,
      };
    }
    case "object":
      return objectType(checks, options);
    default:
      return name satisfies never;
  }
}

/** An object, or a map if no member has a name. */
function objectType(checks: readonly Check[], options: TypeOfOptions): Type {
  const members = ofKind(checks, "members")[0];
  const required = new Set(ofKind(checks, "required").flatMap(({ names }) => names));
  const properties = (members?.properties ?? []).map(({ name, schema }): Property => ({
    name,
    optional: !required.delete(name),
    type: typeOf(schema, options),
    doc: docOf(schema),
  }));
  for (const name of required)
    properties.push({ name, optional: false, type: unknown, doc: { text: "", tags: [] } });
  const others = members === undefined || members.patterns.length > 0 ? null : members.rest;
  const rest = others === null ? null : typeOf(others, options);
  if (properties.length === 0 && rest !== null) return { kind: "record", member: rest };
  return { kind: "object", properties, rest };
}

/** The intersection of types. Joins objects; of other types keeps the narrowest, if one implies the others. */
function meet(parts: readonly Type[], onConflict: () => void): Type {
  const [only] = parts;
  if (only === undefined) return unknown;
  if (parts.length === 1) return only;
  const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  if (distinct.length === 1) return only;
  if (distinct.every(isObjectLike)) {
    // "Any object" adds nothing to the other parts.
    const specific = distinct.filter((part) => !isAnyObject(part));
    return specific.length === 1 ? (specific[0] ?? only) : intersection(specific);
  }
  let narrowest: Type[] = [];
  for (const part of distinct) {
    if (part.kind === "unknown" || narrowest.some((other) => implies(other, part))) continue;
    narrowest = [...narrowest.filter((other) => !implies(part, other)), part];
  }
  const [first] = narrowest;
  if (first === undefined) return unknown;
  if (narrowest.length === 1) return first;
  if (narrowest.every(isObjectLike)) return intersection(narrowest);
  onConflict();
  return first;
}

function isObjectLike(type: Type): boolean {
  return ["reference", "object", "record", "intersection"].includes(type.kind);
}

function isAnyObject(type: Type): boolean {
  return type.kind === "object" && type.properties.length === 0 && type.rest === null;
}

/** True if each value of `a` is certainly one of `b`. Detects the redundancy of generated schemas, such as a type with its values. */
function implies(a: Type, b: Type): boolean {
  if (a.kind === "union") return a.members.every((member) => implies(member, b));
  if (b.kind === "union") return b.members.some((member) => implies(a, member));
  // A reference together with "any object" must be an object; otherwise no value would match.
  if (isAnyObject(b)) return isObjectLike(a);
  if (a.kind === "literal") {
    if (b.kind === "literal") return a.value === b.value;
    if (b.kind === "string" || b.kind === "boolean") return typeof a.value === b.kind;
    if (b.kind !== "number" || typeof a.value !== "number") return false;
    const { integer, minimum, maximum } = b;
    return (
      (!integer || Number.isInteger(a.value)) &&
      (minimum === null || a.value >= minimum) &&
      (maximum === null || a.value <= maximum)
    );
  }
  return JSON.stringify(a) === JSON.stringify(b);
}
