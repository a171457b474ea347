import { isObject, type JsonObject } from "../../common/object.js";
import { canonical } from "../core/session/digest.js";
import { schemaKeywords, tableKeywords } from "../core/keywords.js";

type Test = (value: unknown, isOld: boolean) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFlag: Test = (value) => typeof value === "boolean";
const isSchema: Test = (value) => isObject(value) || typeof value === "boolean";
const isNames: Test = (value) =>
  Array.isArray(value) &&
  value.every((one) => typeof one === "string") &&
  new Set(value).size === value.length;
const isTable =
  (test: Test): Test =>
  (value, isOld) =>
    isObject(value) && Object.values(value).every((one) => test(one, isOld));
const isSchemas: Test = (value, isOld) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isSchema(one, isOld));
const isPattern: Test = (value) => {
  try {
    return typeof value === "string" && new RegExp(value, "u").source !== "";
  } catch {
    return false;
  }
};

/** Only draft-07 requires distinct values. */
const isChoice: Test = (value, isOld) =>
  Array.isArray(value) && value.length > 0 && !(isOld && new Set(value.map(canonical)).size < value.length);

const types = new Set<unknown>(["string", "number", "integer", "boolean", "array", "object", "null"]);
const isType: Test = (value, isOld) =>
  Array.isArray(value)
    ? value.length > 0 && isNames(value, isOld) && value.every((one) => types.has(one))
    : types.has(value);

/** The expected value of a keyword, as text and as a test. */
type Rule = readonly [expected: string, test: Test];

const each = (names: string, ...rule: Rule): [string, Rule][] => names.split(" ").map((name) => [name, rule]);

/** The keywords of 2020-12 and draft-07. Other keywords may have any value (SCHEMA-05). */
const rules: ReadonlyMap<string, Rule> = /* @__PURE__ */ rulesByKeyword();

/** A function, so that a program without `tools` does not bundle the rules. */
function rulesByKeyword(): Map<string, Rule> {
  return new Map([
    ...schemaKeywords.map((name): [string, Rule] => [name, ["a schema", isSchema]]),
    ...["properties", ...tableKeywords].map((name): [string, Rule] => [
      name,
      ["an object of schemas", isTable(isSchema)],
    ]),
    ...each("allOf anyOf oneOf prefixItems", "a list of at least one schema", isSchemas),
    ...each("items", "a schema, or in draft-07 a list of them", (value, isOld) =>
      isOld && Array.isArray(value) ? isSchemas(value, isOld) : isSchema(value, isOld),
    ),
    ...each(
      "dependencies",
      "an object of schemas or lists of names",
      isTable((value, isOld) => isSchema(value, isOld) || isNames(value, isOld)),
    ),
    ...each("dependentRequired", "an object of lists of names", isTable(isNames)),
    ...each("type", `one of ${[...types].join(", ")}, or a list of them`, isType),
    ...each("required", "a list of distinct names", isNames),
    ...each("examples", "a list", Array.isArray),
    ...each("enum", "a list of at least one value", isChoice),
    ...each("minimum maximum exclusiveMinimum exclusiveMaximum", "a number", isNumber),
    ...each("multipleOf", "a number above 0", (value, isOld) => isNumber(value, isOld) && Number(value) > 0),
    ...each(
      "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
      "an integer of at least 0",
      isCount,
    ),
    ...each("uniqueItems deprecated readOnly writeOnly", "true or false", isFlag),
    ...each(
      "$ref $dynamicRef $comment title description format contentEncoding contentMediaType",
      "a string",
      isText,
    ),
    ...each(
      "$id",
      "a URI without a fragment",
      (value, isOld) => isText(value, isOld) && (isOld || /^[^#]*#?$/.test(String(value))),
    ),
    ...each(
      "$anchor $dynamicAnchor",
      "a name",
      (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
    ),
    ...each("pattern", "a regular expression", isPattern),
  ]);
}

/** Keywords that draft-07 does not have. */
const newKeywords = /* @__PURE__ */ new Set(
  /* @__PURE__ */ "prefixItems unevaluatedItems unevaluatedProperties dependentSchemas dependentRequired minContains maxContains $anchor $dynamicRef $dynamicAnchor $defs contentSchema deprecated".split(
    " ",
  ),
);
/** Keywords that only draft-07 has. */
const oldKeywords = new Set(["additionalItems"]);

/** True if the dialect does not have the keyword, so that its value is not a schema. */
export const isForeign = (keyword: string, isOld: boolean): boolean =>
  (isOld ? newKeywords : oldKeywords).has(keyword);

/** Describes why a schema is invalid, without its subschemas; undefined if it is valid (SCHEMA-06). */
export function issueInSchema(schema: JsonObject, isOld: boolean): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = rules.get(keyword);
    if (value === undefined || !rule || isForeign(keyword, isOld)) continue;
    const [expected, test] = rule;
    if (!test(value, isOld)) return `${keyword}: expected ${expected}, got ${format(value)}.`;
  }
  const { patternProperties } = schema;
  const invalidPattern = isObject(patternProperties)
    ? Object.keys(patternProperties).find((pattern) => !isPattern(pattern, isOld))
    : undefined;
  return invalidPattern === undefined
    ? undefined
    : `patternProperties: ${format(invalidPattern)} is not a regular expression.`;
}

const format = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? typeof value;
