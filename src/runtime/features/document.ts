import { isObject, type JsonObject } from "../../common/object.js";
import { messageOf, shown } from "../core/report.js";
import { canonical } from "../core/session/digest.js";
import { schemaKeywords, tableKeywords } from "../core/keywords.js";
import {
  idOf,
  type Part,
  resolveReferences,
  rootBase,
  stepOf,
} from "./references.js";

/** The supported dialects, by their URIs without scheme and fragment. */
const dialects = {
  "json-schema.org/draft/2020-12/schema": "2020-12",
  "json-schema.org/draft-07/schema": "draft-07",
} as const;

/**
 * The dialect of a schema, 2020-12 by default (SCHEMA-01, SCHEMA-02); undefined
 * for an unsupported one.
 */
export function dialectOf({
  $schema,
}: JsonObject): (typeof dialects)[keyof typeof dialects] | undefined {
  if ($schema === undefined) return "2020-12";
  const name = withoutScheme($schema);
  return Object.hasOwn(dialects, name)
    ? dialects[name as keyof typeof dialects]
    : undefined;
}

const withoutScheme = (uri: unknown): string =>
  String(uri).replace(/^https?:\/\/|#$/g, "");

/** Maximum number of subschemas, and their maximum depth (SCHEMA-04). */
const maxSchemas = 5000;
const maxDepth = 100;

/**
 * Checks a schema, and returns a copy that can be compiled: its references are
 * paths, and nothing in it has a name.
 *
 * @throws TypeError for an unsupported dialect (SCHEMA-01), and for a reference
 *   to another document, which is never fetched (SCHEMA-03). Also for a schema
 *   that is too large (SCHEMA-04) or invalid in its dialect (SCHEMA-06).
 */
export function checkDocument(root: JsonObject, where: string): JsonObject {
  const isOld = dialectOf(root) === "draft-07";
  const copy = copyOf(root, where);
  const parts = [...partsOf(copy, isOld, where)];
  const dialect = `//${Object.keys(dialects)[isOld ? 1 : 0]}`;
  resolveReferences(parts, {
    isOld,
    dialect,
    where,
    check(schema) {
      const issue = issueInSchema(schema, isOld);
      if (issue) throw new TypeError(`${where}: ${issue}`);
    },
  });
  // The target of a dynamic reference depends on where the ids are.
  const isDynamic = parts.some(({ schema }) => "$dynamicRef" in schema);
  return isDynamic ? root : copy;
}

/** A schema as its peers get it. */
function copyOf(root: JsonObject, where: string): JsonObject {
  try {
    return JSON.parse(JSON.stringify(root)) as JsonObject;
  } catch (cause) {
    throw new TypeError(
      `${where}: expected JSON with at most ${maxDepth} levels of subschemas: ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** The subschemas, and what keywords that the dialect does not have contain. */
function* partsOf(
  root: JsonObject,
  isOld: boolean,
  where: string,
): Generator<Part> {
  let count = 0;
  const stack: {
    readonly schema: unknown;
    readonly path: string;
    readonly outer: string;
    readonly depth: number;
    readonly isData: boolean;
  }[] = [{ schema: root, path: "", outer: rootBase, depth: 0, isData: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema, path, outer, depth, isData } = next;
    if (Array.isArray(schema))
      for (const [i, one] of schema.entries())
        stack.push({ ...next, schema: one, path: `${path}/${i}` });
    if (!isObject(schema) || (isData && depth > maxDepth)) continue;
    if (!isData && ++count > maxSchemas)
      throw new TypeError(
        `${where}: expected at most ${maxSchemas} subschemas.`,
      );
    if (depth > maxDepth)
      throw new TypeError(
        `${where}: expected at most ${maxDepth} levels of subschemas.`,
      );
    if (!isData && !dialectOf(schema)) {
      const names = Object.values(dialects).join(" and ");
      throw new TypeError(
        `${where}: $schema ${shown(String(schema["$schema"]))} is not supported, only ${names}.`,
      );
    }
    const id = idOf(schema, outer, isOld);
    const base = id ?? outer;
    const isNamed = id !== undefined || path === "";
    yield { schema, path, base, isNamed, isData };
    for (const [keyword, value] of Object.entries(schema)) {
      if (!isObject(value) && !Array.isArray(value)) continue;
      const hasTable = isTable(keyword);
      const isUnknown = !hasTable && !schemaKeywords.includes(keyword);
      if (isUnknown && isValue(keyword)) continue;
      const inner = {
        outer: base,
        depth: depth + 1,
        isData: isData || isUnknown || isForeign(keyword, isOld),
      };
      const at = `${path}/${stepOf(keyword)}`;
      if (!hasTable) stack.push({ ...inner, schema: value, path: at });
      else if (isObject(value))
        for (const [name, one] of Object.entries(value))
          stack.push({ ...inner, schema: one, path: `${at}/${stepTo(name)}` });
    }
  }
}

const isTable = (keyword: string): boolean =>
  keyword === "properties" || tableKeywords.includes(keyword);

/** True for a keyword with values of what a schema describes, such as `enum`. */
const isValue = (keyword: string): boolean =>
  rules.has(keyword) || keyword === "const" || keyword === "default";

/** A name as a step of a JSON Pointer in a URI. */
const stepTo = (name: string): string =>
  stepOf(name.replaceAll("~", "~0").replaceAll("/", "~1"));

type Test = (value: unknown, isOld: boolean) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number";
const isCount: Test = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const isFlag: Test = (value) => typeof value === "boolean";
const isSchema: Test = (value) => isObject(value) || typeof value === "boolean";
const isNames: Test = (value) =>
  Array.isArray(value) &&
  value.every((one) => typeof one === "string") &&
  new Set(value).size === value.length;
const isTableOf =
  (test: Test): Test =>
  (value, isOld) =>
    isObject(value) && Object.values(value).every((one) => test(one, isOld));
const isSchemas: Test = (value, isOld) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isSchema(one, isOld));
const isPattern: Test = (value) => {
  try {
    return typeof value === "string" && new RegExp(value, "u").source !== "";
  } catch {
    return false;
  }
};

/** Only draft-07 requires distinct values. */
const isChoice: Test = (value, isOld) =>
  Array.isArray(value) &&
  value.length > 0 &&
  !(isOld && new Set(value.map(canonical)).size < value.length);

const types = new Set<unknown>([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);
const isType: Test = (value, isOld) =>
  Array.isArray(value)
    ? value.length > 0 &&
      isNames(value, isOld) &&
      value.every((one) => types.has(one))
    : types.has(value);

/** The expected value of a keyword, as text and as a test. */
type Rule = readonly [expected: string, test: Test];

const each = (names: string, ...rule: Rule): [string, Rule][] =>
  names.split(" ").map((name) => [name, rule]);

/**
 * The keywords of 2020-12 and draft-07. Other keywords may have any value
 * (SCHEMA-05).
 */
const rules: ReadonlyMap<string, Rule> = /* @__PURE__ */ rulesByKeyword();

/** A function, so that a program without `tools` does not bundle the rules. */
function rulesByKeyword(): Map<string, Rule> {
  const schemas = [
    ...each(schemaKeywords.join(" "), "a schema", isSchema),
    ...each(
      ["properties", ...tableKeywords].join(" "),
      "an object of schemas",
      isTableOf(isSchema),
    ),
    ...each(
      "allOf anyOf oneOf prefixItems",
      "a list of at least one schema",
      isSchemas,
    ),
    ...each(
      "items",
      "a schema, or in draft-07 a list of them",
      (value, isOld) =>
        isOld && Array.isArray(value)
          ? isSchemas(value, isOld)
          : isSchema(value, isOld),
    ),
  ];
  const lists = [
    ...each(
      "dependencies",
      "an object of schemas or lists of names",
      isTableOf(
        (value, isOld) => isSchema(value, isOld) || isNames(value, isOld),
      ),
    ),
    ...each(
      "dependentRequired",
      "an object of lists of names",
      isTableOf(isNames),
    ),
    ...each(
      "type",
      `one of ${[...types].join(", ")}, or a list of them`,
      isType,
    ),
    ...each("required", "a list of distinct names", isNames),
    ...each("examples", "a list", Array.isArray),
  ];
  const values = [
    ...each("enum", "a list of at least one value", isChoice),
    ...each(
      "minimum maximum exclusiveMinimum exclusiveMaximum",
      "a number",
      isNumber,
    ),
    ...each(
      "multipleOf",
      "a number above 0",
      (value, isOld) => isNumber(value, isOld) && Number(value) > 0,
    ),
    ...each(
      "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
      "an integer of at least 0",
      isCount,
    ),
    ...each(
      "uniqueItems deprecated readOnly writeOnly",
      "true or false",
      isFlag,
    ),
  ];
  const texts = [
    ...each(
      "$ref $dynamicRef $comment title description format contentEncoding contentMediaType",
      "a string",
      isText,
    ),
    ...each(
      "$id",
      "a URI without a fragment",
      (value, isOld) =>
        isText(value, isOld) && (isOld || /^[^#]*#?$/.test(String(value))),
    ),
    ...each(
      "$anchor $dynamicAnchor",
      "a name",
      (value) =>
        typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
    ),
    ...each("pattern", "a regular expression", isPattern),
  ];
  return new Map([...schemas, ...lists, ...values, ...texts]);
}

/** Keywords that draft-07 does not have. */
const newKeywords = /* @__PURE__ */ new Set(
  /* @__PURE__ */ "prefixItems unevaluatedItems unevaluatedProperties dependentSchemas dependentRequired minContains maxContains $anchor $dynamicRef $dynamicAnchor $defs contentSchema deprecated".split(
    " ",
  ),
);
/** Keywords that only draft-07 has. */
const oldKeywords = new Set(["additionalItems"]);

/**
 * True if the dialect does not have the keyword, so that its value is not a
 * schema.
 */
const isForeign = (keyword: string, isOld: boolean): boolean =>
  (isOld ? newKeywords : oldKeywords).has(keyword);

/**
 * Describes why a schema is invalid, without its subschemas; undefined if it is
 * valid (SCHEMA-06).
 */
function issueInSchema(schema: JsonObject, isOld: boolean): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = rules.get(keyword);
    if (!rule || isForeign(keyword, isOld)) continue;
    const [expected, test] = rule;
    if (!test(value, isOld))
      return `${keyword}: expected ${expected}, got ${format(value)}.`;
  }
  const { patternProperties } = schema;
  const invalidPattern = isObject(patternProperties)
    ? Object.keys(patternProperties).find(
        (pattern) => !isPattern(pattern, isOld),
      )
    : undefined;
  return invalidPattern === undefined
    ? undefined
    : `patternProperties: ${format(invalidPattern)} is not a regular expression.`;
}

const format = (value: unknown): string => JSON.stringify(value).slice(0, 100);
