import { afterEach, describe, expect, it, vi } from "vitest";
import { ResponseReader } from "../../../../src/runtime/core/transport/http-client/response-reader.js";
import {
  Stream,
  type StreamHost,
} from "../../../../src/runtime/core/transport/http-client/stream.js";
import { failure, type Json } from "../../kit/index.js";
import { done, open, opening } from "../kit/client.js";
import {
  open as openModern,
  opening as openingModern,
} from "../kit/client-modern.js";
import { type Answer, cached, json, paramsOf, result } from "../kit/script.js";

const tools = [
  { name: "reads", annotations: { readOnlyHint: true } },
  { name: "sets", annotations: { idempotentHint: true } },
  { name: "adds", annotations: { readOnlyHint: false } },
  { name: "writes" },
].map((tool) => ({ ...tool, inputSchema: { type: "object" } }));

/** A server whose tools lose their first calls in this way. */
const losing =
  (lose: Answer, seenCalls: unknown[], more: Json = {}): Answer =>
  (seen, response, count) => {
    const method = seen.body?.["method"];
    if (method === "tools/list")
      return json(response, result(seen, { tools, ...more }));
    const { name } = paramsOf(seen);
    if (method !== "tools/call") return json(response, result(seen, {}));
    seenCalls.push(name);
    if (seenCalls.filter((one) => one === name).length > 1)
      return json(response, result(seen, { ...done, ...more }));
    return lose(seen, response, count);
  };

const ways: readonly (readonly [string, Answer])[] = [
  ["breaks the connection", (_, response) => void response.socket?.destroy()],
  [
    "answers 502, as a balancer does",
    (_, response) => void response.writeHead(502).end(),
  ],
];

const eras = [
  { era: "with sessions", start: opening, connect: open, more: {} },
  {
    era: "of 2026-07-28",
    start: openingModern,
    connect: openModern,
    more: cached,
  },
];

describe.each(ways)("a server that %s before it answers a call", (_, lose) => {
  it.each(eras)(
    "gets a call $era again, once, if its tool is safe to call twice",
    async ({ start, connect, more }) => {
      const calls: unknown[] = [];
      const script = await start(losing(lose, calls, more));
      const client = await connect(script);
      // A tool that was never listed may be any.
      expect(await failure(client.callTool({ name: "reads" }))).toMatchObject({
        mayHaveRun: true,
      });
      calls.length = 0;
      await client.listTools();
      for (const name of ["reads", "sets"])
        expect(await client.callTool({ name })).toMatchObject(done);
      for (const name of ["adds", "writes"]) {
        const error = await failure(client.callTool({ name }));
        expect([name, error.name, error["mayHaveRun"]]).toEqual([
          name,
          "TransportError",
          true,
        ]);
      }
      expect(calls).toEqual([
        "reads",
        "reads",
        "sets",
        "sets",
        "adds",
        "writes",
      ]);
    },
  );
});

describe("a stream of a client over HTTP", () => {
  afterEach(() => void vi.useRealTimers().restoreAllMocks());

  const eventStream = (name: string): string | undefined =>
    name === "content-type" ? "text/event-stream" : undefined;
  const begin = (maxReconnects = 5) => {
    vi.useFakeTimers({
      toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"],
    });
    const ends: (Error | undefined)[] = [];
    const gets: (string | undefined)[] = [];
    const streams: Stream[] = [];
    const host: StreamHost = {
      options: { reconnectTime: 10, maxReconnects },
      resumes: true,
      post: () => () => {},
      get: (lastEventId, stream) => {
        gets.push(lastEventId);
        streams.push(stream);
        return () => {};
      },
      message: () => {},
      malformed: () => {},
    };
    const session = { id: "1", hasAnswered: true, hasStreams: true };
    const stream = new Stream(host, {
      id: 1,
      session,
      end: (_, error) => ends.push(error),
    });
    stream.post("{}", {});
    const reader = new ResponseReader(stream);
    reader.head(200, eventStream);
    const send = (text: string): void =>
      reader.data(new TextEncoder().encode(text));
    return { ends, gets, streams, send, end: () => reader.end() };
  };

  it("is resumed once its server, which sends comments, has been silent for 45 seconds", () => {
    const { ends, gets, send } = begin();
    send("id: a/1-1\ndata: {}\n\n");
    for (let i = 0; i < 10; i++) {
      send(":\n\n");
      vi.advanceTimersByTime(30_000);
    }
    expect([gets, ends]).toEqual([[], []]);
    vi.advanceTimersByTime(60_000);
    expect([gets, ends]).toEqual([["a/1-1"], []]);
  });

  it.each([
    ["999 ms", 999, "id: 2\n", 1],
    ["one second", 1000, "id: 2\n", 2],
    ["400 ms, and then a wait of 599 ms", 400, "retry: 599\nid: 2\n", 1],
    ["400 ms, and then a wait of 600 ms", 400, "retry: 600\nid: 2\n", 2],
    ["4,999 ms without an event id", 4999, "", 1],
    ["5 seconds without an event id", 5000, "", 2],
  ])(
    "begins to count its attempts anew only if a connection lasts: %s",
    (_, time, text, count) => {
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => now);
      const { ends, gets, streams, send, end } = begin(1);
      send("id: 1\ndata: {}\n\n");
      end();
      vi.advanceTimersByTime(100);
      expect(gets).toEqual(["1"]);
      const reader = new ResponseReader(streams[0] as Stream);
      reader.head(200, eventStream);
      reader.data(new TextEncoder().encode(`${text}data: {}\n\n`));
      now += time;
      reader.end();
      vi.advanceTimersByTime(1000);
      expect([gets.length, ends.length]).toEqual([count, 2 - count]);
    },
  );

  it("rejects its request then, if it cannot be resumed", () => {
    const { ends, gets, send } = begin();
    send(":\n\ndata: {}\n\n");
    vi.advanceTimersByTime(60_000);
    expect([gets, ends]).toEqual([
      [],
      [expect.objectContaining({ mayHaveRun: true })],
    ]);
  });

  it("waits for ever for a server that sends no comments", () => {
    const { ends, gets, send } = begin();
    send("id: 1\ndata: {}\n\n");
    vi.advanceTimersByTime(3_600_000);
    expect([gets, ends]).toEqual([[], []]);
  });
});
