import { afterEach, describe, expect, it, vi } from "vitest";
import {
  event,
  events,
  json,
  paramsOf,
  result,
  type Seen,
} from "../kit/script.js";
import { failure, type Json, turns } from "../../kit/index.js";
import { call, done, open, opening, ways } from "../kit/client.js";
import { until, waitsAmong } from "../../kit/watch.js";

afterEach(() => vi.restoreAllMocks());

describe.each(ways)("a client over HTTP, by $way", ({ options }) => {
  it("HTTP-14 HTTP-15 receives messages that belong to no request on a separate stream, and answers requests there", async () => {
    const script = await opening(
      (seen, response) => {
        if (seen.method === "GET") {
          events(response).write(
            event({ jsonrpc: "2.0", id: "p", method: "ping" }),
          );
          response.write(
            event({
              jsonrpc: "2.0",
              method: "notifications/message",
              params: { level: "info", data: 1 },
            }),
          );
        } else json(response, result(seen, done));
      },
      { listens: true },
    );
    const messages: Json[] = [];
    const handlers = {
      "notifications/message": (params: Json) => void messages.push(params),
    };
    await open(script, options, { handlers });
    const answer = await script.until(({ body }) => body?.["id"] === "p");
    expect(answer.body).toMatchObject({ id: "p", result: {} });
    expect(messages).toEqual([{ level: "info", data: 1 }]);
    const get = script.seen.find(({ method }) => method === "GET");
    expect(get?.headers.accept).toBe("text/event-stream");
    expect(get?.headers["content-type"]).toBeUndefined();
    // An open stream is not opened again.
    expect(script.methods.filter((what) => what === "GET")).toHaveLength(1);
  });

  it("HTTP-15 works without such a stream, and does not request it again", async () => {
    const faults: Error[] = [];
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const client = await open(script, options, {
      onError: (error) => faults.push(error),
    });
    await script.until(({ method }) => method === "GET");
    for (let i = 0; i < 3; i++) await client.callTool(call);
    await client.setLevel?.({ level: "error" });
    expect(script.methods.filter((what) => what === "GET")).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it("HTTP-20 CANC-01 CANC-09 sends a cancellation for an aborted call, and closes its stream", async () => {
    const script = await opening(
      (_, response) => void events(response).write(": wait\n\n"),
    );
    const client = await open(script, options);
    const controller = new AbortController();
    const calling = failure(
      client.callTool(call, { signal: controller.signal }),
    );
    const request = await script.until(
      ({ body }) => body?.["method"] === "tools/call",
    );
    controller.abort(new Error("enough"));
    expect((await calling).message).toBe("enough");
    const cancellation = await script.until(
      ({ body }) => body?.["method"] === "notifications/cancelled",
    );
    expect(paramsOf(cancellation)["requestId"]).toBe(request.body?.["id"]);
    expect(await request.cut).toBe(true);
  });

  it("sends each cancellation at once, though the server accepts none of the earlier ones, and keeps the order of other messages", async () => {
    const script = await opening(
      (_, response) => void events(response).write(": wait\n\n"),
    );
    const { answer } = script;
    const accept: (() => void)[] = [];
    const isNamed = (seen: Seen, name: string): boolean =>
      seen.body?.["method"] === `notifications/${name}`;
    script.answer = (seen, response, count) => {
      if (isNamed(seen, "cancelled")) return;
      if (!isNamed(seen, "roots/list_changed"))
        return answer(seen, response, count);
      accept.push(() => void response.writeHead(202).end());
    };
    const capabilities = { roots: { listChanged: true } };
    const client = await open(script, options, { capabilities });
    const stop = new AbortController();
    const calls = [1, 2, 3].map(() =>
      failure(client.callTool(call, { signal: stop.signal })),
    );
    const seen = (name: string): number =>
      script.seen.filter((one) => isNamed(one, name)).length;
    const started = (): number =>
      script.seen.filter(({ body }) => body?.["method"] === "tools/call")
        .length;
    await until(() => started() === 3);
    stop.abort(new Error("enough"));
    await Promise.all(calls);
    await until(() => seen("cancelled") === 3);
    const changes = [1, 2].map(() => client.rootsListChanged?.());
    await until(() => accept.length === 1);
    await turns(20);
    expect(accept).toHaveLength(1);
    accept[0]?.();
    await until(() => accept.length === 2);
    accept[1]?.();
    await Promise.all(changes);
  });

  it("SSE-02 SSE-06 resumes a broken stream after the retry time of the server", async () => {
    const script = await opening((seen, response) => {
      if (seen.method === "GET") {
        expect(seen.headers["last-event-id"]).toBe("a-1");
        return void events(response).end(
          event({ ...result(script.seen[2] ?? seen, done) }, "a-2"),
        );
      }
      events(response).end("id: a-1\nretry: 77\ndata:\n\n");
    });
    const client = await open(script, { ...options, reconnectTime: 1 });
    await script.until(({ method }) => method === "GET");
    script.seen.length = 2;
    const waits = waitsAmong(1, 77);
    expect(await client.callTool(call)).toEqual(done);
    const [, , post, get] = script.seen;
    expect(post?.body?.["method"]).toBe("tools/call");
    expect(get?.method).toBe("GET");
    expect(get?.headers["mcp-session-id"]).toBe("s-1");
    expect(waits()).toEqual([77]);
  });

  it("SSE-02 resumes a stream by an event id of any characters, as UTF-8", async () => {
    const script = await opening((seen, response) => {
      const request =
        script.seen.find(({ body }) => body?.["method"] === "tools/call") ??
        seen;
      if (seen.method === "POST")
        events(response).end("id: é-日本\nretry: 1\ndata:\n\n");
      else events(response).end(event(result(request, done)));
    });
    const client = await open(script, options);
    expect(await client.callTool(call)).toEqual(done);
    const id = script.seen.find(({ headers }) => headers["last-event-id"])
      ?.headers["last-event-id"];
    expect(Buffer.from(String(id), "latin1").toString()).toBe("é-日本");
  });

  it.each(["\u007f", "\u0001", "\u001b"])(
    "SSE-02 resumes a stream after the last event whose id a header can hold, not after %j",
    async (character) => {
      const script = await opening((seen, response) => {
        const request =
          script.seen.find(({ body }) => body?.["method"] === "tools/call") ??
          seen;
        if (seen.method === "POST")
          events(response).end(
            `retry: 1\nid: 1\ndata:\n\nid: 2${character}\ndata:\n\n`,
          );
        else events(response).end(event(result(request, done)));
      });
      const client = await open(script, options);
      expect(await client.callTool(call)).toEqual(done);
      const resumed = script.seen.flatMap(
        ({ headers }) => headers["last-event-id"] ?? [],
      );
      expect(resumed).toEqual(["1"]);
    },
  );

  it("stops reconnecting to a server that ends every stream at once (SSE-07)", async () => {
    let pieces = 0;
    const script = await opening((_, response) => {
      events(response).end(`id: ${pieces++}\nretry: 0\ndata:\n\n`);
    });
    const client = await open(script, { ...options, reconnectTime: 200 });
    const waits = waitsAmong(0, 100);
    expect((await failure(client.callTool(call))).name).toBe("TransportError");
    expect(
      waits().filter((wait) => wait === 100).length,
    ).toBeGreaterThanOrEqual(5);
    expect(
      script.seen.filter(({ headers }) => headers["last-event-id"]),
    ).toHaveLength(5);
  });

  it("SSE-02 resumes a stream any number of times if each connection lasts", async () => {
    // The clock advances by a minute at each reading, so that every stream
    // seems to last.
    let clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (clock += 60_000));
    let pieces = 0;
    const script = await opening((seen, response) => {
      pieces++;
      const request =
        script.seen.find(({ body }) => body?.["method"] === "tools/call") ??
        seen;
      const last =
        pieces === 12
          ? event(result(request, done), "end")
          : `id: ${pieces}\ndata:\n\n`;
      events(response).end(`retry: 1\n${last}`);
    });
    const client = await open(
      script,
      { ...options, maxReconnects: 2 },
      { timeout: Infinity },
    );
    expect(await client.callTool(call)).toEqual(done);
    const resumed = script.seen.flatMap(
      ({ headers }) => headers["last-event-id"] ?? [],
    );
    expect(resumed).toEqual(
      Array.from({ length: 11 }, (_, i) => String(i + 1)),
    );
  });

  it("SSE-07 doubles the wait if the server sets no retry time, and stops after some attempts", async () => {
    const script = await opening((seen, response) => {
      if (seen.method === "GET") response.writeHead(503).end();
      else events(response).end("id: 1\ndata:\n\n");
    });
    const client = await open(script, {
      ...options,
      reconnectTime: 13,
      maxReconnects: 3,
    });
    const waits = waitsAmong(13, 26, 52, 104);
    const error = await failure(client.callTool(call));
    expect(error).toMatchObject({ name: "TransportError", status: 503 });
    expect(
      script.seen.filter(({ headers }) => headers["last-event-id"]),
    ).toHaveLength(3);
    expect(waits()).toEqual([13, 26, 52]);
  });

  it("SSE-11 rejects a request whose stream ends without a response and without an event id", async () => {
    const script = await opening(
      (_, response) => void events(response).end(": nothing\n\n"),
    );
    const client = await open(script, options);
    const error = await failure(client.callTool(call));
    expect(error.name).toBe("TransportError");
    expect(error.message).toMatch(/stream ended before the answer/);
    expect(script.seen.some(({ headers }) => headers["last-event-id"])).toBe(
      false,
    );
  });

  it("SSE-07 opens its own stream again when it breaks, and after a call succeeds if the attempts failed", async () => {
    let isDown = true;
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const script = await opening(
      (seen, response) => {
        if (seen.method !== "GET") json(response, result(seen, done));
        else if (isDown) events(response).end();
        else
          events(response).write(
            event({ jsonrpc: "2.0", id: "p", method: "ping" }),
          );
      },
      { listens: true },
    );
    const warnings: string[] = [];
    const client = await open(
      script,
      {
        ...options,
        reconnectTime: 1,
        maxReconnects: 3,
        maxReconnectTime: 1000,
      },
      { onWarning: (warning) => warnings.push(warning) },
    );
    const gets = (): number =>
      script.methods.filter((what) => what === "GET").length;
    await until(() => expect(warnings).toHaveLength(1));
    const [since = ""] = /\d{4}-\S+Z/.exec(warnings[0] ?? "") ?? [];
    expect(Math.abs(Date.parse(since) - Date.now())).toBeLessThan(60_000);
    expect(gets()).toBe(4);
    // Not more often than `maxReconnectTime`.
    await client.callTool(call);
    now += 999;
    await client.callTool(call);
    expect(gets()).toBe(4);
    now += 1;
    await client.callTool(call);
    await until(() => expect(gets()).toBe(5));
    isDown = false;
    await until(async () => {
      now += 1001;
      await client.callTool(call);
      expect(gets()).toBe(6);
    });
    await script.until(({ body }) => body?.["id"] === "p");
    expect(warnings).toHaveLength(1);
  });

  it("opens its own stream again after a 4xx, without the event id that the server refuses", async () => {
    let isOpen = true;
    const script = await opening(
      (seen, response) => {
        if (seen.method !== "GET") json(response, result(seen, done));
        else if (isOpen) events(response).end("id: 7\ndata:\n\n");
        else if (seen.headers["last-event-id"]) response.writeHead(400).end();
        else events(response).write(": open\n\n");
        isOpen = false;
      },
      { listens: true },
    );
    const settings = { onWarning: () => {} };
    const client = await open(
      script,
      { ...options, reconnectTime: 1, maxReconnectTime: 1 },
      settings,
    );
    const ids = (): unknown[] =>
      script.seen.flatMap(({ method, headers }) =>
        method === "GET" ? [headers["last-event-id"]] : [],
      );
    await until(async () => {
      await client.callTool(call);
      expect(ids()).toEqual([undefined, "7", undefined]);
    });
  });
});
