import { getOwn, isObject, type JsonObject } from "../message.js";
import type { Revision, SideTable } from "../tables.js";
import { declares } from "./capabilities.js";

/** A warning for the author of a server about a value that it sends; undefined if there is none. */
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
  return value["_meta"] === undefined ? undefined : issueInMeta(value["_meta"], revision);
}

/** True if the result of a tool contains a resource (TOOL-21). */
const embeds = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && content.some((block) => isObject(block) && isObject(block["resource"]));

const keyForm =
  /^(?:[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/)?(?:[a-z\d](?:[-\w.]*[a-z\d])?)?$/i;
const reservedPrefix =
  /^(?:[^./]+\.(?:modelcontextprotocol|mcp)(?:\.[^/]*)?|(?:[^/]*\.)?(?:modelcontextprotocol|mcp)\.[^./]+)\//i;

/** Describes a key of `_meta` that is malformed or has a reserved prefix; undefined if there is none (META-06). */
function issueInMeta(value: unknown, { meta }: Revision): string | undefined {
  for (const key of isObject(value) ? Object.keys(value) : []) {
    const text = `_meta has the key ${JSON.stringify(key)}`;
    if (!keyForm.test(key)) return `${text}, which is not of the form "prefix/name"`;
    if (reservedPrefix.test(key) && !Object.values(meta).includes(key))
      return `${text}, whose prefix is reserved for the protocol; use a prefix of your own`;
  }
  return undefined;
}
