import { isObject, type JsonObject } from "../../common/object.js";
import { schemaKeywords, tableKeywords } from "../core/keywords.js";
import { decode } from "../core/session/uri.js";
import { issueInSchema, isForeign } from "./validity.js";

/** The supported dialects, by their URIs without scheme and fragment. */
const dialects = {
  "json-schema.org/draft/2020-12/schema": "2020-12",
  "json-schema.org/draft-07/schema": "draft-07",
} as const;

/** The dialect of a schema, 2020-12 by default (SCHEMA-01, SCHEMA-02); undefined for an unsupported one. */
export function dialectOf({ $schema }: JsonObject): (typeof dialects)[keyof typeof dialects] | undefined {
  if ($schema === undefined) return "2020-12";
  const name = withoutScheme($schema);
  return Object.hasOwn(dialects, name) ? dialects[name as keyof typeof dialects] : undefined;
}

const withoutScheme = (uri: unknown): string => String(uri).replace(/^https?:\/\/|#$/g, "");

/** Maximum number of subschemas, and their maximum depth (SCHEMA-04). */
const maxSchemas = 5000;
const maxDepth = 100;

/**
 * Checks a schema before it is compiled.
 *
 * @throws TypeError for an unsupported dialect (SCHEMA-01), and for a reference to another document, which is never fetched (SCHEMA-03).
 * Also for a schema that is too large (SCHEMA-04) or invalid in its dialect (SCHEMA-06).
 */
export function checkDocument(root: JsonObject, where: string): void {
  const ids = new Set<string>();
  const anchors = new Set<string>();
  const references = new Set<string>();
  const isOld = dialectOf(root) === "draft-07";
  let count = 0;
  const stack: { readonly schema: unknown; readonly depth: number; readonly isData: boolean }[] = [
    { schema: root, depth: 0, isData: false },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema, depth, isData } = next;
    if (Array.isArray(schema)) for (const one of schema) stack.push({ schema: one, depth, isData });
    if (!isObject(schema)) continue;
    if (++count > maxSchemas) throw new TypeError(`${where}: expected at most ${maxSchemas} subschemas.`);
    if (depth > maxDepth) throw new TypeError(`${where}: expected at most ${maxDepth} levels of subschemas.`);
    if (!dialectOf(schema)) {
      const names = Object.values(dialects).join(" and ");
      throw new TypeError(`${where}: $schema ${quote(schema["$schema"])} is not supported, only ${names}.`);
    }
    const issue = isData ? undefined : issueInSchema(schema, isOld);
    if (issue) throw new TypeError(`${where}: ${issue}`);
    add(ids, schema["$id"]);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) add(anchors, schema[keyword]);
    for (const keyword of ["$ref", "$dynamicRef"]) add(references, schema[keyword]);
    const push = (keyword: string, one: unknown): void => {
      stack.push({ schema: one, depth: depth + 1, isData: isData || isForeign(keyword, isOld) });
    };
    for (const keyword of schemaKeywords) push(keyword, schema[keyword]);
    for (const keyword of ["properties", ...tableKeywords]) {
      const table = schema[keyword];
      if (isObject(table)) for (const one of Object.values(table)) push(keyword, one);
    }
  }
  for (const reference of references) {
    if (hasTarget(reference, root, ids, anchors)) continue;
    throw new TypeError(
      `${where}: $ref ${quote(reference)} has no target in the schema. Other documents are not fetched.`,
    );
  }
}

const quote = (value: unknown): string => JSON.stringify(String(value).slice(0, 200));

function add(names: Set<string>, name: unknown): void {
  if (typeof name === "string") names.add(name);
}

function hasTarget(
  reference: string,
  root: JsonObject,
  ids: ReadonlySet<string>,
  anchors: ReadonlySet<string>,
): boolean {
  const [base = "", fragment = ""] = reference.split("#");
  const hasBases = ids.size > (root["$id"] === undefined ? 0 : 1);
  // With several base URIs the target depends on the position of the reference. If there is none, compiling the schema fails.
  if (base === "" && hasBases) return true;
  if (base !== "") {
    const targetUri = resolveUri(base, root);
    return (
      Object.hasOwn(dialects, withoutScheme(base)) ||
      [...ids].some((id) => resolveUri(id, root) === targetUri)
    );
  }
  if (fragment === "") return true;
  if (!fragment.startsWith("/")) return anchors.has(fragment) || ids.has(`#${fragment}`);
  let target: unknown = root;
  for (const step of fragment.slice(1).split("/")) {
    const key = (decode(step) ?? step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return false;
    target = (target as Record<string, unknown>)[key];
  }
  return true;
}

function resolveUri(uri: string, { $id = "" }: JsonObject): string {
  try {
    return new URL(uri, new URL(String($id), "schema://here/")).href.replace(/#$/, "");
  } catch {
    return uri;
  }
}
