import type {
  Check,
  Doc,
  Schema,
  TypeName,
} from "../../src/generator/ir/constraint.js";
import type { Property } from "../../src/generator/ir/constraint/form.js";
import { mapSchema } from "../../src/generator/ir/constraint/walk.js";
import type { Json } from "../../src/generator/ir/json.js";
import type { Declaration } from "../../src/generator/ir/model.js";

// Schemas as a test expects them, written without the functions of `src` that
// make them.

export const noDoc: Doc = { text: "", tags: [] };

export function schema(...checks: readonly Check[]): Schema {
  return { doc: noDoc, checks };
}

/** The schema without docs, at every level. */
export function bare(schema: Schema): Schema {
  return mapSchema(schema, (part) => ({ ...part, doc: noDoc }));
}

/** A schema of these types, without conditions. */
export function typed(...types: readonly TypeName[]): Schema {
  return schema({ kind: "type", types });
}

export const unknown = schema();
export const never = schema({ kind: "never" });
export const text = typed("string");
export const number = typed("number");
export const integer = typed("integer");
export const boolean = typed("boolean");
export const anyObject = typed("object");

export function literal(value: Json): Schema {
  return schema({ kind: "values", values: [value] });
}

/** The value of a constant, written as `typeof NAME`. */
export function constant(value: Json, name: string): Schema {
  return {
    ...literal(value),
    notes: [{ keyword: "mcpgen:constant", value: name, isCondition: false }],
  };
}

/** A string with a format. */
export function formatted(format: string): Schema {
  return {
    ...text,
    notes: [{ keyword: "format", value: format, isCondition: false }],
  };
}

/** A schema with a minimum and a maximum. */
export function bounded(
  { checks }: Schema,
  minimum: number | null,
  maximum: number | null = null,
): Schema {
  const low: Check[] =
    minimum === null
      ? []
      : [{ kind: "bound", side: "low", value: minimum, open: false }];
  const high: Check[] =
    maximum === null
      ? []
      : [{ kind: "bound", side: "high", value: maximum, open: false }];
  return schema(...checks, ...low, ...high);
}

export function reference(key: string): Schema {
  return schema({ kind: "reference", key });
}

export function array(rest: Schema, max: number | null = null): Schema {
  const size: Check[] =
    max === null ? [] : [{ kind: "size", of: "array", min: 0, max }];
  return schema(
    { kind: "type", types: ["array"] },
    { kind: "items", first: [], rest },
    ...size,
  );
}

/**
 * An object with these members and perhaps with others; without any,
 * `anyObject`.
 */
export function object(
  properties: readonly Property[],
  rest: Schema | null = null,
): Schema {
  if (properties.length === 0 && rest === null) return anyObject;
  const names = properties
    .filter(({ optional }) => !optional)
    .map(({ name }) => name);
  const required: Check[] =
    names.length === 0 ? [] : [{ kind: "required", names }];
  const named = properties.map((property) => ({
    name: property.name,
    schema: property.schema,
  }));
  return schema({ kind: "type", types: ["object"] }, ...required, {
    kind: "members",
    properties: named,
    patterns: [],
    rest,
  });
}

export function member(
  name: string,
  schema: Schema = text,
  optional = false,
): Property {
  return { name, optional, schema };
}

export function map(rest: Schema): Schema {
  return object([], rest);
}

export function union(...schemas: readonly Schema[]): Schema {
  return schema({ kind: "any", schemas });
}

export function both(...schemas: readonly Schema[]): Schema {
  return schema({ kind: "all", schemas });
}

export function alias(name: string, schema: Schema): Declaration {
  return { kind: "alias", name, bases: [], schema };
}

/** An interface; a base is a name, or a name and the members that it omits. */
export function iface(
  name: string,
  bases: readonly (string | readonly [string, ...string[]])[],
  properties: readonly Property[] = [],
  rest: Schema | null = null,
): Declaration {
  return {
    kind: "interface",
    name,
    bases: bases.map((base) => {
      const [own, ...omit] = typeof base === "string" ? [base] : base;
      return { name: own, omit };
    }),
    schema: object(properties, rest),
  };
}
