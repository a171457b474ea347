import { isObject, type JsonObject } from "../../common/object.js";
import { shown } from "../core/report.js";
import { canonical } from "../core/session/digest.js";
import { schemaKeywords, tableKeywords } from "../core/keywords.js";
import { decode } from "../core/session/uri.js";

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
 * Checks a schema before it is compiled.
 *
 * @throws TypeError for an unsupported dialect (SCHEMA-01), and for a reference
 *   to another document, which is never fetched (SCHEMA-03). Also for a schema
 *   that is too large (SCHEMA-04) or invalid in its dialect (SCHEMA-06).
 */
export function checkDocument(root: JsonObject, where: string): void {
  const ids = new Set<string>();
  const anchors = new Set<string>();
  const references = new Set<string>();
  const isOld = dialectOf(root) === "draft-07";
  let count = 0;
  const stack: {
    readonly schema: unknown;
    readonly depth: number;
    readonly isData: boolean;
  }[] = [{ schema: root, depth: 0, isData: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema, depth, isData } = next;
    if (Array.isArray(schema))
      for (const one of schema) stack.push({ schema: one, depth, isData });
    if (!isObject(schema)) continue;
    if (++count > maxSchemas)
      throw new TypeError(
        `${where}: expected at most ${maxSchemas} subschemas.`,
      );
    if (depth > maxDepth)
      throw new TypeError(
        `${where}: expected at most ${maxDepth} levels of subschemas.`,
      );
    if (!dialectOf(schema)) {
      const names = Object.values(dialects).join(" and ");
      throw new TypeError(
        `${where}: $schema ${shown(String(schema["$schema"]))} is not supported, only ${names}.`,
      );
    }
    const issue = isData ? undefined : issueInSchema(schema, isOld);
    if (issue) throw new TypeError(`${where}: ${issue}`);
    add(ids, schema["$id"]);
    for (const keyword of ["$anchor", "$dynamicAnchor"])
      add(anchors, schema[keyword]);
    for (const keyword of ["$ref", "$dynamicRef"])
      add(references, schema[keyword]);
    const push = (keyword: string, one: unknown): void => {
      stack.push({
        schema: one,
        depth: depth + 1,
        isData: isData || isForeign(keyword, isOld),
      });
    };
    for (const keyword of schemaKeywords) push(keyword, schema[keyword]);
    for (const keyword of ["properties", ...tableKeywords]) {
      const table = schema[keyword];
      if (isObject(table))
        for (const one of Object.values(table)) push(keyword, one);
    }
  }
  for (const reference of references) {
    if (hasTarget(reference, root, ids, anchors)) continue;
    throw new TypeError(
      `${where}: $ref ${shown(reference)} has no target in the schema. Other documents are not fetched.`,
    );
  }
}

/** True if a schema contains what a reference names. */
function hasTarget(
  reference: string,
  root: JsonObject,
  ids: ReadonlySet<string>,
  anchors: ReadonlySet<string>,
): boolean {
  const [base = "", fragment = ""] = reference.split("#");
  const hasBases = ids.size > (root["$id"] === undefined ? 0 : 1);
  // With several base URIs the target depends on the position of the reference.
  // If there is none, compiling the schema fails.
  if (base === "" && hasBases) return true;
  if (base !== "") {
    const targetUri = resolveUri(base, root);
    return (
      Object.hasOwn(dialects, withoutScheme(base)) ||
      [...ids].some((id) => resolveUri(id, root) === targetUri)
    );
  }
  if (fragment === "") return true;
  if (!fragment.startsWith("/"))
    return anchors.has(fragment) || ids.has(`#${fragment}`);
  let target: unknown = root;
  for (const step of fragment.slice(1).split("/")) {
    const key = (decode(step) ?? step)
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
    if (
      typeof target !== "object" ||
      target === null ||
      !Object.hasOwn(target, key)
    )
      return false;
    target = (target as Record<string, unknown>)[key];
  }
  return true;
}

function add(names: Set<string>, name: unknown): void {
  if (typeof name === "string") names.add(name);
}

function resolveUri(uri: string, { $id = "" }: JsonObject): string {
  try {
    return new URL(uri, new URL(String($id), "schema://here/")).href.replace(
      /#$/,
      "",
    );
  } catch {
    return uri;
  }
}

type Test = (value: unknown, isOld: boolean) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) =>
  typeof value === "number" && Number.isFinite(value);
const isCount: Test = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0;
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
      isTable(isSchema),
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
      isTable(
        (value, isOld) => isSchema(value, isOld) || isNames(value, isOld),
      ),
    ),
    ...each(
      "dependentRequired",
      "an object of lists of names",
      isTable(isNames),
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
    if (value === undefined || !rule || isForeign(keyword, isOld)) continue;
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

const format = (value: unknown): string =>
  JSON.stringify(value)?.slice(0, 100) ?? typeof value;
