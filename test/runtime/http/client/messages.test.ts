import { getEventListeners } from "node:events";
import { http } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  event,
  events,
  json,
  legacyScript,
  paramsOf,
  result,
  Script,
} from "../kit/script.js";
import {
  failure,
  type Json,
  legacy,
  legacyRevisions,
  makeClient,
  text,
  textOf,
} from "../../kit/index.js";
import { call, done, open, opening, ways } from "../kit/client.js";
import { until } from "../../kit/watch.js";

describe.each(ways)("a client over HTTP, by $way", ({ options }) => {
  afterEach(() => void vi.useRealTimers());

  it("HTTP-02 HTTP-03 HTTP-04 HTTP-07 sends each message in a POST, and accepts one JSON object as the response", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const client = await open(script, options);
    expect(await client.callTool(call)).toEqual(done);
    await script.until(({ method }) => method === "GET");
    expect([...script.methods].sort()).toEqual([
      "GET",
      "initialize",
      "notifications/initialized",
      "tools/call",
    ]);
    for (const { headers, body } of script.seen.filter(
      ({ method }) => method === "POST",
    )) {
      expect(body?.["jsonrpc"]).toBe("2.0");
      expect(headers.accept).toContain("application/json");
      expect(headers.accept).toContain("text/event-stream");
      expect(headers["content-type"]).toBe("application/json");
    }
  });

  it("HTTP-07 HTTP-19 SSE-09 reads a stream of events in any split, with messages before the response", async () => {
    const script = await opening((seen, response) => {
      const { progressToken } = paramsOf(seen)["_meta"] as Json;
      const params = { progressToken, progress: 1 };
      const notification = {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params,
      };
      const bytes = Buffer.from(
        `\uFEFF: hello\n\nid: 1\ndata:\n\n${event(notification, "2")}${event(result(seen, text("é 🎲")), "3")}`,
      );
      events(response);
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    const client = await open(script, options);
    const messages: number[] = [];
    const answer = await client.callTool(call, {
      onProgress: ({ progress }) => messages.push(progress),
    });
    expect(textOf(answer)).toBe("é 🎲");
    expect(messages).toEqual([1]);
  });

  it("gives up the body of an answer to a notification that does not end, and uses its connection for calls", async () => {
    const script = await opening((seen, response) => {
      if (paramsOf(seen)["name"] !== "wait") json(response, result(seen, done));
    });
    const { answer } = script;
    script.answer = (seen, response, count) => {
      const status = count % 2 === 0 ? 200 : 202;
      if (seen.method === "POST" && seen.body?.["id"] === undefined)
        response.writeHead(status).write(" ");
      else answer(seen, response, count);
    };
    const client = await open(script, { ...options, maxConnections: 2 });
    for (let i = 0; i < 2; i++) {
      const controller = new AbortController();
      const calling = failure(
        client.callTool({ name: "wait" }, { signal: controller.signal }),
      );
      const seen = script.seen.length;
      await script.until(
        (one) =>
          script.seen.indexOf(one) >= seen && paramsOf(one)["name"] === "wait",
      );
      controller.abort();
      await calling;
    }
    expect(await client.callTool(call)).toEqual(done);
    const notified = script.seen.filter(
      ({ body }) => body && body["id"] === undefined,
    );
    expect(notified).toHaveLength(3);
    for (const { cut } of notified) expect(await cut).toBe(true);
  });

  it("LIFE-03 opens the session if the server does not acknowledge `notifications/initialized` in time", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const { answer } = script;
    script.answer = (seen, response, count) => {
      if (seen.body?.["method"] !== "notifications/initialized")
        answer(seen, response, count);
    };
    const warnings: string[] = [];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const connecting = open(script, options, {
      onWarning: (text) => warnings.push(text),
    });
    await script.until(
      ({ body }) => body?.["method"] === "notifications/initialized",
    );
    await vi.advanceTimersByTimeAsync(600_000);
    vi.useRealTimers();
    const client = await connecting;
    expect(warnings).toEqual([
      expect.stringContaining("notifications/initialized"),
    ]);
    expect(await client.callTool(call)).toEqual(done);
    await script.until(({ method }) => method === "GET");
  });

  it("leaves no listener on the signal of its caller once it is closed", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const { signal } = new AbortController();
    const client = await open(script, { ...options, signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await client.close();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("SESS-01 SESS-03 SESS-07 HTTP-11 sends the session id and the version with all later requests, and ends the session", async () => {
    const script = await opening((seen, response) =>
      json(response, result(seen, done)),
    );
    const client = await open(script, options);
    await client.callTool(call);
    await script.until(({ method }) => method === "GET");
    await client.close();
    const [first, ...rest] = script.seen;
    expect(first?.headers["mcp-session-id"]).toBeUndefined();
    expect(first?.headers["mcp-protocol-version"]).toBeUndefined();
    expect(rest.at(-1)?.method).toBe("DELETE");
    for (const { headers } of rest) {
      expect(headers["mcp-session-id"]).toBe("s-1");
      expect(headers["mcp-protocol-version"]).toBe(legacy.revision);
    }
  });

  it("SESS-07 sends no DELETE without a session", async () => {
    const script = await opening(
      (seen, response) => json(response, result(seen, done)),
      { session: "" },
    );
    const client = await open(script, options);
    await client.callTool(call);
    await client.close();
    expect(script.methods).not.toContain("DELETE");
    expect(
      script.seen.every(
        ({ headers }) => headers["mcp-session-id"] === undefined,
      ),
    ).toBe(true);
  });

  it("closes when its signal aborts", async () => {
    const script = await opening(() => {});
    const controller = new AbortController();
    const client = await open(script, {
      ...options,
      signal: controller.signal,
    });
    const calling = failure(client.callTool(call));
    const request = await script.until(
      ({ body }) => body?.["method"] === "tools/call",
    );
    controller.abort();
    expect((await calling).name).toBe("TransportError");
    expect(await request.cut).toBe(true);
    await script.until(({ method }) => method === "DELETE");
  });

  it("HTTP-05 continues when a notification is accepted, even if the HTTP response does not end", async () => {
    const script = await Script.open((seen, response, count) => {
      const isTold = seen.body?.["method"] === "notifications/initialized";
      if (isTold) response.writeHead(202).flushHeaders();
      else
        legacyScript(legacy.revision, (one, to) => json(to, result(one, done)))(
          seen,
          response,
          count,
        );
    });
    const client = await open(script, options);
    expect(await client.callTool(call)).toEqual(done);
  });

  it("HTTP-02 keeps the order of notifications if the server is slow", async () => {
    let slow = 20;
    const script = await Script.open((seen, response, count) => {
      const answer = legacyScript(legacy.revision, () => {});
      const isSlow =
        seen.body?.["method"] === "notifications/roots/list_changed";
      setTimeout(() => answer(seen, response, count), isSlow ? (slow -= 5) : 0);
    });
    const client = await open(script, options, {
      capabilities: { roots: { listChanged: true } },
    });
    const before = script.seen.length;
    await Promise.all(
      Array.from({ length: 4 }, () => client.rootsListChanged?.()),
    );
    const times = script.seen
      .slice(before)
      .filter(({ method }) => method === "POST");
    expect(times).toHaveLength(4);
    expect(slow).toBe(0);
  });
});

it.each(legacyRevisions)(
  "HTTP-11 sends the version of $revision where it has a header for it",
  async (one) => {
    const script = await Script.open(
      legacyScript(one.revision, (seen, response) =>
        json(response, result(seen, done)),
      ),
    );
    const client = await makeClient(one.protocol, http(script.url));
    await client.callTool(call);
    await client.close();
    const name = one.facts.headers.version?.toLowerCase();
    const sent = script.seen
      .slice(1)
      .map(({ headers }) => headers["mcp-protocol-version"]);
    expect(new Set(sent)).toEqual(
      new Set([name === undefined ? undefined : one.revision]),
    );
    expect(script.seen.at(-1)?.headers["mcp-session-id"]).toBe("s-1");
  },
);

it("a client over HTTP reads the response to a batch, and reports that of another message", async () => {
  const answers = { jsonrpc: "2.0", id: 1, result: {} };
  const script = await Script.open((_, response) => json(response, answers));
  const transport = http(script.url);
  const messages: unknown[] = [];
  const faults: string[] = [];
  await transport.start({
    message: (message) => void messages.push(message),
    malformed: ({ message }) => void faults.push(message),
    ended() {},
    closed() {},
  });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  void transport.send([ping]);
  await until(() => messages.length === 1);
  await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
  await until(() => faults.length === 1);
  await transport.close();
  expect(messages).toEqual([answers]);
  expect(faults).toEqual([
    "The response to a message other than a request has a body.",
  ]);
});

it("a client over HTTP rejects a URL that is not an HTTP URL", () => {
  expect(() => http("file:///etc/passwd")).toThrow(TypeError);
});
