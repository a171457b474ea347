import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Provider } from "../lint/providers.js";
import { refusedKeywords, type Rule, rulesOf } from "../lint/rules.js";
import { rowsOf } from "../lint/schemas.js";
import { namesIn, placesIn, withInner } from "../lint/walk.js";
import { follow, type Follow, maxLevel, pathOf, type Steps } from "./follow.js";
import { spellingsFor } from "./names.js";
import { isOf, oneObject } from "./one-object.js";
import { acceptsNull, orNull, repairs, typed } from "./level.js";
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

/** Where there is nothing but schemas. */
const schemasOnly = /^(?:properties|\$defs|definitions)\./;

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
      ...refusedKeywords(provider, false),
      ...(this.#isInlined || isLooser ? narrowing : []),
      // Of a conjunction of closed objects, none would accept the others.
      ...(this.#isStrict ? ["allOf"] : []),
      // It counts the members that patterns match.
      ...(isLooser ? ["unevaluatedProperties"] : []),
    ];
  }

  /** The whole schema; null if the provider takes no form of it. */
  whole(): Part | null {
    const { $defs, definitions } = this.#root;
    const root = {
      ...this.#follow(this.#root, [])?.schema,
      ...($defs && { $defs }),
      ...(definitions && { definitions }),
      type: "object",
    };
    const own = this.#allowed(
      root,
      [],
      [...refusedKeywords(this.#provider, true), ...this.#refused],
    );
    const isMap = Object.entries(own).some(
      ([name, value]) => others.test(name) && value !== false,
    );
    if (this.#isStrict && namesIn(own).length === 0 && isMap) return null;
    const part = this.#walked(own, []);
    return this.#parts > maxParts ? null : part;
  }

  #part(value: Json, at: Steps): Part {
    this.#parts += at.length > maxLevel ? maxParts : 1;
    if (this.#parts > maxParts || !isRecord(value)) return this.#opaque({}, at);
    const found = this.#isInlined
      ? this.#follow(value, at)
      : { schema: value, at };
    if (found === null) return this.#opaque(value, at);
    const own = this.#allowed(found.schema, found.at, this.#refused);
    return this.#walked(own, found.at);
  }

  #follow: Follow = (value, at) => {
    this.#parts += 1;
    return this.#parts > maxParts ? null : follow(this.#root, value, at);
  };

  /** A schema without the keywords that the provider refuses. */
  #allowed(
    schema: JsonRecord,
    at: Steps,
    refused: readonly string[],
  ): JsonRecord {
    const isObject = at.length === 0 || namesIn(schema).length > 0;
    const combining = ["allOf", "oneOf", "anyOf"].filter(
      (name) =>
        isList(schema[name]) &&
        (refused.includes(name) || (this.#isStrict && isObject)),
    );
    const all = combining.includes("allOf")
      ? (schema["allOf"] as readonly Json[])
      : [];
    const branches = all.map((one) => this.#follow(one, at)?.schema ?? {});
    if (
      isObject
        ? combining.length > 0
        : branches.some((one) => isOf("object", one))
    ) {
      const { object, sets } = oneObject(schema, at, combining, this.#follow);
      if (sets.length === 0) return this.#allowed(object, at, refused);
      this.lost.push(
        `the alternatives of ${pathOf(at)}: one object has the members of all`,
      );
      const sentence = `Give one of these: ${sets.join(" or ")}.`.slice(
        0,
        1000,
      );
      return this.#allowed(this.#describe(object, sentence, at), at, refused);
    }
    const { allOf: _, ...apart } = schema;
    if (branches.length > 0)
      return this.#allowed(
        { ...Object.assign({}, ...branches), ...apart },
        at,
        refused,
      );
    const { oneOf, ...own } = schema;
    const isOther = refused.includes("oneOf") && oneOf !== undefined;
    let result = isOther ? { anyOf: oneOf, ...own } : schema;
    for (const keyword of refused)
      if (result[keyword] !== undefined)
        result = this.#without(keyword, result, at);
    const { items, prefixItems: __, additionalItems: ___, ...array } = result;
    const isArray = isOf("array", result) || items !== undefined;
    if (isArray && !isRecord(items) && this.#takesOneItem)
      result = { ...array, items: {} };
    for (const rule of rulesOf(this.#provider, at.length === 0))
      if (rule.refuses(result)) result = this.#repaired(rule, result, at);
    return result;
  }

  /** A schema without a keyword, which the description quotes if it is short. */
  #without(keyword: string, schema: JsonRecord, at: Steps): JsonRecord {
    const { [keyword]: value, ...others } = schema;
    const { additionalProperties: _, ...open } = others;
    // What named the members is gone, so others cannot be refused.
    const rest = /^(?:p|patternP)roperties$/.test(keyword) ? open : others;
    const text = `${keyword}: ${JSON.stringify(value)}`;
    this.lost.push(`${keyword} of ${pathOf(at)}`);
    return text.length > maxQuoted
      ? rest
      : this.#describe(rest, `(${text})`, at);
  }

  /** One level of a schema as a rule accepts it. */
  #repaired(rule: Rule, schema: JsonRecord, at: Steps): JsonRecord {
    if (rule.repair !== null) return { ...schema, ...rule.repair };
    if (rule.keyword !== null) return this.#without(rule.keyword, schema, at);
    return repairs[rule.id]?.(schema) ?? schema;
  }

  /** Adds a sentence to a schema, or to the tool for the whole one. */
  #describe(schema: JsonRecord, sentence: string, at: Steps): JsonRecord {
    if (at.length > 0)
      return {
        ...schema,
        description: [schema["description"] ?? [], sentence].flat().join(" "),
      };
    this.words.push(sentence);
    return schema;
  }

  /** A schema with all schemas in it converted. */
  #walked(schema: JsonRecord, at: Steps): Part {
    const own = this.#isStrict ? typed(schema) : schema;
    const isMap = isOf("object", own) && namesIn(own).length === 0;
    if (
      this.#isStrict &&
      at.length > 0 &&
      (isMap || (own["type"] ?? own["anyOf"]) === undefined)
    )
      return this.#opaque(schema, at);
    const kept = Object.entries(own).filter(([keyword, value]) => {
      const isKept =
        !this.#isInlined ||
        !replaced.test(keyword) ||
        (value === false && !this.#isStrict);
      if (!isKept && value !== false && others.test(keyword))
        this.lost.push(`${keyword} of ${pathOf(at)}`);
      return isKept;
    });
    const ways: WayBack[] = [{ isJson: false }];
    const needed = new Set<Json>(
      isList(own["required"]) ? own["required"] : [],
    );
    const inner = withInner(Object.fromEntries(kept), (value, step) => {
      const isPlain = typeof value === "boolean" || !schemasOnly.test(step);
      if (isPlain && !isRecord(value) && !this.#isStrict) return value;
      let part = this.#part(value, [...at, step]);
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
    at: Steps,
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
        `null of ${pathOf(at)}.properties.${name}: it means that the member is left out`,
      );
    return { schema: orNull(schema), way: wayOf({ null: "left out" }) };
  }

  /**
   * A value that the provider cannot describe: its JSON text in strict mode,
   * and anything elsewhere.
   */
  #opaque({ description, ...schema }: JsonRecord, at: Steps): Part {
    const said = description === undefined ? {} : { description };
    this.lost.push(
      `the schema of ${pathOf(at)}${this.#isStrict ? ": the value is a JSON text" : ""}`,
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
