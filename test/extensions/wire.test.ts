import { join as path } from "node:path";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  generated,
  type Generated,
  type Handlers,
  info,
  joined,
  refusal,
  write,
} from "../made-up/made-up.js";
import { root } from "../repository.js";
import { failure, type Json } from "../runtime/kit/messages.js";

const id = "com.example/library";
const declared: Json = { extensions: { [id]: {} } };

/**
 * An extension whose requests have a name, a URI and a task id, of which only
 * the last one is in a header.
 */
const schema = (tag: string): string => `
import type { JSONRPCNotification, JSONRPCRequest, NotificationParams, RequestParams, Result } from "./schema.js";

/** ${tag} */
export const EXTENSION_IDENTIFIER = "${id}";

export interface FindBookRequest extends JSONRPCRequest {
  method: "library/find";
  params: RequestParams & { name: string; uri: string };
}
export interface FindBookResult extends Result { shelf: number }

export interface LendBookRequest extends JSONRPCRequest {
  method: "library/lend";
  params: RequestParams & {
    name: string;
    /** @mcpName */
    reader: string;
  };
}
export interface LendBookResult extends Result { days: number }

/** A kind of result that only a client that knows the extension can read. */
export interface WaitResult extends Result { resultType: "wait"; days: number }
export interface CallToolResultResponse { result: WaitResult }

export interface BookReturnedNotification extends JSONRPCNotification {
  method: "notifications/library/returned";
  params: NotificationParams & { reader: string };
}
export interface SubscriptionFilter { readers?: string[] }

export type ClientRequest = FindBookRequest | LendBookRequest;
export type ServerNotification = BookReturnedNotification;
export type ServerResult = FindBookResult | LendBookResult;
`;

const handlers: Handlers = {
  "library/find": () => ({ shelf: 7 }),
  "library/lend": () => ({ days: 30 }),
  "tools/call": () => ({ resultType: "wait", days: 2 }),
};

let both: Generated;
let serverOnly: Generated;
beforeAll(async () => {
  const revision = path(root, "schema/2026-07-28");
  both = await generated(
    revision,
    write("both/schema.ts", schema("The library.")),
  );
  serverOnly = await generated(
    revision,
    write("server/schema.ts", schema("@declaredBy server")),
  );
});

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const up of open) await up.close();
});

/** Serves the extension over HTTP. */
async function served({ createServer }: Generated): Promise<string> {
  const up = await serveHttp(
    createHttpHandler(createServer({ info, handlers })),
    { port: 0 },
  );
  open.push(up);
  return String(up.url);
}

interface Post {
  readonly params: Json;
  readonly capabilities?: Json;
  readonly name?: string;
}

/**
 * The status of a POST of this request with the required headers, and the code
 * of its error or its result.
 */
async function post(
  url: string,
  method: string,
  { params, capabilities = {}, name }: Post,
): Promise<[status: number, codeOrResult: unknown]> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta },
    }),
  });
  const { error, result } = (await response.json()) as {
    error?: { code: number };
    result?: unknown;
  };
  return [response.status, error?.code ?? result];
}

const find = { params: { name: "Emma", uri: "book://emma" } };
const lend = { params: { name: "Emma", reader: "Jane" } };

describe("a request of an extension over HTTP", () => {
  it("HDR-03 is answered without Mcp-Name, although its params have a name and a URI", async () => {
    const url = await served(both);
    expect(
      await post(url, "library/find", { ...find, capabilities: declared }),
    ).toMatchObject([200, { shelf: 7 }]);
  });

  it("HDR-03 needs Mcp-Name if the schema tags a member of its params with @mcpName", async () => {
    const url = await served(both);
    const lending = { ...lend, capabilities: declared };
    expect(
      await post(url, "library/lend", { ...lending, name: "Jane" }),
    ).toMatchObject([200, { days: 30 }]);
    expect(await post(url, "library/lend", lending)).toEqual([400, -32020]);
    expect(
      await post(url, "library/lend", { ...lending, name: "Emma" }),
    ).toEqual([400, -32020]);
  });

  it("HDR-03 has Mcp-Name from a generated client only where the schema has the tag", async () => {
    const sent: (string | null)[] = [];
    const spy: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      if (headers.get("mcp-method")?.startsWith("library/"))
        sent.push(headers.get("mcp-name"));
      return fetch(input, init);
    };
    const client = await both.Client.connect(
      http(await served(both), { fetch: spy }),
      {
        info,
        handlers: {},
        capabilities: declared,
      },
    );
    expect(await client["findBook"]?.(find.params)).toMatchObject({ shelf: 7 });
    expect(await client["lendBook"]?.(lend.params)).toMatchObject({ days: 30 });
    expect(sent).toEqual([null, "Jane"]);
    await client.close();
  });
});

describe("an extension that only the server declares", () => {
  it("EXT-02 is served to a client that does not declare it, unlike any other extension", async () => {
    expect(
      await post(await served(serverOnly), "library/find", find),
    ).toMatchObject([200, { shelf: 7 }]);
    expect(await post(await served(both), "library/find", find)).toEqual([
      400, -32021,
    ]);
  });

  it("EXT-02 is declared by a generated server alone, and its methods and notifications reach the client", async () => {
    const seen: unknown[] = [];
    const readers: unknown[] = [];
    const { client, server } = await joined(
      serverOnly,
      {
        ...handlers,
        "library/find": (_, context) => {
          seen.push(
            (context as unknown as { client: { capabilities: unknown } }).client
              .capabilities,
          );
          return { shelf: 7 };
        },
      },
      {
        client: {
          "notifications/library/returned": ({ reader }) =>
            readers.push(reader),
        },
      },
    );
    expect(client.server.capabilities).toMatchObject(declared);
    expect(await client["findBook"]?.(find.params)).toMatchObject({ shelf: 7 });
    expect(seen).toEqual([{}]);
    const stop = new AbortController();
    const listening = failure(
      client["subscriptionsListen"]?.(
        { notifications: { readers: ["Jane"] } },
        { signal: stop.signal, timeout: Infinity },
      ),
    );
    await client["discover"]?.();
    server.notify["bookReturned"]?.({ reader: "Jane" });
    await client["discover"]?.();
    stop.abort();
    await listening;
    expect(readers).toEqual(["Jane"]);
    await client.close();
  });

  it("EXT-02 is not called at a server that does not declare it", async () => {
    const { client } = await joined(serverOnly, {});
    expect(String(await failure(client["findBook"]?.(find.params)))).toContain(
      `${JSON.stringify(declared)} among the server's capabilities`,
    );
    await client.close();
  });

  it("XTASK-01 sends another kind of result only to a client that declares it nevertheless", async () => {
    const follow = {
      wait: async ({ days }: Json) => ({
        content: [{ type: "text", text: `${String(days)} days` }],
      }),
    };
    const { client } = await joined(serverOnly, handlers, {
      clientCapabilities: declared,
      settings: { follow },
    });
    expect(await client["callTool"]?.({ name: "any" })).toMatchObject({
      content: [{ text: "2 days" }],
    });
    const { client: plain } = await joined(serverOnly, handlers);
    expect(await refusal(plain["callTool"]?.({ name: "any" }))).toMatchObject({
      code: -32021,
    });
  });
});
