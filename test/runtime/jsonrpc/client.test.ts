import { memoryPair } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  clientWire,
  errorOf,
  failure,
  type Json,
  legacy,
  makeClient,
  modern,
  revisions,
  text,
  turns,
  Wire,
} from "../kit/index.js";
import { doneIn } from "../kit/calls.js";

describe.each(revisions)("a client of $revision", (one) => {
  const call = { name: "x" };
  const done = doneIn(one);

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
    ["a result that is not an object", { result: "done" }],
    ["an error without a code", { error: { message: "x" } }],
    [
      "JRPC-06 a code that is not an integer",
      { error: { code: 1.5, message: "x" } },
    ],
    [
      "JRPC-06 a message that is not a string",
      { error: { code: 1, message: null } },
    ],
    ["no version", { jsonrpc: undefined, result: {} }],
    ["another version", { jsonrpc: "1.0", error: { code: 1, message: "x" } }],
  ])("JRPC-05 rejects a response with %s", async (_, members) => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call));
    const { id } = await wire.next();
    wire.send({ jsonrpc: "2.0", id, ...members });
    expect((await calling).name).toBe("ValidationError");
  });

  it.each([
    ["text", { error: "The key has expired." }, "The key has expired."],
    [
      "an object without a code",
      { error: { detail: "The key has expired." } },
      "The key has expired.",
    ],
    ["a number", { error: 17 }, "17"],
    ["no error, and its result is text", { result: "done" }, "done"],
  ])(
    "quotes a response whose error is %s, escaped and cut",
    async (_, members, quoted) => {
      const { client, wire } = await clientWire(one);
      const calling = failure(client.callTool(call));
      const { id } = await wire.next();
      wire.send({ jsonrpc: "2.0", id, ...members });
      expect((await calling).message).toContain(quoted);
      const longCall = failure(client.callTool(call));
      wire.send({
        jsonrpc: "2.0",
        id: (await wire.next())["id"],
        error: `\u001b[2J${"x".repeat(5000)}`,
      });
      const { message } = await longCall;
      expect(message).not.toContain("\u001b");
      expect(message.length).toBeLessThan(400);
    },
  );

  it("keeps running if an answer has an object as its id that has no primitive value", async () => {
    const { client, wire } = await clientWire(one);
    const calling = client.callTool(call);
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id: { valueOf: 0, toString: 0 },
      result: done,
    });
    wire.send({ jsonrpc: "2.0", id, result: done });
    expect(await calling).toHaveProperty("content");
  });

  it("JRPC-05 rejects at once if the answer has the id as text", async () => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call, { timeout: Infinity }));
    const { id } = await wire.next();
    wire.send({ jsonrpc: "2.0", id: String(id), result: done });
    const error = await calling;
    expect(error.name).toBe("ValidationError");
    expect(error.message).toMatch(
      /^tools\/call: the answer has the id "(\d+)", but the request has \1\.$/,
    );
  });

  it("JRPC-06 JRPC-17 rejects with the code, message and data of the peer's error", async () => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call));
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32002, message: "gone", data: { uri: "a:b" } },
    });
    expect(await calling).toMatchObject({
      name: "McpError",
      code: -32002,
      message: "gone",
      data: { uri: "a:b" },
    });
  });

  it("rejects a result of the wrong type, with the path of the issue", async () => {
    const { client, wire } = await clientWire(one);
    const calling = failure(client.callTool(call));
    await wire.answer({ ...done, content: [{ type: "text", text: 7 }] });
    const error = await calling;
    expect(error.name).toBe("ValidationError");
    expect(error.message).toMatch(/^tools\/call result: content\[0\]\.text: /);
    expect(error["issues"]).toMatchObject([{ path: ["content", 0, "text"] }]);
  });

  it("warns of the first invalid message and of the number of the others, and continues after an error without an id", async () => {
    const errors: Error[] = [];
    const warnings: [string, (number | undefined)?][] = [];
    const { client, wire } = await clientWire(one, {
      onError: (error) => errors.push(error),
      onWarning: (...warning) => warnings.push(warning),
    });
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
    const request = wire.seen.find(
      ({ method }) => method === "tools/call",
    ) as Json;
    wire.send({ jsonrpc: "2.0", id: request["id"], result: done });
    expect(await calling).toMatchObject(text("done"));
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("-32700"),
    ]);
    expect(warnings).toEqual([["Not a message: null.", 1]]);
    await client.close();
    expect(warnings.slice(1)).toEqual([
      ["Not a message: 3 more were ignored.", 3],
    ]);
  });

  it("warns of 20 kinds of input that is not a message, and of all others as one", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const start = clientTransport.start.bind(clientTransport);
    let receiver: Parameters<typeof start>[0] | undefined;
    const transport = Object.assign(clientTransport, {
      start: (to: Parameters<typeof start>[0]) => start((receiver = to)),
    });
    const warnings: [string, (number | undefined)?][] = [];
    const wire = new Wire(serverTransport);
    const opening = makeClient(one.protocol, transport, {
      onWarning: (...warning) => warnings.push(warning),
    });
    await wire.next();
    for (let i = 0; i < 24; i++)
      receiver?.malformed(new Error(`Kind ${i}: the input ${i}`));
    receiver?.malformed(new Error("Kind 3: again"));
    opening.catch(() => {});
    const first = (i: number) => [`Kind ${i}: the input ${i}`, 1];
    expect(warnings.splice(0)).toEqual(
      Array.from({ length: 21 }, (_, i) => first(i)),
    );
    await serverTransport.close();
    await turns();
    expect(warnings).toEqual([
      ["Kind 3: 1 more were ignored.", 1],
      ["Other input: 3 more were ignored.", 3],
    ]);
  });

  it("reports a listener that throws, and calls the other listeners", async () => {
    const errors: Error[] = [];
    const { client, wire } = await clientWire(one, {
      onError: (error) => errors.push(error),
      handlers: {
        "notifications/message": () => {
          throw new Error("my fault");
        },
      },
    });
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "" },
    });
    const calling = client.callTool(call);
    await wire.answer(done);
    await calling;
    expect(errors.map(({ message }) => message)).toEqual(["my fault"]);
  });
});

describe("a client of the modern era", () => {
  it("JRPC-13 JRPC-14 warns of the unexpected requests of the server and does not answer them", async () => {
    const warnings: string[] = [];
    const { client, wire } = await clientWire(modern, {
      onWarning: (warning) => warnings.push(warning),
      handlers: { "roots/list": () => ({ roots: [] }) },
    });
    for (const method of ["roots/list", "ping", "no/such"])
      wire.send({ jsonrpc: "2.0", id: method, method });
    wire.send([{ jsonrpc: "2.0", id: 1, method: "roots/list" }]);
    expect(await wire.rest()).toEqual([]);
    await client.close();
    expect(warnings).toEqual([
      expect.stringMatching(/^Unexpected request: .*roots\/list/),
      expect.stringMatching(/^Not a message: \[/),
      expect.stringMatching(/^Unexpected request: 2 more/),
    ]);
  });
});

describe("a client of the legacy era", () => {
  it("JRPC-02 JRPC-11 answers an unknown method with an error, and does not answer an invalid request", async () => {
    const { wire } = await clientWire(legacy, { onWarning: () => {} });
    expect(errorOf(await wire.ask(1, "no/such"))["code"]).toBe(-32601);
    wire.send({ jsonrpc: "2.0", id: 1.5, method: "ping" });
    wire.send({ id: 2, method: "ping" });
    expect(await wire.rest()).toEqual([]);
  });

  it.each([
    ["ping", undefined, { result: {} }],
    ["ping", {}, { result: {} }],
    [
      "ping",
      [],
      { error: { code: -32602, message: "ping: params: expected an object." } },
    ],
    [
      "roots/list",
      {},
      {
        error: {
          code: -32601,
          message: "This client does not answer roots/list.",
        },
      },
    ],
  ])(
    "PING-01 answers only a ping if the program has no tables of questions: %s with %j",
    async (method, params, answer) => {
      const { wire } = await clientWire(legacy, {
        questions: undefined,
      } as object);
      expect(await wire.ask(1, method, params as Json)).toEqual({
        jsonrpc: "2.0",
        id: 1,
        ...answer,
      });
    },
  );

  it("PING-01 answers a ping, also before the session is initialized", async () => {
    const { wire } = await clientWire(legacy);
    expect(await wire.ask("p", "ping")).toEqual({
      jsonrpc: "2.0",
      id: "p",
      result: {},
    });
  });
});
