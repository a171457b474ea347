import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Receiver, Transport } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { socketTransport, webSocket } from "@mcpgen/runtime/websocket";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "../../../generated/index.js";
import { type Answer, events, json, Script } from "../http/kit/script.js";
import { failure, info, legacy, makeClient } from "../kit/index.js";
import { until, waitsAmong } from "../kit/watch.js";
import { timeLimit } from "../../time-limit.js";

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A server that accepts connections and never writes. */
async function silentServer(): Promise<{
  address: string;
  sockets: Set<Socket>;
}> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closings.push(() => server.close());
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
  };
}

/** A carrier of one's own that never opens. */
const neverOpening = (): Transport => ({
  start: () => new Promise(() => {}),
  send: () => {},
  close: () => Promise.resolve(),
});

/** A socket of one's own that never opens and has no events. */
const deadSocket = {
  readyState: 0,
  bufferedAmount: 0,
  send: () => {},
  close: () => {},
  addEventListener: () => {},
};

type MakeTransport = (address: string, signal?: AbortSignal) => Transport;
const silentStarts: [name: string, make: MakeTransport][] = [
  [
    "HTTP+SSE",
    (address, signal) => sse(`http://${address}/sse`, signal && { signal }),
  ],
  ["a WebSocket", (address) => webSocket(`ws://${address}`)],
  [
    "a WebSocket with headers",
    (address) => webSocket(`ws://${address}`, { headers: { a: "b" } }),
  ],
  [
    "a socket of one's own",
    () => socketTransport(deadSocket, { shutdownTime: 10 }),
  ],
];

const receiver: Receiver = {
  message: () => {},
  malformed: () => {},
  ended: () => {},
  closed: () => {},
};

/**
 * A server of HTTP+SSE that opens the stream, and never names the URL for
 * messages.
 */
const withoutEndpoint: Answer = (seen, response) => {
  if (seen.method === "GET") events(response).write(": hello\n\n");
  else json(response, { error: "send no POST" }, 405);
};
/** A server that answers no GET. */
const withoutAnswer: Answer = (seen, response) => {
  if (seen.method !== "GET") json(response, { error: "send no POST" }, 405);
};

describe("the opening of a connection", () => {
  it.each([...silentStarts, ["a carrier of one's own", neverOpening] as const])(
    "ends after `timeout` if the server does not accept it, over %s",
    async (_, make) => {
      const { address, sockets } = await silentServer();
      const error = await failure(
        makeClient(legacy.protocol, make(address), { timeout: 60 }),
      );
      expect(error).toMatchObject({ name: "TimeoutError" });
      expect(error.message).toMatch(/60 ms.*`timeout`/);
      await until(() => sockets.size === 0);
    },
  );

  it("ends after `timeout` if a server of HTTP+SSE names no URL for messages", async () => {
    const script = await Script.open(withoutEndpoint);
    const error = await failure(
      makeClient(legacy.protocol, sse(script.url), { timeout: timeLimit(300) }),
    );
    expect(error).toMatchObject({ name: "TimeoutError" });
    expect(await script.seen[0]?.cut).toBe(true);
  });

  it.each(silentStarts)(
    "ends when the program closes the transport, over %s",
    async (_, make) => {
      const { address, sockets } = await silentServer();
      const transport = make(address);
      const starting = failure(Promise.resolve(transport.start(receiver)));
      if (!_.includes("own")) await until(() => sockets.size > 0);
      await transport.close();
      expect(await starting).toMatchObject({ name: "TransportError" });
      await until(() => sockets.size === 0);
    },
  );

  it("ends when the program closes a WebSocket whose package is still loaded", async () => {
    const { address, sockets } = await silentServer();
    const transport = webSocket(`ws://${address}`, { headers: { a: "b" } });
    const starting = failure(Promise.resolve(transport.start(receiver)));
    await transport.close();
    expect(await starting).toMatchObject({ name: "TransportError" });
    await until(() => sockets.size === 0);
  });

  it("ends with the reason of the signal when that aborts", async () => {
    const { address, sockets } = await silentServer();
    const stop = new AbortController();
    const opening = failure(
      makeClient(
        legacy.protocol,
        sse(`http://${address}`, { signal: stop.signal }),
      ),
    );
    await until(() => sockets.size > 0);
    stop.abort(new Error("enough"));
    expect((await opening).message).toBe("enough");
    await until(() => sockets.size === 0);
  });
});

describe.each([
  ["names no URL for messages", withoutEndpoint],
  ["does not answer GET", withoutAnswer],
])(
  "a server that answers `initialize` with 405 and, over HTTP+SSE, %s",
  (_, answer) => {
    it("rejects the connection with the first answer, within `timeout`", async () => {
      const script = await Script.open(answer);
      const opening = failure(
        makeClient(legacy.protocol, http(script.url), { timeout: 1000 }),
      );
      expect(await opening).toMatchObject({
        name: "TransportError",
        status: 405,
      });
      expect((await opening).message).toContain("send no POST");
      expect(script.methods).toEqual(["initialize", "GET"]);
      expect(await script.seen[1]?.cut).toBe(true);
    });

    it("rejects it with the answers to the probe and to `initialize` if the client has all revisions", async () => {
      const script = await Script.open(answer);
      const error = await failure(
        connect(http(script.url), { info, timeout: 1000 }),
      );
      expect(error.message).toContain("send no POST");
      expect(script.methods).toEqual(["server/discover", "initialize", "GET"]);
      expect(await script.seen[2]?.cut).toBe(true);
    });

    it("is given ten seconds for the URL if `timeout` is longer", async () => {
      const waits = waitsAmong(10_000);
      const stop = new AbortController();
      const script = await Script.open(answer);
      const opening = failure(
        makeClient(legacy.protocol, http(script.url, { signal: stop.signal })),
      );
      await script.until(({ method }) => method === "GET");
      stop.abort();
      await opening;
      expect(waits()).toEqual([10_000]);
    });

    it.each(["close", "signal"])("is left at once by %s", async (way) => {
      const stop = new AbortController();
      const script = await Script.open(answer);
      const transport = http(script.url, { signal: stop.signal });
      const opening = failure(makeClient(legacy.protocol, transport));
      const { cut } = await script.until(({ method }) => method === "GET");
      if (way === "close") await transport.close();
      else stop.abort();
      expect(await opening).toMatchObject({ name: "TransportError" });
      expect(await cut).toBe(true);
    });
  },
);
