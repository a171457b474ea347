import type { Check, CheckOf, Schema } from "../constraint.js";
import { type Json, type JsonRecord, byCodePoint, exact } from "../json.js";

/** A schema as JSON Schema without annotations. Lists without an order are sorted. */
export function jsonOf(schema: Schema): Json {
  const [only, ...more] = schema.checks;
  if (only?.kind === "never" && more.length === 0) return false;
  const keywords = new Map<string, Json>();
  const others: Json[] = [];
  const add = (name: string, value: Json): void => {
    // A second value of a keyword applies in addition to the first.
    if (keywords.has(name)) others.push({ [name]: value });
    else keywords.set(name, value);
  };
  for (const check of schema.checks) {
    if (check.kind === "all") others.push(...check.schemas.map(jsonOf));
    else for (const [name, value] of keywordsOf(check)) add(name, value);
  }
  for (const { keyword, value, isCondition } of schema.notes ?? []) if (isCondition) add(keyword, value);
  if (others.length > 0) keywords.set("allOf", inOrder(others));
  return Object.fromEntries(keywords);
}

/** The keywords of a check with their values. */
export function keywordsOf(check: Check): readonly (readonly [keyword: string, value: Json])[] {
  switch (check.kind) {
    case "never":
      return [["not", {}]];
    case "type":
      return [["type", inOrder(check.types)]];
    case "values":
      return [["enum", inOrder(check.values)]];
    case "reference":
      return [["$ref", check.key]];
    case "bound":
      return [[boundKeyword(check), check.value]];
    case "multiple":
      return [["multipleOf", check.of]];
    case "size": {
      const noun = sizeNouns[check.of];
      const min: [string, Json][] = check.min === 0 ? [] : [[`min${noun}`, check.min]];
      return check.max === null ? min : [...min, [`max${noun}`, check.max]];
    }
    case "pattern":
      return [["pattern", check.source]];
    case "items":
      return [...listed("prefixItems", check.first.map(jsonOf)), ...optional("items", check.rest)];
    case "unique":
      return [["uniqueItems", true]];
    case "contains":
      return [
        ["contains", jsonOf(check.schema)],
        ...(check.min === 1 ? [] : [["minContains", check.min] as const]),
        ...(check.max === null ? [] : [["maxContains", check.max] as const]),
      ];
    case "members":
      return [
        ...mapped(
          "properties",
          check.properties.map(({ name, schema }) => [name, jsonOf(schema)]),
        ),
        ...mapped(
          "patternProperties",
          check.patterns.map(({ pattern, schema }) => [pattern, jsonOf(schema)]),
        ),
        ...optional("additionalProperties", check.rest),
      ];
    case "required":
      return listed("required", inOrder(check.names));
    case "names":
      return [["propertyNames", jsonOf(check.schema)]];
    case "dependent":
      return [
        ...(check.names.length === 0
          ? []
          : [["dependentRequired", { [check.member]: inOrder(check.names) }] as const]),
        ...(check.schema === null
          ? []
          : [["dependentSchemas", { [check.member]: jsonOf(check.schema) }] as const]),
      ];
    case "all":
      return [["allOf", inOrder(check.schemas.map(jsonOf))]];
    case "any":
      return [["anyOf", inOrder(check.schemas.map(jsonOf))]];
    case "one":
      return [["oneOf", inOrder(check.schemas.map(jsonOf))]];
    case "not":
      return [["not", jsonOf(check.schema)]];
    case "when":
      return [
        ["if", jsonOf(check.test)],
        ...optional("then", check.then),
        ...optional("else", check.otherwise),
      ];
    default:
      return check satisfies never;
  }
}

const sizeNouns = { string: "Length", array: "Items", object: "Properties" } as const;

function boundKeyword({ side, open }: CheckOf<"bound">): string {
  const name = side === "low" ? "minimum" : "maximum";
  return open ? `exclusive${name === "minimum" ? "Minimum" : "Maximum"}` : name;
}

function optional(name: string, schema: Schema | null): readonly (readonly [string, Json])[] {
  return schema === null ? [] : [[name, jsonOf(schema)]];
}

function listed(name: string, values: readonly Json[]): readonly (readonly [string, Json])[] {
  return values.length === 0 ? [] : [[name, values]];
}

function mapped(
  name: string,
  entries: readonly (readonly [string, Json])[],
): readonly (readonly [string, JsonRecord])[] {
  return entries.length === 0 ? [] : [[name, Object.fromEntries(entries)]];
}

function inOrder(values: readonly Json[]): readonly Json[] {
  const keyed = values.map((value): [string, Json] => [exact(value), value]);
  return keyed.sort(([a], [b]) => byCodePoint(a, b)).map(([, value]) => value);
}
