import type { Json, JsonRecord } from "../ir/json.js";
import { isList, isRecord } from "../ir/json/value.js";

/**
 * What a JSON value is: a snapshot of a server, the tools of one, the
 * configuration of a client, the representation of a revision, a document of
 * OpenAPI, or a schema with definitions.
 */
type JsonKind = "snapshot" | "tools" | "clients" | "ir" | "openapi" | "schema";

/** Tells a value by its members; null for any other value. */
export function kindOfJson(value: unknown): JsonKind | null {
  if (!isRecord(value)) return null;
  const { openapi, swagger, mcpServers, servers, $defs, definitions } = value;
  if (typeof (openapi ?? swagger) === "string") {
    return "openapi";
  }
  if (isRecord(mcpServers ?? servers)) {
    return "clients";
  }
  if (isSnapshot(value)) return "snapshot";
  if (listedTools(value) !== null) {
    return "tools";
  }
  if ("declarations" in value && "messages" in value) {
    return "ir";
  }
  return isRecord($defs ?? definitions) ? "schema" : null;
}

/**
 * True for a snapshot of any format version, or one that a person wrote without
 * it.
 */
function isSnapshot(value: JsonRecord): boolean {
  if ("format" in value) return "tools" in value;
  const lists = ["tools", "prompts", "resources", "resourceTemplates"];
  return "server" in value && lists.some((list) => list in value);
}

/** The tools in a result of `tools/list`, or in its message. */
export function listedTools({ tools, result }: JsonRecord): Json[] | null {
  const list = tools ?? (isRecord(result) ? result["tools"] : null);
  return isList(list) ? [...list] : null;
}
