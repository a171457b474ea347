import { getOwn, isObject, type JsonObject } from "../../common/object.js";
import type { Advise } from "./ports/transport.js";

/**
 * Warns of what is allowed to be sent and should be changed: keys of `_meta`
 * that are malformed or have a reserved prefix, a trace context of another form
 * (META-06, META-08), and a resource in the result of a tool without the
 * capability (TOOL-21). It costs too much for each message in production, so it
 * runs where a program is developed: over `memoryPair`, and on a server with an
 * `onWarning` of its own. Other clients do not bundle it.
 */
export const advise: Advise = ({ side, capabilities }, method, value, warn) => {
  if (!isObject(value)) return;
  const { incomingRequests, revision } = side;
  const { callTool, readResource } = revision.wellKnown;
  if (method === callTool && embedsResource(value)) {
    const needs = getOwn(incomingRequests, readResource)?.needs ?? {};
    if (Object.keys(needs).some((name) => !capabilities[name]))
      warn(
        `${method}: a resource is embedded; declare ${JSON.stringify(needs)} among the server's capabilities.`,
      );
  }
  const meta = Object(value["_meta"]) as JsonObject;
  for (const [key, member] of Object.entries(meta)) {
    const issue = issueOf(key, member, Object.values(revision.meta));
    if (issue)
      return warn(
        `${method}: _meta has the key ${JSON.stringify(key)}, ${issue}.`,
      );
  }
};

const embedsResource = ({ content }: JsonObject): boolean =>
  Array.isArray(content) &&
  content.some((block) => isObject(block) && isObject(block["resource"]));

const keyForm =
  /^(?:[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/)?(?:[a-z\d](?:[-\w.]*[a-z\d])?)?$/i;
/**
 * A prefix whose second label, or the one before its last, is a name of the
 * protocol.
 */
const reservedPrefix =
  /^(?:[^./]+\.(?:modelcontextprotocol|mcp)(?:\.[^/]*)?|(?:[^./]+\.)*(?:modelcontextprotocol|mcp)\.[^./]+)\//i;

/** Pairs of a name, which is not blank, and a value. */
const pairs = /^(?:\s*[^\s=,]+\s*=[^,]*(?:,|$))+$/;
/**
 * The forms of the members of `_meta` with a trace context (Trace Context and
 * Baggage of the W3C). The version ff and an id of zeros only are invalid.
 */
const traceForms: Readonly<Record<string, RegExp>> = {
  traceparent:
    /^(?!ff|.{3}0{32}|.{36}0{16})[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}(?:-|$)/,
  tracestate: pairs,
  baggage: pairs,
};

function issueOf(
  key: string,
  value: unknown,
  ownKeys: readonly unknown[],
): string | undefined {
  const form = getOwn(traceForms, key);
  if (form && !(typeof value === "string" && form.test(value)))
    return `whose value is not a ${key} of the W3C`;
  if (!keyForm.test(key)) return 'which is not of the form "prefix/name"';
  if (reservedPrefix.test(key) && !ownKeys.includes(key))
    return "whose prefix is reserved for the protocol; use a prefix of your own";
  return undefined;
}
