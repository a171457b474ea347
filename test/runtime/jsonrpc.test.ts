import { describe, expect, it } from "vitest";
import {
  clientWire,
  errorOf,
  failure,
  type Json,
  legacy,
  legacyRevisions,
  makeServer,
  metaFor,
  modern,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
  text,
  turns,
  Wire,
} from "./kit.js";
import { where } from "./where.js";

type One = (typeof revisions)[number];

/** A server with one tool, its session open. */
async function ready(one: One, options: Parameters<typeof makeServer>[1] = {}): Promise<Wire> {
  const handlers = { "tools/call": (params: Json) => text(JSON.stringify(params)) };
  const wire = await serveWire(makeServer(one.protocol, { handlers, ...options }));
  if (!one.isModern) await shakeHands(wire, one.revision);
  await wire.rest();
  return wire;
}
const callOf = (one: One, rest: Json = {}): Json => ({
  name: "x",
  ...rest,
  ...(one.isModern && { _meta: { ...metaFor(one), ...(rest["_meta"] as Json) } }),
});

describe.each(revisions)("a server of $revision", (one) => {
  const { facts } = one;
  const code = (name: string): number => facts.errors[name] as number;
  const unread = facts.idlessErrors ? {} : { id: null };

  it.each([
    ["JRPC-01 a message without jsonrpc", { id: 7, method: "tools/call" }, { id: 7 }],
    ["JRPC-01 another jsonrpc", { jsonrpc: "1.0", id: 7, method: "tools/call" }, { id: 7 }],
    ["JRPC-02 the id null", { jsonrpc: "2.0", id: null, method: "tools/call" }, unread],
    ["JRPC-02 an id that is no integer", { jsonrpc: "2.0", id: 1.5, method: "tools/call" }, unread],
    ["JRPC-02 an id that is an object", { jsonrpc: "2.0", id: {}, method: "tools/call" }, unread],
    ["a method that is no text", { jsonrpc: "2.0", id: 7, method: 1 }, { id: 7 }],
    ["neither method nor result", { jsonrpc: "2.0", id: 7 }, { id: 7 }],
    ["text", "hello", unread],
    ["null", null, unread],
    ["a number", 12, unread],
  ])("JRPC-07 JRPC-11 answers -32600 to %s", async (_, message, expected) => {
    const wire = await ready(one);
    wire.send(message);
    const answer = await wire.next();
    expect(answer).toEqual({
      jsonrpc: "2.0",
      ...expected,
      error: { code: code("INVALID_REQUEST"), message: expect.any(String) },
    });
    expect(Object.hasOwn(answer, "id")).toBe(Object.hasOwn(expected, "id"));
    expect(resultOf(await wire.ask(8, "tools/call", callOf(one)))).toMatchObject({
      content: [{ type: "text" }],
    });
  });

  it("JRPC-08 notifications are never answered", async () => {
    const wire = await ready(one);
    for (const method of [
      "notifications/none",
      "tools/call",
      "notifications/cancelled",
      "notifications/initialized",
    ]) {
      wire.send({ jsonrpc: "2.0", method });
      wire.send({ jsonrpc: "2.0", method, params: { requestId: [] } });
      wire.send({ method });
    }
    expect(await wire.rest()).toEqual([]);
  });

  it("JRPC-04 refuses an id that is still in use, and takes it again later", async () => {
    let finish: ((result: Json) => void) | undefined;
    const handlers = { "tools/call": () => new Promise<Json>((resolve) => (finish = resolve)) };
    const wire = await ready(one, { handlers });
    wire.send({ jsonrpc: "2.0", id: "a", method: "tools/call", params: callOf(one) });
    expect(errorOf(await wire.ask("a", "tools/call", callOf(one)))["code"]).toBe(code("INVALID_REQUEST"));
    finish?.(text("first"));
    expect(await wire.next()).toMatchObject({ id: "a", result: text("first") });
    wire.send({ jsonrpc: "2.0", id: "a", method: "tools/call", params: callOf(one) });
    await turns();
    finish?.(text("second"));
    expect(await wire.next()).toMatchObject({ id: "a", result: text("second") });
  });

  it("JRPC-05 repeats the id with its type", async () => {
    const wire = await ready(one);
    for (const id of ["1", 1, "", 0, -5, "é"]) {
      expect((await wire.ask(id, "tools/call", callOf(one)))["id"]).toBe(id);
    }
  });

  it("JRPC-11 answers -32601 to a method it does not know, magic names among them", async () => {
    const wire = await ready(one);
    for (const method of ["no/such", "constructor", "__proto__", "toString", ""]) {
      const answer = await wire.ask(1, method, callOf(one));
      expect(errorOf(answer)["code"], method).toBe(code("METHOD_NOT_FOUND"));
    }
  });

  it("JRPC-11 answers -32603 without a word of what a handler threw", async () => {
    const told: Error[] = [];
    for (const thrown of [new Error("secret"), "secret", null, { code: -32000, message: "secret" }]) {
      const handlers = {
        "tools/call": () => {
          throw thrown;
        },
      };
      const wire = await ready(one, { handlers, onError: (error) => told.push(error) });
      expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))).toEqual({
        code: code("INTERNAL_ERROR"),
        message: "Internal error",
      });
    }
    expect(told).toHaveLength(4);
    expect(told[0]?.message).toBe("secret");
  });

  it("JRPC-16 META-07 hands a handler the very members that came, unknown ones too", async () => {
    const wire = await ready(one);
    const params = callOf(
      one,
      JSON.parse('{"later":[1,null],"__proto__":{"a":1},"_meta":{"x/y":2}}') as Json,
    );
    const { content } = resultOf(await wire.ask(1, "tools/call", params));
    expect(JSON.parse((content as readonly Json[])[0]?.["text"] as string)).toEqual(params);
  });

  it("answers although a result cannot be sent", async () => {
    const told: Error[] = [];
    const handlers = { "tools/call": () => ({ content: [], big: 1n }) };
    const wire = await ready(one, { handlers, onError: (error) => told.push(error) });
    expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))["code"]).toBe(code("INTERNAL_ERROR"));
    expect(told).toHaveLength(1);
  });

  it("bounds what is worked on at once and what waits", async () => {
    let running = 0;
    let most = 0;
    const open: (() => void)[] = [];
    const handlers = {
      "tools/call": async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => open.push(resolve));
        running--;
        return text("done");
      },
    };
    const wire = await ready(one, { handlers, maxInFlight: 3, maxQueue: 4 });
    for (let id = 0; id < 10; id++)
      wire.send({ jsonrpc: "2.0", id, method: "tools/call", params: callOf(one) });
    await turns();
    expect(running).toBe(3);
    const refused = await wire.rest();
    expect(refused.map(({ id }) => id)).toEqual([7, 8, 9]);
    expect(errorOf(refused[0] as Json)["code"]).toBe(code("INTERNAL_ERROR"));
    // One that waits may be given up too, and never starts.
    wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
    while (open.length > 0) {
      open.shift()?.();
      await turns();
    }
    expect((await wire.rest()).map(({ id }) => id)).toEqual([7, 8, 9, 0, 1, 2, 4, 5, 6]);
    expect(most).toBe(3);
  });

  it("CANC-03 sends no answer for what was cancelled", async () => {
    let aborted: unknown;
    const handlers = {
      "tools/call": (_: Json, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted = signal.reason;
            resolve(text("too late"));
          }),
        ),
    };
    const wire = await ready(one, { handlers });
    wire.send({ jsonrpc: "2.0", id: 5, method: "tools/call", params: callOf(one) });
    await turns();
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 5, reason: "bored" },
    });
    expect(await wire.rest()).toEqual([]);
    expect(aborted).toMatchObject({ name: "AbortError", message: "bored" });
  });

  it("CANC-04 ignores what cancels nothing, or is malformed", async () => {
    const wire = await ready(one);
    for (const params of [
      { requestId: "none" },
      { requestId: null },
      {},
      undefined,
      { requestId: 1, reason: {} },
    ]) {
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    expect(await wire.rest()).toEqual([]);
  });

  it("PROG-02 PROG-07 sends no progress without a token, nor after the answer", async () => {
    let late: ((progress: number) => void) | undefined;
    const handlers = {
      "tools/call": (_: Json, { progress }: { progress: (progress: number) => void }) => {
        progress(1);
        late = progress;
        return text("done");
      },
    };
    const wire = await ready(one, { handlers });
    await wire.ask(1, "tools/call", callOf(one));
    expect(await wire.rest()).toEqual([]);
    const token = { _meta: { progressToken: "t" } };
    expect(await wire.ask(2, "tools/call", callOf(one, token))).toMatchObject({
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1 },
    });
    await wire.next();
    late?.(2);
    expect(await wire.rest()).toEqual([]);
  });
});

describe.each(legacyRevisions)("arrays to a server of $revision", (one) => {
  const { facts } = one;
  const batch = (...ids: readonly number[]): Json[] =>
    ids.map((id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x" } }));

  it.each(where(facts.batches))(
    "BATCH-01 BATCH-02 answers each request of a batch, and no notification",
    async () => {
      const wire = await ready(one);
      wire.send([...batch(1, 2), { jsonrpc: "2.0", method: "notifications/none" }, ...batch(3)]);
      await turns();
      expect((await wire.rest()).map(({ id }) => id)).toEqual([1, 2, 3]);
    },
  );

  it.each(where(facts.batches))(
    "BATCH-04 answers -32600 to an empty batch and to each element that is no message",
    async () => {
      const wire = await ready(one);
      wire.send([]);
      wire.send([1, ...batch(2), []]);
      const answers = await wire.rest();
      expect(answers.map(({ id, error }) => [id, (error as Json | undefined)?.["code"]])).toEqual([
        [null, -32600],
        [null, -32600],
        [2, undefined],
        [null, -32600],
      ]);
    },
  );

  it.each(where(facts.batches))("bounds the length of a batch", async () => {
    const wire = await ready(one, { maxBatch: 3 });
    wire.send(batch(1, 2, 3, 4));
    expect(await wire.rest()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it("BATCH-03 refuses an array before and for the handshake", async () => {
    const wire = await serveWire(makeServer(one.protocol));
    wire.send([{ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }]);
    expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
  });

  it.each(where(!facts.batches))("BATCH-05 refuses an array", async () => {
    const wire = await ready(one);
    wire.send(batch(1, 2));
    expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
  });
});

it("BATCH-05 a modern server refuses an array", async () => {
  const wire = await ready(modern);
  wire.send([{ jsonrpc: "2.0", id: 1, method: "tools/call", params: callOf(modern) }]);
  expect(await wire.rest()).toMatchObject([{ error: { code: -32600 } }]);
});

describe.each(revisions)("a client of $revision", (one) => {
  const call = { name: "x" };
  const done = { ...text("done"), ...(one.isModern && { resultType: "complete" }) };

  it("JRPC-03 JRPC-04 PROG-01 never uses an id or a token twice", async () => {
    const { client, wire } = await clientWire(one);
    const ids = new Set<unknown>([0]);
    const tokens = new Set<unknown>();
    for (let i = 0; i < 20; i++) {
      const calling = client.callTool(call, { onProgress: () => {} });
      const { id, params } = await wire.answer(done);
      const { progressToken } = (params as Json)["_meta"] as Json;
      expect(ids.has(id) || tokens.has(progressToken)).toBe(false);
      ids.add(id);
      tokens.add(progressToken);
      await calling;
    }
  });

  it.each([
    ["both result and error", { result: {}, error: { code: 1, message: "x" } }],
    ["a result that is no object", { result: "done" }],
    ["an error without a code", { error: { message: "x" } }],
    ["JRPC-06 a code that is no integer", { error: { code: 1.5, message: "x" } }],
    ["JRPC-06 a message that is no text", { error: { code: 1, message: null } }],
  ])("JRPC-05 rejects a response with %s", async (_, members) => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call));
    const { id } = await wire.next();
    wire.send({ jsonrpc: "2.0", id, ...members });
    expect((await calling).name).toBe("ValidationError");
  });

  it("JRPC-06 JRPC-17 hands on the peer's error: code, message and data", async () => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call));
    const { id } = await wire.next();
    wire.send({ jsonrpc: "2.0", id, error: { code: -32002, message: "gone", data: { uri: "a:b" } } });
    expect(await calling).toMatchObject({
      name: "McpError",
      code: -32002,
      message: "gone",
      data: { uri: "a:b" },
    });
  });

  it("rejects a result of the wrong type, and says where the fault is", async () => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call));
    await wire.answer({ ...done, content: [{ type: "text", text: 7 }] });
    const error = await calling;
    expect(error.name).toBe("ValidationError");
    expect(error.message).toMatch(/^tools\/call result: content\[0\]\.text: /);
    expect(error["issues"]).toMatchObject([{ path: ["content", 0, "text"] }]);
  });

  it("CANC-05 ignores a response that nobody waits for", async () => {
    const told: Error[] = [];
    const { client, wire } = await clientWire(one, { onError: (error) => told.push(error) });
    const controller = new AbortController();
    const calling = failure(client.callTool(call, { signal: controller.signal }));
    const { id } = await wire.next();
    controller.abort("enough");
    expect(await calling).toBe("enough");
    wire.send({ jsonrpc: "2.0", id, result: done });
    wire.send({ jsonrpc: "2.0", id: "unheard of", result: done });
    await turns();
    expect(told).toEqual([]);
  });

  it("CANC-01 CANC-07 CANC-09 TIME-02 tells the server that it no longer waits", async () => {
    const { client, wire } = await clientWire(one);
    const controller = new AbortController();
    const calling = failure(client.callTool(call, { signal: controller.signal }));
    const { id } = await wire.next();
    controller.abort(new Error("enough"));
    expect((await calling).message).toBe("enough");
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled" };
    expect(await wire.next()).toMatchObject({
      ...cancelled,
      params: { requestId: id, reason: expect.any(String) },
    });
    const late = client.callTool(call, { timeout: 5 });
    const second = await wire.next();
    expect(await failure(late)).toMatchObject({
      name: "TimeoutError",
      message: "tools/call: no answer within 5 ms.",
    });
    expect(await wire.next()).toMatchObject({ ...cancelled, params: { requestId: second["id"] } });
  });

  it("sends nothing for a call that was given up before", async () => {
    const { client, wire } = await clientWire(one);
    expect(await failure(client.callTool(call, { signal: AbortSignal.abort("no") }))).toBe("no");
    expect(await wire.rest()).toEqual([]);
  });

  it("TIME-01 TIME-03 waits as long as there is progress, but not for ever", async () => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call, { timeout: 200, maxTimeout: 500, onProgress: () => {} }));
    const { params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    let progress = 0;
    const beat = setInterval(
      () =>
        wire.send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken, progress: progress++ },
        }),
      10,
    );
    const error = await calling;
    clearInterval(beat);
    expect(error.message).toBe("tools/call: no answer within 500 ms.");
  });

  it("PROG-03 PROG-07 passes over progress that steps back, and over unknown tokens", async () => {
    const { client, wire } = await clientWire(one);
    const heard: number[] = [];
    const calling = client.callTool(call, { onProgress: ({ progress }) => heard.push(progress) });
    const { id, params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    for (const progress of [1, 1, 0.5, 2.5, -1, 3]) {
      wire.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } });
    }
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "?", progress: 9 },
    });
    wire.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: "4" } });
    wire.send({ jsonrpc: "2.0", id, result: done });
    await calling;
    expect(heard).toEqual([1, 2.5, 3]);
    wire.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 9 } });
    await turns();
    expect(heard).toEqual([1, 2.5, 3]);
  });

  it("reports what is no message, and goes on", async () => {
    const told: Error[] = [];
    const { client, wire } = await clientWire(one, { onError: (error) => told.push(error) });
    for (const message of [
      null,
      1,
      {},
      { method: "x" },
      { jsonrpc: "2.0", error: { code: -32700, message: "?" } },
    ]) {
      wire.send(message);
    }
    const calling = client.callTool(call);
    await turns();
    const request = wire.seen.find(({ method }) => method === "tools/call") as Json;
    wire.send({ jsonrpc: "2.0", id: request["id"], result: done });
    expect(await calling).toMatchObject(text("done"));
    expect(told).toHaveLength(5);
  });

  it("a listener that throws is reported, and hurts nobody", async () => {
    const told: Error[] = [];
    const { client, wire } = await clientWire(one, {
      onError: (error) => told.push(error),
      handlers: {
        "notifications/tools/list_changed": () => {
          throw new Error("my fault");
        },
      },
    });
    wire.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    const calling = client.callTool(call);
    await wire.answer(done);
    await calling;
    expect(told.map(({ message }) => message)).toEqual(["my fault"]);
  });
});

describe("a client of the modern era", () => {
  it("JRPC-13 JRPC-14 does not answer a request of the server's, and reports it", async () => {
    const told: Error[] = [];
    const { wire } = await clientWire(modern, {
      onError: (error) => told.push(error),
      handlers: { "roots/list": () => ({ roots: [] }) },
    });
    for (const method of ["roots/list", "ping", "no/such"]) wire.send({ jsonrpc: "2.0", id: method, method });
    wire.send([{ jsonrpc: "2.0", id: 1, method: "roots/list" }]);
    expect(await wire.rest()).toEqual([]);
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringContaining("roots/list"),
      expect.stringContaining("ping"),
      expect.stringContaining("no/such"),
      expect.stringContaining("Not a message"),
    ]);
  });
});

describe("a client of the legacy era", () => {
  it("JRPC-02 JRPC-11 answers what is no request, and what it does not know", async () => {
    const { wire } = await clientWire(legacy);
    expect(errorOf(await wire.ask(1, "no/such"))["code"]).toBe(-32601);
    wire.send({ jsonrpc: "2.0", id: 1.5, method: "ping" });
    expect(errorOf(await wire.next())["code"]).toBe(-32600);
  });

  it("PING-01 answers a ping, before the handshake is done too", async () => {
    const { wire } = await clientWire(legacy);
    expect(await wire.ask("p", "ping")).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
  });
});
