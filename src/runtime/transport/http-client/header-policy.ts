import { isMcpError } from "../../errors.js";
import { getOwn, isObject, type JsonObject, type Params } from "../../message.js";
import type { NotificationFacts, OutgoingRequest, RequestFacts, Revision, SideTable } from "../../tables.js";
import type { Ask, HeaderPolicy } from "../binding.js";
import { type Mirror, mirror, mirrorsOf } from "../param-headers.js";

/** Most tools to remember; beyond that the oldest are forgotten. */
const maxTools = 10_000;

/** Most pages of a list that are read for the sake of one call. */
const maxPages = 100;

/** What a client repeats in headers: of each message its method and subject, and of the calls of one server what its lists ask for. */
export class ToolHeaders implements HeaderPolicy {
  readonly #tools = new Map<unknown, readonly Mirror[]>();

  /** HDR-01, HDR-02, HDR-03, HDR-06: the transport adds the version. HDR-14: no more for a tool that no list has told of. */
  headers(
    { headers: names, wellKnown }: Revision,
    facts: RequestFacts | NotificationFacts,
    params: JsonObject = {},
  ): Readonly<Record<string, string>> | undefined {
    if (names.method === undefined) return undefined;
    const { method } = facts;
    const headers: Record<string, string> = { [names.method]: method };
    const subject = facts.kind === "request" && facts.header !== undefined ? params[facts.header] : undefined;
    if (names.name !== undefined && typeof subject === "string") headers[names.name] = subject;
    const mirrors = method === wellKnown.callTool ? this.#tools.get(params["name"]) : undefined;
    if (names.param === undefined || !mirrors) return headers;
    const said = mirror(mirrors, params["arguments"]);
    for (const name in said) headers[names.param + name] = said[name] as string;
    return headers;
  }

  /** HDR-11: takes from a list what may not be called over this carrier. */
  learn(
    { headers, wellKnown }: Revision,
    { method, items }: RequestFacts,
    result: JsonObject,
    refuse: (reason: string) => void,
  ): JsonObject {
    if (headers.param === undefined || items === undefined || method !== wellKnown.listTools) return result;
    const all = result[items] as readonly unknown[];
    const kept = all.filter((item) => {
      const { name, inputSchema } = isObject(item) ? item : ({} as JsonObject);
      const { mirrors, fault } = mirrorsOf(inputSchema);
      this.#tools.delete(name);
      if (mirrors.length > 0) this.#tools.set(name, mirrors);
      const [oldest] = this.#tools.keys();
      if (this.#tools.size > maxTools) this.#tools.delete(oldest);
      if (fault) refuse(`The tool ${JSON.stringify(name)} is left out: ${fault}`);
      return !fault;
    });
    return kept.length === all.length ? result : { ...result, [items]: kept };
  }

  call(side: SideTable, row: OutgoingRequest, params: Params, ask: Ask): Promise<unknown> {
    const { headers, wellKnown, errors } = side.revision;
    const answer = ask(row, params);
    if (headers.param === undefined || row.facts.method !== wellKnown.callTool) return answer;
    return answer.catch(async (error: unknown) => {
      if (!isMcpError(error) || error.code !== errors["HEADER_MISMATCH"]) throw error;
      await relearn(side, params?.["name"], ask);
      return ask(row, params);
    });
  }
}

/** HDR-13: reads the list anew, as far as the tool. */
async function relearn(side: SideTable, name: unknown, ask: Ask): Promise<void> {
  const row = getOwn(side.outgoingRequests, side.revision.wellKnown.listTools);
  const { items } = row?.facts ?? {};
  if (!row || items === undefined) return;
  let cursor: unknown;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = (await ask(row, cursor === undefined ? undefined : { cursor })) as JsonObject;
    const tools = page[items] as readonly unknown[];
    if (tools.some((tool) => isObject(tool) && tool["name"] === name)) return;
    cursor = page["nextCursor"];
    if (cursor === undefined) return;
  }
}
