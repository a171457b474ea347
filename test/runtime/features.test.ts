import { McpError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { describe, expect, it } from "vitest";
import { connect } from "../../generated/index.js";
import { bundle } from "./kit/bundle.js";
import {
  clientWire,
  errorOf,
  failure,
  info,
  join,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  revisions,
  serveWire,
  text,
  textOf,
} from "./kit/index.js";

const everything = bundle("everything-server");
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe.each(revisions)("a client of $revision", (one) => {
  const { isModern, facts } = one;

  it("VERS-06 META-03 META-08 sends what the revision wants in every _meta, and what the caller adds", async () => {
    const { client, wire } = await clientWire(one, { handlers: { "roots/list": () => ({ roots: [] }) } });
    const _meta = { traceparent, "example.com/mine": { kept: true } };
    const calls = [
      client.callTool({ name: "x", _meta }),
      client.listTools({ _meta }),
      client.callTool({ name: "x" }),
    ];
    for (const call of calls) call.catch(() => {});
    const [called, listed, bare] = (await wire.rest()).map(({ params }) => (params as Json)["_meta"]);
    const ours = isModern ? metaFor(one, { roots: {} }) : undefined;
    expect(called).toEqual({ ..._meta, ...ours });
    expect(listed).toEqual({ ..._meta, ...ours });
    expect(bare).toEqual(ours);
    await client.close();
  });

  it("PROG-04 takes progress with words and without", async () => {
    const heard: unknown[] = [];
    const { client, wire } = await clientWire(one);
    const calling = client.callTool({ name: "x" }, { onProgress: (progress) => heard.push(progress) });
    const { id, params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    const steps = [{ progress: 1 }, { progress: 2, total: 4, message: "half way" }];
    for (const step of steps) {
      wire.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, ...step } });
    }
    wire.send({ jsonrpc: "2.0", id, result: { ...text(""), resultType: "complete" } });
    await calling;
    expect(heard).toEqual(steps);
  });

  it("COMP-04 sends the arguments that are known already", async () => {
    const { client, wire } = await clientWire(one);
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "b", value: "" },
      context: { arguments: { a: "1" } },
    };
    client.complete(params).catch(() => {});
    expect((await wire.next())["params"]).toMatchObject(params);
    await client.close();
  });

  it("COMP-02 PAGE-04 COMP-03 a handler's own error reaches the client as it is", async () => {
    const refuse = (): never => {
      throw new McpError(facts.errors["INVALID_PARAMS"] as number, "no such cursor", { cursor: "x" });
    };
    const handlers = { "tools/list": refuse, "completion/complete": refuse };
    const { client } = await join(one.protocol, { server: { handlers } });
    const wanted = { name: "McpError", code: -32602, message: "no such cursor", data: { cursor: "x" } };
    expect(await failure(client.listTools({ cursor: "x" }))).toMatchObject(wanted);
    const params = { ref: { type: "ref/prompt", name: "?" }, argument: { name: "a", value: "" } };
    expect(await failure(client.complete(params))).toMatchObject(wanted);
  });
});

describe("a server of the modern era", () => {
  it("DISC-02 declares a group of features exactly when it answers it", async () => {
    const groups: readonly (readonly [string, string, string])[] = [
      ["tools", "tools/list", "tools/call"],
      ["prompts", "prompts/list", "prompts/get"],
      ["resources", "resources/list", "resources/read"],
      ["completions", "completion/complete", "completion/complete"],
    ];
    for (const [group, ...methods] of groups) {
      const handlers = Object.fromEntries(methods.map((method) => [method, () => ({})]));
      const wire = await serveWire(makeServer(modern.protocol, { handlers }));
      const { result } = await wire.ask(1, "server/discover", { _meta: metaFor(modern) });
      expect(Object.keys((result as Json)["capabilities"] as Json)).toEqual([group]);
      for (const [, ...others] of groups.filter(([other]) => other !== group)) {
        for (const method of others) {
          expect(errorOf(await wire.ask(2, method, { _meta: metaFor(modern) }))["code"], method).toBe(-32601);
        }
      }
    }
  });

  it("SUBS-05 sends progress and logs of a call on behalf of the call, and not of a stream", async () => {
    const server = makeServer(modern.protocol, {
      capabilities: { logging: {}, tools: { listChanged: true } },
      handlers: {
        "tools/call": (_, { progress, log }) => {
          progress(1);
          log("error", "x");
          return text("done");
        },
      },
    });
    const wire = await serveWire(server);
    const { subscriptionId = "", logLevel = "" } = modern.facts.meta;
    await wire.ask("stream", "subscriptions/listen", {
      notifications: { toolsListChanged: true },
      _meta: metaFor(modern),
    });
    const _meta = { ...metaFor(modern), progressToken: "t", [logLevel]: "debug" };
    wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x", _meta } });
    const messages = await wire.rest();
    expect(messages.map(({ method }) => method)).toEqual([
      "notifications/progress",
      "notifications/message",
      undefined,
    ]);
    expect(JSON.stringify(messages)).not.toContain(subscriptionId);
  });
});

describe("one process", () => {
  it("STDIO-04 STDIO-14 COMPAT-10 serves many conversations of one client, and is probed once", async () => {
    const program = stdio(process.execPath, [await everything, modern.revision, legacy.revision]);
    const sent: Json[] = [];
    const { send } = program;
    program.send = function (message, options) {
      sent.push(message as Json);
      return send.call(this, message, options);
    };
    await using client = await connect(program, { info });
    const calls = Array.from({ length: 20 }, (_, i) =>
      client.callTool({ name: "echo", arguments: { value: `conversation ${i}` } }),
    );
    expect(new Set((await Promise.all(calls)).map((result) => textOf(result as Json))).size).toBe(20);
    expect(sent.filter(({ method }) => method === "server/discover")).toHaveLength(1);
    // STDIO-04: nothing but messages goes to its stdin.
    expect(sent.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  });
});
