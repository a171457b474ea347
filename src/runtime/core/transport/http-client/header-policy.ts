import { isMcpError } from "../../errors.js";
import {
  getOwn,
  isObject,
  type JsonObject,
} from "../../../../common/object.js";
import type {
  NotificationFacts,
  RequestFacts,
  Revision,
  SideTable,
} from "../../tables.js";
import type { Ask, HeaderPolicy } from "../../ports/transport.js";
import {
  type ParamHeader,
  paramHeadersOf,
  paramValues,
} from "../param-headers.js";

/**
 * Maximum number of tools whose headers are stored. Above it, the oldest are
 * dropped.
 */
const maxTools = 10_000;

/** Maximum number of pages of a list that are read again for one call. */
const maxPages = 100;

/** What a client knows about the calls of the tools of its server. */
interface KnownTool {
  readonly headers: readonly ParamHeader[];
  /**
   * True if it only reads, or may be called twice with the same arguments, as
   * its server says: a call that was lost is sent again.
   */
  readonly isSafe: boolean;
}

/**
 * The headers of a client: the method and subject of each message, and the
 * arguments that the tools of this server require.
 */
export function toolHeaders(): HeaderPolicy {
  const tools = new Map<unknown, KnownTool>();
  return {
    options(revision, facts, params = {}) {
      const { ping, readResource, callTool } = revision.wellKnown;
      const { method, kind } = facts;
      const tool = method === callTool ? tools.get(params["name"]) : undefined;
      const isRead =
        kind === "request" &&
        (facts.items !== undefined ||
          facts.cacheable ||
          method === readResource);
      const isSafe = isRead || method === ping || tool?.isSafe;
      return {
        headers: headersOf(revision, facts, params, tool?.headers),
        isSafe,
      };
    },
    // Removes tools with invalid annotations from a list (HDR-11).
    learn(
      { headers: { param }, wellKnown },
      { method, items },
      result,
      onWarning,
    ) {
      if (items === undefined || method !== wellKnown.listTools) return result;
      const all = result[items] as readonly unknown[];
      const validTools = all.filter((item) => {
        const { name, inputSchema, annotations } = Object(item) as JsonObject;
        const { readOnlyHint, idempotentHint } = Object(
          annotations,
        ) as JsonObject;
        const { headers, error } = paramHeadersOf(
          param === undefined ? undefined : inputSchema,
        );
        const isSafe = Boolean(readOnlyHint || idempotentHint);
        tools.delete(name);
        if (headers.length > 0 || isSafe) tools.set(name, { headers, isSafe });
        const [oldest] = tools.keys();
        if (tools.size > maxTools) tools.delete(oldest);
        if (error)
          onWarning(`The tool ${JSON.stringify(name)} is omitted: ${error}`);
        return !error;
      });
      return validTools.length === all.length
        ? result
        : { ...result, [items]: validTools };
    },
    call(side, row, params, ask) {
      const { headers, wellKnown, errors } = side.revision;
      const answer = ask(row, params);
      if (headers.param === undefined || row.method !== wellKnown.callTool)
        return answer;
      return answer.catch(async (error: unknown) => {
        if (!isMcpError(error) || error.code !== errors["HEADER_MISMATCH"])
          throw error;
        await listAgain(side, params?.["name"], ask);
        return ask(row, params);
      });
    },
  };
}

/**
 * The headers of a message; the transport adds the version (HDR-01, HDR-02,
 * HDR-03, HDR-06). A tool that was never listed has only these headers
 * (HDR-14).
 */
function headersOf(
  { headers: names }: Revision,
  facts: RequestFacts | NotificationFacts,
  params: JsonObject,
  ofTool: readonly ParamHeader[] = [],
): Readonly<Record<string, string>> | undefined {
  if (names.method === undefined) return undefined;
  const headers: Record<string, string> = { [names.method]: facts.method };
  const subject =
    facts.kind === "request" && facts.header !== undefined
      ? params[facts.header]
      : undefined;
  if (names.name !== undefined && typeof subject === "string")
    headers[names.name] = subject;
  const values = paramValues(ofTool, params["arguments"]);
  for (const name in values)
    headers[`${names.param}${name}`] = values[name] as string;
  return headers;
}

/** Reads the list again, up to the page with the tool (HDR-13). */
async function listAgain(
  side: SideTable,
  name: unknown,
  ask: Ask,
): Promise<void> {
  const row = getOwn(side.outgoingRequests, side.revision.wellKnown.listTools);
  const { items } = row ?? {};
  if (!row || items === undefined) return;
  let cursor: unknown;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = (await ask(
      row,
      cursor === undefined ? undefined : { cursor },
    )) as JsonObject;
    const tools = page[items] as readonly unknown[];
    if (tools.some((tool) => isObject(tool) && tool["name"] === name)) return;
    const next = page["nextCursor"];
    if (next === undefined || next === cursor) return;
    cursor = next;
  }
}
