import { isSessionError } from "@mcpgen/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type AnyHandler,
  type ClientOptions,
  clientWire,
  failure,
  type Json,
  modern,
  text,
  textOf,
  turns,
} from "../kit/index.js";

const call = { name: "tool", arguments: { a: 1 } };
const done = { ...text("done"), resultType: "complete" };
const form = (properties: Json = {}): Json => ({
  message: "?",
  requestedSchema: { type: "object", properties },
});
const elicit = (params: Json = form()): Json => ({
  method: "elicitation/create",
  params,
});
const asks = (inputRequests: Json, requestState?: unknown): Json => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

const handlers: Readonly<Record<string, AnyHandler>> = {
  "elicitation/create": () => ({ action: "decline" }),
  "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
  "sampling/createMessage": () => ({
    role: "assistant",
    content: { type: "text", text: "hi" },
    model: "none",
  }),
};
const open = (options: ClientOptions = {}): ReturnType<typeof clientWire> =>
  clientWire(modern, { handlers, ...options });
const paramsOf = ({ params }: Json): Json => params as Json;

describe("a client that is asked for input inside a result", () => {
  afterEach(() => void vi.useRealTimers());

  it("MRTR-05 MRTR-06 MRTR-07 answers all questions, echoes the state byte for byte, under a new id", async () => {
    const { client, wire } = await open();
    const calling = client.callTool(call);
    const state = "\u0000 é 🎲 \n \\u0041 =";
    const first = await wire.answer(
      asks(
        {
          a: elicit(),
          __proto__: null,
          b: { method: "roots/list" },
          c: {
            method: "sampling/createMessage",
            params: { messages: [], maxTokens: 1 },
          },
        },
        state,
      ),
    );
    const second = await wire.next();
    expect(second["id"]).not.toBe(first["id"]);
    expect(paramsOf(second)).toEqual({
      ...paramsOf(first),
      requestState: state,
      inputResponses: {
        a: { action: "decline" },
        b: { roots: [{ uri: "file:///home" }] },
        c: {
          role: "assistant",
          content: { type: "text", text: "hi" },
          model: "none",
        },
      },
    });
    wire.send({ jsonrpc: "2.0", id: second["id"], result: done });
    expect(textOf(await calling)).toBe("done");
  });

  it("MRTR-06 sends no state when there was none, and only the last one when there were more", async () => {
    const { client, wire } = await open();
    const calling = client.callTool(call);
    await wire.answer(asks({ a: elicit() }, "one"));
    const second = await wire.answer(asks({ b: elicit() }));
    expect(paramsOf(second)["requestState"]).toBe("one");
    const third = await wire.answer(done);
    expect(Object.keys(paramsOf(third))).not.toContain("requestState");
    expect(Object.keys(paramsOf(third)["inputResponses"] as Json)).toEqual([
      "b",
    ]);
    await calling;
  });

  it("MRTR-08 sends answers and state only with their own call", async () => {
    const { client, wire } = await open();
    const calling = client.callTool(call);
    await wire.answer(asks({ a: elicit() }, "state"));
    const other = client.callTool(call);
    await turns();
    const [again, fresh] = (await wire.rest())
      .slice(-2)
      .sort((x) => (paramsOf(x)["requestState"] ? -1 : 1));
    expect(Object.keys(paramsOf(fresh as Json))).not.toContain("requestState");
    expect(Object.keys(paramsOf(fresh as Json))).not.toContain(
      "inputResponses",
    );
    for (const { id } of [again, fresh] as Json[])
      wire.send({ jsonrpc: "2.0", id, result: done });
    await Promise.all([calling, other]);
  });

  it("MRTR-09 retries with only the state after a delay, a limited number of times", async () => {
    const { client, wire } = await open({ limits: { rounds: 2 } });
    const calling = failure(client.callTool(call));
    await wire.answer({ resultType: "input_required", requestState: "1" });
    const second = await wire.answer({
      resultType: "input_required",
      requestState: "2",
    });
    expect(paramsOf(second)).toMatchObject({ requestState: "1" });
    expect(Object.keys(paramsOf(second))).not.toContain("inputResponses");
    await wire.answer({ resultType: "input_required", requestState: "3" });
    const error = await calling;
    expect(isSessionError(error) && error.reason).toBe("rounds");
  });

  it("MRTR-14 limits the number of rounds, and rejects with a SessionError", async () => {
    const { client, wire } = await open();
    const calling = failure(client.callTool(call));
    for (let i = 0; i < 9; i++) await wire.answer(asks({ [i]: elicit() }));
    const error = await calling;
    expect(isSessionError(error) && error.reason).toBe("rounds");
    expect(await wire.rest()).toEqual([]);
  });

  it("MRTR-15 sends no retry if a handler fails, aborts the others, and rejects with the error", async () => {
    let stopped: unknown;
    const { client, wire } = await open({
      handlers: {
        ...handlers,
        "roots/list": () => {
          throw new Error("no roots today");
        },
        "elicitation/create": (_, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener("abort", () => {
              stopped = signal.reason;
              resolve({ action: "cancel" });
            }),
          ),
      },
    });
    const calling = failure(client.callTool(call));
    await wire.answer(
      asks({ form: elicit(), roots: { method: "roots/list" } }),
    );
    expect((await calling).message).toBe("no roots today");
    expect(stopped).toMatchObject({
      name: "AbortError",
      message: "The call has ended.",
    });
    expect(await wire.rest()).toEqual([]);
  });

  it.each([
    ["roots", { method: "roots/list" }, "roots/list"],
    [
      "URL mode",
      elicit({ mode: "url", message: "Go", url: "https://x.y" }),
      "elicitation/create",
    ],
    [
      "tools in sampling",
      {
        method: "sampling/createMessage",
        params: { messages: [], maxTokens: 1, toolChoice: {} },
      },
      "sampling",
    ],
    [
      "an unknown method",
      { method: "tools/call", params: { name: "x" } },
      "inputRequests.x.method",
    ],
    [
      "a malformed form",
      elicit({ requestedSchema: {} }),
      "inputRequests.x.params.message",
    ],
  ])(
    "MRTR-04 ELIC-02 SAMP-04 rejects the call when asked for %s that it did not declare",
    async (_, request, named) => {
      const { "roots/list": _roots, ...declared } = handlers;
      const { client, wire } = await open({ handlers: declared });
      const calling = failure(client.callTool(call));
      await wire.answer(asks({ x: request }));
      const error = await calling;
      expect(error.message).toContain(named);
      // JRPC-17: it is nothing that the peer said.
      expect(error.name).toMatch(/^(SessionError|ValidationError)$/);
      expect(await wire.rest()).toEqual([]);
    },
  );

  it("MRTR-02 rejects a result whose questions are missing or not an object", async () => {
    const { client, wire } = await open();
    for (const result of [
      { resultType: "input_required" },
      asks([] as never),
      asks({}, 7),
    ]) {
      const calling = failure(client.callTool(call));
      await wire.answer(result);
      expect((await calling).name).toBe("ValidationError");
    }
    expect(await wire.rest()).toEqual([]);
  });

  it("MRTR-01 JRPC-10 rejects input_required for other methods, and an unknown type of result", async () => {
    const { client, wire } = await open();
    const listing = failure(client.listTools());
    await wire.answer(asks({ a: elicit() }));
    expect((await listing).message).toBe(
      'tools/list result: resultType: unexpected "input_required"',
    );
    const calling = failure(client.callTool(call));
    await wire.answer({ ...done, resultType: "task" });
    expect((await calling).message).toBe(
      'tools/call result: resultType: unexpected "task"',
    );
    const strange = failure(client.callTool({ name: "x" }));
    await wire.answer({ resultType: { toString: 0, valueOf: 0 } });
    expect((await strange).message).toBe(
      'tools/call result: resultType: unexpected {"toString":0,"valueOf":0}',
    );
    expect(await wire.rest()).toEqual([]);
  });

  it("JRPC-10 treats a result without a type as complete", async () => {
    const { client, wire } = await open();
    const calling = client.callTool(call);
    await wire.answer(text("done"));
    expect(await calling).toEqual(done);
  });

  it.each([undefined, -5])(
    "CACHE-03 treats a result with the time to live %j as stale",
    async (ttlMs) => {
      const { client, wire } = await open();
      const listing = client.listTools();
      await wire.answer({ tools: [], ttlMs });
      expect(await listing).toEqual({
        tools: [],
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
      });
    },
  );

  it("CANC-09 aborts a call between two rounds, and the signal of its handler", async () => {
    let stopped: unknown;
    const { client, wire } = await open({
      handlers: {
        ...handlers,
        "elicitation/create": (_, { signal, requestId }) =>
          new Promise(() =>
            signal.addEventListener(
              "abort",
              () => (stopped = [requestId, signal.reason]),
            ),
          ),
      },
    });
    const controller = new AbortController();
    const calling = failure(
      client.callTool(call, { signal: controller.signal }),
    );
    await wire.answer(asks({ key: elicit() }));
    await turns();
    controller.abort("enough");
    expect(await calling).toBe("enough");
    expect(stopped).toEqual(["key", "enough"]);
    expect(await wire.rest()).toEqual([]);
  });

  it("TIME-01 does not limit the time of a handler by the timeout of the server", async () => {
    const { client, wire } = await open({
      timeout: 600,
      handlers: {
        "elicitation/create": async () => {
          await vi.advanceTimersByTimeAsync(3_600_000);
          return { action: "decline" };
        },
      },
    });
    vi.useFakeTimers();
    const calling = client.callTool(call);
    await wire.answer(asks({ key: elicit() }));
    await wire.answer(done);
    vi.useRealTimers();
    expect(textOf(await calling)).toBe("done");
  });

  it("ELIC-05 ELIC-07 adds the defaults of all fields, only if the form was accepted", async () => {
    const fields = {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: {
        type: "string",
        enum: ["active", "inactive"],
        default: "active",
      },
      many: {
        type: "array",
        items: { type: "string", enum: ["a", "b"] },
        default: ["a"],
      },
      verified: { type: "boolean", default: true },
      bare: { type: "string" },
      given: { type: "string", default: "not this" },
    };
    const answers: Json[] = [
      { action: "accept", content: { given: "this" } },
      { action: "decline" },
    ];
    const { client, wire } = await open({
      handlers: { "elicitation/create": () => answers.shift() },
    });
    const calling = client.callTool(call);
    await wire.answer(asks({ a: elicit(form(fields)) }));
    const filled = await wire.answer(asks({ b: elicit(form(fields)) }));
    const declined = await wire.answer(done);
    await calling;
    expect(paramsOf(filled)["inputResponses"]).toEqual({
      a: {
        action: "accept",
        content: {
          name: "John Doe",
          age: 30,
          score: 95.5,
          status: "active",
          many: ["a"],
          verified: true,
          given: "this",
        },
      },
    });
    expect(paramsOf(declined)["inputResponses"]).toEqual({
      b: { action: "decline" },
    });
  });

  const url = (value: string): Json => ({
    mode: "url",
    message: "?",
    url: value,
  });
  const both = { elicitation: { form: {}, url: {} } };

  it.each([
    "not a url",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
  ])("does not pass the URL %s to its handler (ELIC-14)", async (address) => {
    const seen: Json[] = [];
    const { client, wire } = await open({
      capabilities: both,
      handlers: {
        "elicitation/create": (params) => (
          seen.push(params),
          { action: "accept" }
        ),
      },
    });
    const calling = failure(client.callTool(call));
    await wire.answer(asks({ a: elicit(url(address)) }));
    expect((await calling).message).toMatch(
      /params.url: expected an http or https URL/,
    );
    expect(seen).toEqual([]);
    expect(await wire.rest()).toEqual([]);
  });

  it("warns of an http URL on another machine, and passes the identity of the server (ELIC-15, ELIC-18)", async () => {
    const warnings: string[] = [];
    const origins: unknown[] = [];
    const { client, wire } = await open({
      capabilities: both,
      onWarning: (message) => warnings.push(message),
      handlers: {
        "elicitation/create": (_, context) => {
          origins.push((context as unknown as { server: Json }).server["info"]);
          return { action: "accept" };
        },
      },
    });
    const calling = client.callTool(call);
    await wire.answer(
      asks({
        a: elicit(url("http://example.com/x")),
        b: elicit(url("http://127.0.0.1:8080/")),
      }),
    );
    await wire.answer(done);
    await calling;
    expect(warnings).toEqual([
      expect.stringContaining("http://example.com is not encrypted"),
    ]);
    expect(origins).toEqual([client.server.info, client.server.info]);
  });

  it.each([
    ["decline", "a form", form()],
    ["accept", "a page", url("https://example.com/")],
  ] as const)(
    "sends no content with %s for %s, and warns of it (ELIC-05)",
    async (action, _, params) => {
      const warnings: string[] = [];
      const { client, wire } = await open({
        capabilities: both,
        onWarning: (message) => warnings.push(message),
        handlers: {
          "elicitation/create": () => ({ action, content: { secret: 1 } }),
        },
      });
      const calling = client.callTool(call);
      await wire.answer(asks({ a: elicit(params) }));
      const second = await wire.answer(done);
      await calling;
      expect(paramsOf(second)["inputResponses"]).toEqual({ a: { action } });
      expect(warnings).toHaveLength(1);
    },
  );

  it("runs no handler above the maximum number of questions per minute (ELIC-19, SAMP-10)", async () => {
    let runs = 0;
    const { client, wire } = await open({
      limits: { questionsPerMinute: 2 },
      handlers: { "elicitation/create": () => (runs++, { action: "decline" }) },
    });
    const calling = failure(client.callTool(call));
    await wire.answer(asks({ a: elicit(), b: elicit(), c: elicit() }));
    expect((await calling).message).toMatch(
      /more than 2 requests in one minute/,
    );
    expect(runs).toBe(2);
    expect(await wire.rest()).toEqual([]);
  });

  it.each([
    "file:///home/../etc",
    "file://../x",
    "file:///home/%2e%2e/etc",
    "file:///a/%2E./b",
    "file:///a%2f..%2fb",
    "file:///a/..",
  ])("does not send the root %s (ROOT-06)", async (uri) => {
    const { client, wire } = await open({
      handlers: { "roots/list": () => ({ roots: [{ uri }] }) },
    });
    const calling = failure(client.callTool(call));
    await wire.answer(asks({ a: { method: "roots/list" } }));
    expect((await calling).message).toMatch(/roots\[0\]\.uri/);
    expect(await wire.rest()).toEqual([]);
  });

  it("sends roots with dots inside of names (ROOT-06)", async () => {
    const roots = [{ uri: "file:///home/.config/a..b/...x" }];
    const { client, wire } = await open({
      handlers: { "roots/list": () => ({ roots }) },
    });
    const calling = client.callTool(call);
    await wire.answer(asks({ a: { method: "roots/list" } }));
    expect(paramsOf(await wire.answer(done))["inputResponses"]).toEqual({
      a: { roots },
    });
    await calling;
  });
});
