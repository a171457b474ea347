import { metaOf, type Params } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { Revision } from "../tables.js";
import { declares } from "./capabilities.js";
import type { ServerSessionConfig } from "./config.js";
import { downgrade } from "./downgrade.js";

/**
 * A result of a server, or the params of its own message, as it is sent in the revision of the session. Warns the author of the server of
 * what is left out, replaced or not allowed.
 */
export function outgoing(
  { side, capabilities, warnOnce }: ServerSessionConfig,
  part: "results" | "params",
  method: string,
  input: unknown,
): unknown {
  const value = asSent(input);
  const { downgrades, incomingRequests, revision } = side;
  const { callTool, readResource } = revision.wellKnown;
  if (isObject(value)) {
    if (method === callTool && embedsResource(value)) {
      const needs = getOwn(incomingRequests, readResource)?.facts.needs;
      if (needs && !declares(capabilities, needs))
        warnOnce(
          `${method}: a resource is embedded; declare ${JSON.stringify(needs)} among the server's capabilities.`,
        );
    }
    const issue = value["_meta"] === undefined ? undefined : issueInMeta(value["_meta"], revision);
    if (issue !== undefined) warnOnce(`${method}: ${issue}.`);
  }
  return downgrade(value, getOwn(downgrades[part], method), downgrades.tag, (change) =>
    warnOnce(`${method}: ${change}, because revision ${revision.revision} does not have it.`),
  );
}

/** Maximum depth that is checked. A deeper value is serialized. */
const maxDepth = 100;

/**
 * The value as the peer receives it, so that the checked value is the sent one. Returns a plain JSON value unchanged. A value that
 * JSON changes, with `toJSON`, class instances or functions, is serialized and parsed.
 *
 * @throws TypeError for a value that cannot be serialized.
 */
export function asSent(value: unknown): unknown {
  if (typeof value !== "object" || isPlain(value, 0)) return value;
  // The text is undefined if `toJSON` returns undefined. No message accepts null instead of an object.
  return JSON.parse((JSON.stringify(value) as string | undefined) ?? "null");
}

/** Adds members to the `_meta` of params. Returns invalid params unchanged; the check before sending rejects them. */
export function withMeta(input: Params, more: JsonObject): Params {
  const params = asSent(input) as Params;
  return canHaveMeta(params) ? { ...params, _meta: { ...metaOf(params), ...more } } : params;
}

/** True if `_meta` can be added to these params: they are absent, or an object whose `_meta` is an object or absent. */
export function canHaveMeta(params: unknown): boolean {
  if (params === undefined) return true;
  return isObject(params) && (params["_meta"] === undefined || isObject(params["_meta"]));
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object") return typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false;
  return true;
}

/** True if the result of a tool contains a resource (TOOL-21). */
const embedsResource = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && content.some((block) => isObject(block) && isObject(block["resource"]));

const keyForm =
  /^(?:[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/)?(?:[a-z\d](?:[-\w.]*[a-z\d])?)?$/i;
/** A prefix whose second label, or the one before its last, is a name of the protocol. */
const reservedPrefixes = [
  /^[^./]+\.(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//i,
  /^(?:[^./]+\.)*(?:modelcontextprotocol|mcp)\.[^./]+\//i,
];

const pairs = /^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/;
/** The forms of the members of `_meta` with a trace context (Trace Context and Baggage of the W3C). */
const traceForms: Readonly<Record<string, RegExp>> = {
  traceparent: /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}(?:-.*)?$/,
  tracestate: pairs,
  baggage: pairs,
};

/**
 * Describes a key of `_meta` that is malformed or has a reserved prefix, or a trace context of another form; undefined if there is none
 * (META-06, META-08).
 */
export function issueInMeta(value: unknown, { meta }: Revision): string | undefined {
  for (const key of isObject(value) ? Object.keys(value) : []) {
    const text = `_meta has the key ${JSON.stringify(key)}`;
    const form = getOwn(traceForms, key);
    const trace = (value as JsonObject)[key];
    if (form && !(typeof trace === "string" && form.test(trace)))
      return `${text}, whose value is not a ${key} of the W3C`;
    if (!keyForm.test(key)) return `${text}, which is not of the form "prefix/name"`;
    if (reservedPrefixes.some((form) => form.test(key)) && !Object.values(meta).includes(key))
      return `${text}, whose prefix is reserved for the protocol; use a prefix of your own`;
  }
  return undefined;
}
