import { McpError, memoryPair, serve } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  legacyRevisions,
  makeServer,
  resultOf,
  revisions,
  text,
  turns,
  Wire,
} from "../kit/index.js";
import { callOf, ready } from "../kit/calls.js";
import { gate } from "../kit/watch.js";

describe.each(revisions)("a server of $revision", (one) => {
  const { facts } = one;
  const code = (name: string): number => facts.errors[name] as number;
  const unread = facts.idlessErrors ? {} : { id: null };

  it.each([
    [
      "JRPC-01 a message without jsonrpc",
      { id: 7, method: "tools/call" },
      { id: 7 },
    ],
    [
      "JRPC-01 another jsonrpc",
      { jsonrpc: "1.0", id: 7, method: "tools/call" },
      { id: 7 },
    ],
    [
      "JRPC-02 the id null",
      { jsonrpc: "2.0", id: null, method: "tools/call" },
      unread,
    ],
    [
      "JRPC-02 an id that is not an integer",
      { jsonrpc: "2.0", id: 1.5, method: "tools/call" },
      unread,
    ],
    [
      "JRPC-02 an id that is an object",
      { jsonrpc: "2.0", id: {}, method: "tools/call" },
      unread,
    ],
    [
      "a method that is not a string",
      { jsonrpc: "2.0", id: 7, method: 1 },
      { id: 7 },
    ],
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
    expect(
      resultOf(await wire.ask(8, "tools/call", callOf(one))),
    ).toMatchObject({
      content: [{ type: "text" }],
    });
  });

  it("JRPC-08 never answers notifications", async () => {
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

  it("JRPC-04 rejects an id that is still in use, and accepts it again after the response", async () => {
    let finish: ((result: Json) => void) | undefined;
    const handlers = {
      "tools/call": () => new Promise<Json>((resolve) => (finish = resolve)),
    };
    const wire = await ready(one, { handlers });
    wire.send({
      jsonrpc: "2.0",
      id: "a",
      method: "tools/call",
      params: callOf(one),
    });
    expect(
      errorOf(await wire.ask("a", "tools/call", callOf(one)))["code"],
    ).toBe(code("INVALID_REQUEST"));
    finish?.(text("first"));
    expect(await wire.next()).toMatchObject({ id: "a", result: text("first") });
    wire.send({
      jsonrpc: "2.0",
      id: "a",
      method: "tools/call",
      params: callOf(one),
    });
    await turns();
    finish?.(text("second"));
    expect(await wire.next()).toMatchObject({
      id: "a",
      result: text("second"),
    });
  });

  it.each(["1", 1, "", 0, -5, "é"])(
    "JRPC-05 repeats the id %j with its type",
    async (id) => {
      const wire = await ready(one);
      expect((await wire.ask(id, "tools/call", callOf(one)))["id"]).toBe(id);
    },
  );

  it.each(["no/such", "constructor", "__proto__", "toString", ""])(
    "JRPC-11 answers the unknown method %j with -32601",
    async (method) => {
      const wire = await ready(one);
      const answer = await wire.ask(1, method, callOf(one));
      expect(errorOf(answer)["code"]).toBe(code("METHOD_NOT_FOUND"));
    },
  );

  it.each([
    new Error("secret"),
    "secret",
    null,
    { code: -32000, message: "secret" },
  ])(
    "JRPC-11 answers with -32603 and without the message if a handler threw %s",
    async (thrown) => {
      const errors: Error[] = [];
      const handlers = {
        "tools/call": () => {
          throw thrown;
        },
      };
      const wire = await ready(one, {
        handlers,
        onError: (error) => errors.push(error),
      });
      expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))).toEqual({
        code: code("INTERNAL_ERROR"),
        message: "Internal error",
      });
      expect(errors).toHaveLength(1);
    },
  );

  it("JRPC-16 META-07 passes all members of the params to the handler, also unknown ones", async () => {
    const wire = await ready(one);
    const params = callOf(
      one,
      JSON.parse(
        '{"later":[1,null],"__proto__":{"a":1},"_meta":{"x/y":2}}',
      ) as Json,
    );
    const { content } = resultOf(await wire.ask(1, "tools/call", params));
    expect(
      JSON.parse((content as readonly Json[])[0]?.["text"] as string),
    ).toEqual(params);
  });

  it("answers with an error if a result cannot be sent", async () => {
    const errors: Error[] = [];
    const handlers = { "tools/call": () => ({ content: [], big: 1n }) };
    const wire = await ready(one, {
      handlers,
      onError: (error) => errors.push(error),
    });
    expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))["code"]).toBe(
      code("INTERNAL_ERROR"),
    );
    expect(errors).toHaveLength(1);
  });

  it("reports the error of a transport that does not take an answer, and serves the next request", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const send = serverTransport.send.bind(serverTransport);
    const faults = ["first", "second"];
    const seen: [string, string | undefined][] = [];
    const broken = Object.assign(serverTransport, {
      send: (...args: Parameters<typeof send>) => {
        const fault = faults.shift();
        if (fault !== undefined) throw new Error(fault);
        return send(...args);
      },
    });
    const onError = (error: Error, where?: string): void =>
      void seen.push([error.message, where]);
    await serve(broken, makeServer(one.protocol, { handlers: {}, onError }));
    const wire = new Wire(clientTransport);
    wire.send({ jsonrpc: "2.0", id: 1, method: 5 });
    await turns();
    wire.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: 5 });
    expect(errorOf(await wire.ask(3, "tools/call", 5 as never))).toMatchObject({
      code: code("INVALID_PARAMS"),
    });
    expect(seen.filter(([, where]) => where === undefined)).toEqual([
      ['Not a message: {"jsonrpc":"2.0","id":1,"method":5}.', undefined],
      ["first", undefined],
      ["second", undefined],
    ]);
  });

  it("answers each request of the queue whose handler throws at once", async () => {
    const first = gate<void>();
    const handlers = {
      "tools/call": ({ name }: Json) => {
        if (name === "first") return first.ended.then(() => text("done"));
        throw new McpError(-5, `${String(name)} fails`);
      },
    };
    const wire = await ready(one, { handlers, limits: { inFlight: 1 } });
    for (const [id, name] of ["first", "second", "third"].entries())
      wire.send({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { ...callOf(one), name },
      });
    await turns();
    first.end();
    await turns();
    const answers = await wire.rest();
    expect(answers.map(({ id, error }) => [id, error])).toEqual([
      [0, undefined],
      [1, { code: -5, message: "second fails" }],
      [2, { code: -5, message: "third fails" }],
    ]);
  });

  it("resolves `close` once its transport is closed, not before", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const closing = gate<void>();
    const close = serverTransport.close.bind(serverTransport);
    const slow = Object.assign(serverTransport, {
      close: () => close().then(() => closing.ended),
    });
    const serving = await serve(slow, makeServer(one.protocol, {}));
    const events: string[] = [];
    const closed = serving.close().then(() => events.push("closed"));
    await turns();
    events.push("the transport is closed");
    closing.end();
    await closed;
    expect(events).toEqual(["the transport is closed", "closed"]);
    await clientTransport.close();
  });

  it("limits the number of running and of queued requests", async () => {
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
    const wire = await ready(one, { handlers, limits: { inFlight: 1 } });
    for (let id = 0; id < 8; id++)
      wire.send({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: callOf(one),
      });
    await turns();
    expect(running).toBe(1);
    const refused = await wire.rest();
    expect(refused.map(({ id }) => id)).toEqual([5, 6, 7]);
    expect(errorOf(refused[0] as Json)["code"]).toBe(code("INTERNAL_ERROR"));
    // A queued request can be cancelled too, and its handler never runs.
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 3 },
    });
    while (open.length > 0) {
      open.shift()?.();
      await turns();
    }
    expect((await wire.rest()).map(({ id }) => id)).toEqual([
      5, 6, 7, 0, 1, 2, 4,
    ]);
    expect(most).toBe(1);
  });
});

it.each(legacyRevisions)(
  "a server of $revision reports the error of a handler of a notification, and goes on",
  async (one) => {
    const seen: [string, string | undefined][] = [];
    const method = "notifications/roots/list_changed";
    const wire = await ready(one, {
      handlers: {
        "tools/call": () => text("done"),
        [method]: () => {
          throw new Error("no roots");
        },
      },
      onError: (error, where) => void seen.push([error.message, where]),
    });
    wire.send({ jsonrpc: "2.0", method });
    expect(resultOf(await wire.ask(1, "tools/call", callOf(one)))).toEqual(
      text("done"),
    );
    expect(seen).toEqual([["no roots", method]]);
  },
);
