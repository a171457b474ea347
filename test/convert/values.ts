import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { WayBack } from "../../src/generator/copied/from-model.js";

export type Accepts = (value: unknown) => boolean;
export type Schema = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What Ajv says of a schema; null if it cannot compile it. */
export function ajv(schema: Schema): Accepts | null {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const accepts = compile(schema);
  compiled.set(schema, accepts);
  return accepts;
}

const compiled = new WeakMap<Schema, Accepts | null>();

function compile(schema: Schema): Accepts | null {
  const options = {
    strict: false,
    validateFormats: false,
    ownProperties: true,
  } as const;
  try {
    const isOld = String(schema["$schema"]).includes("draft-07");
    const validate = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(
      schema,
    );
    return (value) => validate(value) === true;
  } catch {
    return null;
  }
}

/**
 * Values that follow the words of a schema; Ajv decides which ones it accepts.
 */
export function valuesFor(
  schema: unknown,
  root: unknown,
  depth = 0,
): fc.Arbitrary<unknown> {
  const any = fc.constantFrom<unknown>(
    null,
    true,
    0,
    1,
    2.5,
    "",
    "a",
    "foo",
    [],
    {},
    ["a"],
    { a: 1 },
  );
  if (!isRecord(schema) || depth > 5) return any;
  const below = (one: unknown): fc.Arbitrary<unknown> =>
    valuesFor(one, root, depth + 1);
  if (typeof schema["$ref"] === "string") {
    const steps = schema["$ref"].split("/").slice(1);
    return below(
      steps.reduce<unknown>(
        (at, step) => (isRecord(at) ? at[step] : undefined),
        root,
      ),
    );
  }
  const list = (keyword: string): unknown[] =>
    Array.isArray(schema[keyword]) ? schema[keyword] : [];
  const results: fc.Arbitrary<unknown>[] = [];
  if (schema["const"] !== undefined) results.push(fc.constant(schema["const"]));
  if (list("enum").length > 0) results.push(fc.constantFrom(...list("enum")));
  const types = new Set(
    [schema["type"] ?? (isRecord(schema["properties"]) ? "object" : [])].flat(),
  );
  const parts = ["anyOf", "oneOf", "allOf"].flatMap(list);
  const branches = parts.map(below);
  const properties = isRecord(schema["properties"])
    ? Object.entries(schema["properties"])
    : [];
  const required = list("required").map(String);
  const own = fc.record(
    Object.fromEntries([
      ...required.map((name) => [name, any] as const),
      ...properties.map(([name, one]) => [name, below(one)] as const),
    ]),
    { requiredKeys: required },
  );
  if (types.has("object")) results.push(own);
  if (types.has("object") && isRecord(schema["additionalProperties"]))
    results.push(
      fc.dictionary(
        fc.constantFrom("a", "foo", "b"),
        below(schema["additionalProperties"]),
      ),
    );
  for (const branch of branches)
    results.push(
      properties.length + required.length > 0
        ? fc
            .tuple(own, branch)
            .map(([a, b]) => (isRecord(b) ? { ...a, ...b } : b))
        : branch,
    );
  if (branches.length > 1)
    results.push(
      fc
        .tuple(...branches)
        .map((all) => Object.assign({}, ...all.filter(isRecord))),
    );
  if (types.has("array")) {
    const items = isRecord(schema["items"]) ? below(schema["items"]) : any;
    results.push(fc.array(items, { maxLength: 3 }));
    const tuple = [...list("prefixItems"), ...list("items")].map(below);
    if (tuple.length > 0) results.push(fc.tuple(...tuple));
  }
  if (types.has("string"))
    results.push(fc.constantFrom("", "a", "foo", "2026-01-01", "a@b.c", "/x"));
  if (types.has("integer") || types.has("number"))
    results.push(fc.constantFrom(0, 1, 2, 5, 10, 100, 1.5));
  if (types.has("boolean")) results.push(fc.boolean());
  if (types.has("null")) results.push(fc.constant(null));
  return results.length === 0 ? any : fc.oneof(...results);
}

/**
 * Thrown for a value with a member that its schema does not name, or of a type
 * that it only implies. Strict mode has no place for them.
 */
export class Unnamed extends Error {}

/** The value that a model writes in strict mode for a value of the tool. */
export function written(
  value: unknown,
  schema: unknown,
  way: WayBack = {},
): unknown {
  if (!isRecord(schema)) return value;
  if (way.inside !== undefined) return { [way.inside]: JSON.stringify(value) };
  if (way.isJson) return JSON.stringify(value);
  if (Array.isArray(schema["anyOf"])) {
    const texts = schema["anyOf"].flatMap((one) => {
      try {
        const text = written(value, one, way);
        return ajv(one as Schema)?.(text) === true ? [text] : [];
      } catch (error) {
        if (error instanceof Unnamed) return [];
        throw error;
      }
    });
    if (texts.length === 0) throw new Unnamed();
    return texts[0];
  }
  const types = [schema["type"] ?? []].flat();
  if (types.join() === "array" || types.join() === "array,null")
    if (!Array.isArray(value) && value !== null) throw new Unnamed();
  if (Array.isArray(value) && !types.includes("array")) throw new Unnamed();
  if (Array.isArray(value))
    return value.map((one) => written(one, schema["items"], way.items));
  if (!isRecord(schema["properties"])) return value;
  if (!isRecord(value)) {
    if (types.includes("object") && value !== null && types.length < 3)
      throw new Unnamed();
    return value;
  }
  const named = Object.entries(schema["properties"]).map(([name, inner]) => {
    const member =
      way.members && Object.hasOwn(way.members, name)
        ? way.members[name]
        : undefined;
    const original = member?.name ?? name;
    if (Object.hasOwn(value, original)) {
      const own = value[original];
      return [
        original,
        name,
        own === null && member?.null ? null : written(own, inner, member),
      ] as const;
    }
    return [original, name, member?.null ? null : undefined] as const;
  });
  const known = new Set(named.map(([original]) => original));
  const others = Object.entries(value).filter(([name]) => !known.has(name));
  if (others.length > 0 && schema["additionalProperties"] === false)
    throw new Unnamed();
  return Object.fromEntries([
    ...named
      .filter(([, , one]) => one !== undefined)
      .map(([, name, one]) => [name, one]),
    ...others,
  ]);
}

/** True if the values differ at most in members that are null. */
export function isAlike(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(plain)
      : isRecord(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, one]) => one !== null)
              .map(([name, one]) => [name, plain(one)]),
          )
        : value;
  return isDeepStrictEqual(plain(a), plain(b));
}
