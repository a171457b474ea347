import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import {
  createHttpHandler,
  nodeListener,
  serveHttp,
} from "@mcpgen/runtime/http";
import { serveWebSocket } from "@mcpgen/runtime/websocket";
import { describe, expect, it } from "vitest";
import { afterTest } from "../../kit/closing.js";
import { listen } from "../kit/carriers.js";
import { body, head, Raw, usual, whole } from "../kit/raw.js";
import { serversWith } from "../kit/server.js";

/** Listens with `nodeListener` until the test ends. Returns the port. */
function listenTo(isHttp2: boolean): Promise<number> {
  const handler = createHttpHandler(serversWith(), { sessions: false });
  afterTest(handler.close);
  return listen(nodeListener(handler), isHttp2);
}

async function serveAll(): Promise<number> {
  const own = (): Response => new Response(null);
  const up = await serveHttp(
    {
      "/mcp": createHttpHandler(serversWith(), { sessions: false }),
      "/own": own,
    },
    { port: 0 },
  );
  afterTest(up.close);
  return up.port;
}

async function serveSockets(): Promise<number> {
  const up = await serveWebSocket(serversWith(), { port: 0 });
  afterTest(up.close);
  return up.port;
}

/** Sends a request with these headers Host. Resolves to the status. */
type Send = (hosts: readonly string[]) => Promise<number | undefined>;

/** Sends text over HTTP/1.1, for which Host may be repeated. */
const overHttp1 =
  (open: () => Promise<number>, textWith: (lines: string[]) => string): Send =>
  async (hosts) => {
    const lines = hosts.map((host, i) => `${i ? "hOST" : "Host"}: ${host}`);
    const raw = new Raw(await open()).write(textWith(lines));
    await raw.until(/\r\n\r\n/);
    raw.socket.destroy();
    return raw.statuses[0];
  };

const post =
  (target = "/mcp") =>
  (lines: string[]): string =>
    whole(body, [...lines, ...usual.slice(1)], `POST ${target} HTTP/1.1`);
const get = (lines: string[]): string =>
  head([...lines, "Accept: text/event-stream"], "GET /mcp HTTP/1.1");
const upgrade = (lines: string[]): string =>
  head(
    [
      ...lines,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: mcp",
    ],
    "GET /mcp HTTP/1.1",
  );

/** The first name is the pseudo-header of HTTP/2, the second one Host. */
const overHttp2 =
  (method: string): Send =>
  async ([authority, host]) => {
    const session = connectHttp2(`http://127.0.0.1:${await listenTo(true)}`);
    afterTest(() => session.destroy());
    const headers = {
      ":method": method,
      ":path": "/mcp",
      ":authority": authority ?? "",
      ...(host !== undefined && { host }),
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const stream = session.request(headers, { endStream: method === "GET" });
    stream.on("error", () => {});
    if (method === "POST") stream.end(body);
    const [answer] = (await once(stream, "response")) as [
      { readonly ":status"?: number },
    ];
    return answer[":status"];
  };

/** A way to send a request, and the status with one name of a host. */
const ways: readonly (readonly [string, Send, number])[] = [
  ["a POST to serveHttp", overHttp1(serveAll, post()), 200],
  [
    "a POST to a whole URL",
    overHttp1(serveAll, post("http://127.0.0.1/mcp")),
    200,
  ],
  ["a POST to a path beside it", overHttp1(serveAll, post("/own")), 200],
  ["a GET to serveHttp", overHttp1(serveAll, get), 405],
  ["a POST to node:http", overHttp1(() => listenTo(false), post()), 200],
  ["a GET to node:http", overHttp1(() => listenTo(false), get), 405],
  ["a POST over HTTP/2", overHttp2("POST"), 200],
  ["a GET over HTTP/2", overHttp2("GET"), 405],
  ["an upgrade to a WebSocket", overHttp1(serveSockets, upgrade), 101],
];

describe("the hosts of one request", () => {
  it.each(ways)(
    "are one: %s that names several is answered with 400, whichever comes first",
    async (_, send, status) => {
      const [here, foreign] = ["127.0.0.1", "evil.example.com"];
      expect(await send([here])).toBe(status);
      expect(await send([here, foreign])).toBe(400);
      expect(await send([foreign, here])).toBe(400);
    },
  );

  it.each(ways.filter(([name]) => !name.includes("HTTP/2")))(
    "are one: %s that repeats it is answered with 400",
    async (_, send) => {
      expect(await send(["127.0.0.1", "127.0.0.1"])).toBe(400);
    },
  );

  it.each(ways.filter(([name]) => name.includes("HTTP/2")))(
    "may be told twice by %s, in the header too, if it is the same one",
    async (_, send, status) => {
      expect(await send(["localhost", "LOCALHOST"])).toBe(status);
    },
  );
});
