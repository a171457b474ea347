import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Provider } from "../lint/providers.js";
import { refusedKeywords, type Rule, rulesOf } from "../lint/rules.js";
import { rowsOf } from "../lint/schemas.js";
import { localRef } from "../../generator/read/json/text/pointer.js";
import { namesIn, placesIn, withInner } from "../lint/walk.js";
import { spellingsFor } from "./names.js";
import { isOf, oneObject } from "./one-object.js";
import { mergeWays, type WayBack, writtenWay } from "./way-back.js";

/**
 * A schema of arguments as a provider takes it. It accepts what the schema of
 * the tool accepts, after the way back.
 */
export interface ConvertedSchema {
  readonly schema: JsonRecord;
  /**
   * How the arguments that a model writes become those of the tool; null if
   * they stay as they are.
   */
  readonly wayBack: WayBack | null;
  /** Sentences for the description of the tool. */
  readonly words: readonly string[];
  /** What the schema does not tell the model, each with its place. */
  readonly lost: readonly string[];
}

export function convertSchema(
  raw: Json | undefined,
  provider: Provider,
): ConvertedSchema {
  const conversion = new Conversion(isRecord(raw) ? raw : {}, provider);
  const part = conversion.whole();
  if (part !== null && rowsOf(part.schema, provider).length === 0)
    return {
      schema: part.schema,
      wayBack: writtenWay(part.way),
      words: conversion.words,
      lost: conversion.lost,
    };
  const lost = [
    "the whole inputSchema: it is too large, or has a form that the provider refuses",
  ];
  if (provider.closed !== true)
    return {
      schema: { type: "object", properties: {} },
      wayBack: null,
      words: [],
      lost,
    };
  const text = {
    type: "string",
    description: "All arguments, as the JSON text of an object",
  };
  return {
    schema: {
      type: "object",
      properties: { json: text },
      required: ["json"],
      additionalProperties: false,
    },
    wayBack: { inside: "json", members: { json: { isJson: true } } },
    words: [],
    lost,
  };
}

interface Part {
  readonly schema: JsonRecord;
  readonly way: WayBack;
}

/**
 * Where a part of a schema is: its path, the references around it, and how deep
 * it is.
 */
interface At {
  readonly path: string;
  readonly refs: readonly string[];
  readonly level: number;
}

const maxLevel = 60;
const maxParts = 5000;
/** The maximum length of a keyword that is quoted in a description. */
const maxQuoted = 200;

/** Keywords whose meaning depends on other keywords of the same schema. */
const narrowing: readonly string[] = [
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "maxContains",
  "dependentSchemas",
  "dependencies",
  "minProperties",
  "maxProperties",
];
const others = /^(?:additional|pattern|unevaluated)Properties$/;
/** What is left out where references are replaced. */
const replaced =
  /^(?:\$defs|definitions|(?:additional|pattern|unevaluated)Properties)$/;
const inItems =
  /^(?:items|prefixItems|additionalItems|contains|unevaluatedItems)\b/;

class Conversion {
  readonly lost: string[] = [];
  readonly words: string[] = [];
  readonly #root: JsonRecord;
  readonly #provider: Provider;
  readonly #isStrict: boolean;
  readonly #spellings: ReadonlyMap<string, string>;
  /**
   * True if references are replaced, because what they refer to has a way back
   * or moves.
   */
  readonly #isInlined: boolean;
  readonly #refused: readonly string[];
  /** True if `items` must be one schema. */
  readonly #takesOneItem: boolean;
  #parts = 0;

  constructor(root: JsonRecord, provider: Provider) {
    const places = placesIn(root);
    const schemas = places.map(({ schema }) => schema);
    this.#root = root;
    this.#provider = provider;
    this.#isStrict = provider.closed === true;
    this.#spellings = spellingsFor(schemas.flatMap(namesIn), provider.property);
    const isElsewhere = ({ $ref = "#/$defs/a" }: JsonRecord): boolean =>
      !/^#\/(?:\$defs|definitions)\/[^/]+$/.test(String($ref));
    this.#isInlined =
      this.#isStrict || this.#spellings.size > 0 || schemas.some(isElsewhere);
    const rules = rulesOf(provider, false);
    this.#takesOneItem =
      this.#isStrict || rules.some(({ id }) => id === "items");
    const isLooser = schemas.some((schema) =>
      rules.some((rule) => rule.repair === null && rule.refuses(schema)),
    );
    this.#refused = [
      ...new Set([
        ...refusedKeywords(provider, false),
        ...(this.#isInlined || isLooser ? narrowing : []),
        // Of a conjunction of closed objects, none would accept the others.
        ...(this.#isStrict ? ["allOf"] : []),
        // It counts the members that patterns match.
        ...(isLooser ? ["unevaluatedProperties"] : []),
      ]),
    ];
  }

  /** The whole schema; null if the provider takes no form of it. */
  whole(): Part | null {
    const { $defs, definitions } = this.#root;
    const followed = this.#follow(this.#root, []) ?? {};
    const root = {
      ...followed,
      ...($defs && { $defs }),
      ...(definitions && { definitions }),
      type: "object",
    };
    const at = { path: "inputSchema", refs: [], level: 0 };
    const own = this.#allowed(root, at, [
      ...new Set([...refusedKeywords(this.#provider, true), ...this.#refused]),
    ]);
    const isMap = Object.entries(own).some(
      ([name, value]) => others.test(name) && value !== false,
    );
    if (this.#isStrict && namesIn(own).length === 0 && isMap) return null;
    const part = this.#walked(own, at);
    return this.#parts > maxParts ? null : part;
  }

  #part(value: Json, at: At): Part {
    this.#parts += at.level > maxLevel ? maxParts : 1;
    if (this.#parts > maxParts) return this.#opaque({}, at);
    if (!isRecord(value)) return this.#opaque({}, at);
    if (value["$ref"] === undefined || !this.#isInlined)
      return this.#walked(this.#allowed(value, at, this.#refused), at);
    const target = this.#follow(value, at.refs);
    if (target === null) return this.#opaque(value, at);
    return this.#part(target, {
      ...at,
      refs: [...at.refs, String(value["$ref"])],
      level: at.level + 1,
    });
  }

  /**
   * A schema in place of its references; null if they lead to themselves or
   * nowhere. What is beside a reference only describes.
   */
  #follow = (schema: Json, refs: readonly string[]): JsonRecord | null => {
    if (!isRecord(schema)) return {};
    const { $ref, description } = schema;
    if (++this.#parts > maxParts || typeof $ref !== "string") return schema;
    const steps = localRef($ref);
    let target: Json | undefined = steps === null ? undefined : this.#root;
    for (const step of steps ?? [])
      target =
        isList(target) || isRecord(target)
          ? Object.entries(target).find(([key]) => key === step)?.[1]
          : undefined;
    if (target === undefined || refs.includes($ref)) return null;
    const inner = this.#follow(target, [...refs, $ref]);
    return (
      inner && { ...inner, ...(description !== undefined && { description }) }
    );
  };

  /** A schema without the keywords that the provider refuses. */
  #allowed(schema: JsonRecord, at: At, refused: readonly string[]): JsonRecord {
    const isObject = at.level === 0 || namesIn(schema).length > 0;
    const combining = ["allOf", "oneOf", "anyOf"].filter(
      (name) =>
        isList(schema[name]) &&
        (refused.includes(name) || (this.#isStrict && isObject)),
    );
    const all = combining.includes("allOf")
      ? (schema["allOf"] as readonly Json[])
      : [];
    const branches = all.map((one) => this.#follow(one, at.refs) ?? {});
    if (
      isObject
        ? combining.length > 0
        : branches.some((one) => isOf("object", one))
    ) {
      const { object, sets } = oneObject(schema, combining, this.#follow);
      if (sets.length === 0) return this.#allowed(object, at, refused);
      this.lost.push(
        `the alternatives of ${at.path}: one object has the members of all`,
      );
      const sentence = `Give one of these: ${sets.join(" or ")}.`;
      return this.#allowed(
        this.#describe(object, sentence.slice(0, 1000), at),
        at,
        refused,
      );
    }
    const { allOf, oneOf, ...own } = schema;
    if (branches.length > 0)
      return this.#allowed(
        { ...Object.assign({}, ...branches), ...own },
        at,
        refused,
      );
    let result = schema;
    if (refused.includes("oneOf") && oneOf !== undefined)
      result = { anyOf: oneOf, ...own, ...(allOf !== undefined && { allOf }) };
    for (const keyword of refused)
      if (result[keyword] !== undefined)
        result = this.#without(keyword, result, at);
    const { items, prefixItems: _, additionalItems: __, ...array } = result;
    const isArray = isOf("array", result) || items !== undefined;
    if (isArray && !isRecord(items) && this.#takesOneItem)
      result = { ...array, items: {} };
    for (const rule of rulesOf(this.#provider, at.level === 0))
      if (rule.refuses(result)) result = this.#repaired(rule, result, at);
    return result;
  }

  /** A schema without a keyword, which the description quotes if it is short. */
  #without(keyword: string, schema: JsonRecord, at: At): JsonRecord {
    const { [keyword]: value, ...others } = schema;
    const { additionalProperties: _, ...open } = others;
    // What named the members is gone, so others cannot be refused.
    const rest = /^(?:p|patternP)roperties$/.test(keyword) ? open : others;
    const text = `${keyword}: ${JSON.stringify(value)}`;
    this.lost.push(`${keyword} of ${at.path}`);
    return text.length > maxQuoted
      ? rest
      : this.#describe(rest, `(${text})`, at);
  }

  /** One level of a schema as a rule accepts it. */
  #repaired(rule: Rule, schema: JsonRecord, at: At): JsonRecord {
    if (rule.repair !== null) return { ...schema, ...rule.repair };
    if (rule.keyword !== null) return this.#without(rule.keyword, schema, at);
    return repairs[rule.id]?.(schema) ?? schema;
  }

  /** Adds a sentence to a schema, or to the tool for the whole one. */
  #describe(schema: JsonRecord, sentence: string, { level }: At): JsonRecord {
    if (level > 0)
      return {
        ...schema,
        description: [schema["description"] ?? [], sentence].flat().join(" "),
      };
    this.words.push(sentence);
    return schema;
  }

  /** A schema with all schemas in it converted. */
  #walked(schema: JsonRecord, at: At): Part {
    const own = this.#isStrict ? typed(schema) : schema;
    const isMap = isOf("object", own) && namesIn(own).length === 0;
    if (
      this.#isStrict &&
      at.level > 0 &&
      (isMap || (own["type"] ?? own["anyOf"]) === undefined)
    )
      return this.#opaque(schema, at);
    const isLeft = (keyword: string): boolean =>
      this.#isInlined && replaced.test(keyword);
    for (const [keyword, value] of Object.entries(own))
      if (isLeft(keyword) && others.test(keyword) && value !== false)
        this.lost.push(`${keyword} of ${at.path}`);
    const kept = Object.entries(own).filter(
      ([keyword, value]) =>
        !isLeft(keyword) || (value === false && !this.#isStrict),
    );
    const ways: WayBack[] = [{ isJson: false }];
    const needed = new Set<Json>(
      isList(own["required"]) ? own["required"] : [],
    );
    const inner = withInner(Object.fromEntries(kept), (value, step) => {
      if (!isRecord(value) && !this.#isStrict) return value;
      let part = this.#part(value, {
        ...at,
        path: `${at.path}.${step}`,
        level: at.level + 1,
      });
      if (step.startsWith("properties."))
        part = this.#member(needed, step.slice("properties.".length), part, at);
      else if (inItems.test(step)) part = { ...part, way: { items: part.way } };
      ways.push(part.way);
      return part.schema;
    });
    const way = mergeWays(ways);
    if (way === null) return this.#opaque(schema, at);
    const { properties: members, required } = inner;
    const spelled =
      isRecord(members) &&
      Object.entries(members).map(
        ([name, one]) => [this.#spell(name), one] as const,
      );
    const converted = {
      ...inner,
      ...(spelled && { properties: Object.fromEntries(spelled) }),
      ...(isList(required) && {
        required: required.map((name) => this.#spell(String(name))),
      }),
    };
    if (!this.#isStrict || !isOf("object", own))
      return { schema: converted, way };
    const { properties = {} } = converted;
    return {
      schema: {
        ...converted,
        properties,
        required: Object.keys(properties as JsonRecord),
        additionalProperties: false,
      },
      way,
    };
  }

  #spell = (name: string): string => this.#spellings.get(name) ?? name;

  /**
   * A member of an object. One that may be left out is null instead where all
   * must be there.
   */
  #member(
    required: ReadonlySet<Json>,
    name: string,
    { schema, way }: Part,
    at: At,
  ): Part {
    const spelling = this.#spell(name);
    const wayOf = (own: WayBack): WayBack => ({
      members: Object.fromEntries([
        [spelling, { ...way, ...(spelling !== name && { name }), ...own }],
      ]),
    });
    if (!this.#isStrict) return { schema, way: wayOf({}) };
    const takesNull = acceptsNull(schema);
    if (required.has(name))
      return { schema, way: wayOf(takesNull ? { null: "kept" } : {}) };
    if (takesNull)
      this.lost.push(
        `null of ${at.path}.properties.${name}: it means that the member is left out`,
      );
    return { schema: orNull(schema), way: wayOf({ null: "left out" }) };
  }

  /**
   * A value that the provider cannot describe: its JSON text in strict mode,
   * and anything elsewhere.
   */
  #opaque({ description, ...schema }: JsonRecord, at: At): Part {
    const said = description === undefined ? {} : { description };
    this.lost.push(
      `the schema of ${at.path}${this.#isStrict ? ": the value is a JSON text" : ""}`,
    );
    if (!this.#isStrict) return { schema: said, way: { isJson: false } };
    const text = JSON.stringify(schema);
    const kind =
      text === "{}" || text.length > maxQuoted
        ? ""
        : ` of a value of this schema: ${text}`;
    return {
      schema: this.#describe(
        { type: "string", ...said },
        `JSON text${kind}`,
        at,
      ),
      way: { isJson: true },
    };
  }
}

/** How one level satisfies a rule that is about more than one keyword. */
const repairs: Readonly<Record<string, (schema: JsonRecord) => JsonRecord>> = {
  "members-are-schemas": (schema) => ({
    ...schema,
    ...Object.fromEntries(
      ["properties", "$defs", "definitions"].flatMap((keyword) => {
        const members = schema[keyword];
        return isRecord(members) ? [[keyword, withSchemas(members)]] : [];
      }),
    ),
  }),
  "required-members": (schema) => {
    const names = new Set<Json>(namesIn(schema));
    const { required, ...rest } = schema;
    const known = isList(required)
      ? required.filter((one) => names.has(one))
      : [];
    return known.length === 0 ? rest : { ...rest, required: known };
  },
  "object-keywords": (schema) => {
    const { properties: _, required: __, ...rest } = schema;
    return rest;
  },
  "one-type": oneType,
};

/** Anything in place of a member that is no schema. */
const withSchemas = (members: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(members).map(([name, one]) => [
      name,
      isRecord(one) || typeof one === "boolean" ? one : {},
    ]),
  );

/** The keywords that only an array or an object has. */
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};

/** A schema with one type in place of a list: alternatives, and `nullable`. */
function oneType(schema: JsonRecord): JsonRecord {
  const types = [...new Set([schema["type"] ?? []].flat())];
  const others = types.filter((type) => type !== "null");
  const nullable = types.length > others.length && { nullable: true };
  if (others.length < 2)
    return { ...schema, type: others[0] ?? "null", ...nullable };
  const { type: _, description, title, anyOf, ...rest } = schema;
  // Alternatives that are there already say more than the types.
  if (anyOf !== undefined)
    return {
      ...rest,
      anyOf,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    };
  const withoutOthers = (type: Json): JsonRecord =>
    Object.fromEntries(
      Object.entries(rest).filter(([keyword]) =>
        Object.entries(keywordsOfType).every(
          ([other, keywords]) => other === type || !keywords.includes(keyword),
        ),
      ),
    );
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: others.map((type) => ({
      ...withoutOthers(type),
      type,
      ...nullable,
    })),
  };
}

/**
 * A schema with a type, if it says one in other words, and with a member for
 * each name that it requires.
 */
function typed(schema: JsonRecord): JsonRecord {
  const {
    type,
    anyOf,
    const: only,
    enum: values = only === undefined ? [] : [only],
    properties,
  } = schema;
  const required = isList(schema["required"]) ? schema["required"] : [];
  const known = isRecord(properties)
    ? properties
    : required.length > 0
      ? {}
      : undefined;
  const found = known
    ? ["object"]
    : schema["items"] === undefined
      ? []
      : ["array"];
  const types = [
    ...new Set(
      isList(values) && values.length > 0 ? values.map(typeOf) : found,
    ),
  ];
  const unnamed = required.filter(
    (name) => known && !Object.hasOwn(known, String(name)),
  );
  return {
    ...schema,
    ...(type === undefined &&
      anyOf === undefined &&
      types.length > 0 && { type: types.length === 1 ? types.join() : types }),
    ...(unnamed.length > 0 && {
      properties: {
        ...known,
        ...Object.fromEntries(unnamed.map((name) => [name, {}])),
      },
    }),
  };
}

const typeOf = (value: Json): string =>
  value === null ? "null" : isList(value) ? "array" : typeof value;

function acceptsNull({
  type,
  enum: values,
  const: only,
  anyOf,
}: JsonRecord): boolean {
  if (
    (type !== undefined && ![type].flat().includes("null")) ||
    (only ?? null) !== null
  )
    return false;
  if (isList(values) && !values.includes(null)) return false;
  return (
    !isList(anyOf) || anyOf.some((one) => isRecord(one) && acceptsNull(one))
  );
}

/** The same schema, which accepts null, too. */
function orNull(schema: JsonRecord): JsonRecord {
  if (acceptsNull(schema)) return schema;
  const {
    type,
    anyOf,
    nullable: _,
    const: only,
    enum: values = only === undefined ? undefined : [only],
    ...rest
  } = schema;
  return {
    ...rest,
    ...(type !== undefined && {
      type: [...new Set([type, "null"].flat())] as Json,
    }),
    ...(isList(values) && { enum: [...new Set([...values, null])] }),
    ...(isList(anyOf) && { anyOf: [...anyOf, { type: "null" }] }),
  };
}
