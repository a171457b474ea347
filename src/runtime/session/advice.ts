import { getOwn, isObject, type JsonObject } from "../message.js";
import type { Revision, SideTable } from "../tables.js";
import { declares } from "./capabilities.js";

/** What the author of a server should change about a value that it sends; undefined where nothing. */
export function adviceOn(
  method: string,
  value: unknown,
  { incomingRequests, revision }: SideTable,
  capabilities: JsonObject,
): string | undefined {
  if (!isObject(value)) return undefined;
  const { callTool, readResource } = revision.wellKnown;
  if (method === callTool && embeds(value)) {
    const needs = getOwn(incomingRequests, readResource)?.facts.needs;
    if (needs && !declares(capabilities, needs))
      return `a resource is embedded; declare ${JSON.stringify(needs)} among the server's capabilities`;
  }
  return value["_meta"] === undefined ? undefined : faultInMeta(value["_meta"], revision);
}

/** TOOL-21: does the result of a tool hold a resource? */
const embeds = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && content.some((block) => isObject(block) && isObject(block["resource"]));

const label = "[a-z](?:[a-z\\d-]*[a-z\\d])?";
const form = new RegExp(`^(?:${label}(?:\\.${label})*/)?(?:[a-z\\d](?:[-\\w.]*[a-z\\d])?)?$`, "i");
const reserved =
  /^(?:[^./]+\.(?:modelcontextprotocol|mcp)(?:\.[^/]*)?|(?:[^/]*\.)?(?:modelcontextprotocol|mcp)\.[^./]+)\//i;

/** META-06: a key that is malformed, or has a prefix that is reserved. */
function faultInMeta(given: unknown, { meta }: Revision): string | undefined {
  for (const key of isObject(given) ? Object.keys(given) : []) {
    const text = `_meta has the key ${JSON.stringify(key)}`;
    if (!form.test(key)) return `${text}, which is not of the form "prefix/name"`;
    if (reserved.test(key) && !Object.values(meta).includes(key))
      return `${text}, whose prefix is reserved for the protocol; take one of your own`;
  }
  return undefined;
}
