import { isRefusedError, McpError, memoryPair, serve } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { describe, expect, it } from "vitest";
import { connect } from "../../generated/index.js";
import { bundle } from "./bundle.js";
import {
  type AnyClient,
  type AnyHandlers,
  clientWire,
  errorOf,
  failure,
  info,
  join,
  type Json,
  legacy,
  legacyRevisions,
  makeClient,
  makeServer,
  metaFor,
  modern,
  revisions,
  serveWire,
  shakeHands,
  text,
  textOf,
  turns,
} from "./kit.js";
import { where } from "./where.js";

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

describe.each(legacyRevisions)("the client's features in $revision", (one) => {
  const { protocol, revision } = one;
  const hears = (method: string): boolean => Object.hasOwn(protocol.clientSide.hears, method);
  const since = (date: string): boolean => revision >= date;
  const asked = async (
    handlers: AnyHandlers,
    method: string,
    params: Json,
    capabilities: Json = {},
  ): Promise<string> => {
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": async (_, { request }) => {
            const answer = request(method, params);
            return text(
              await answer.then(JSON.stringify, (error: Error) => `${error.name}: ${error.message}`),
            );
          },
        },
      },
      client: { handlers, capabilities },
    });
    return textOf(await client.callTool({ name: "x" }));
  };
  const block = { type: "text", text: "hi" };
  const sampled = (content: unknown): Json => ({ role: "assistant", content, model: "none" });
  const sample = { messages: [], maxTokens: 9 };

  it("SAMP-08 takes an answer of one block, and of many only where the revision knows them", async () => {
    const one = { "sampling/createMessage": () => sampled(block) };
    expect(JSON.parse(await asked(one, "sampling/createMessage", sample))).toEqual(sampled(block));
    const many = { "sampling/createMessage": () => sampled([block, block]) };
    const answer = await asked(many, "sampling/createMessage", sample);
    if (since("2025-11-25")) expect(JSON.parse(answer)).toEqual(sampled([block, block]));
    else expect(answer).toMatch(/^ValidationError: sampling\/createMessage result: content/);
  });

  it.each(where(since("2025-11-25")))(
    "SAMP-04 SAMP-06 does not ask for tools or context that were not declared",
    async () => {
      const handlers = { "sampling/createMessage": () => sampled(block) };
      const tools = [{ name: "t", inputSchema: { type: "object" } }];
      for (const params of [
        { ...sample, tools },
        { ...sample, toolChoice: {} },
        { ...sample, includeContext: "thisServer" },
      ]) {
        expect(await asked(handlers, "sampling/createMessage", params)).toMatch(/^RefusedError: /);
      }
      expect(await asked(handlers, "sampling/createMessage", { ...sample, includeContext: "none" })).toMatch(
        /^\{/,
      );
      const declared = { sampling: { tools: {}, context: {} } };
      const params = { ...sample, tools, includeContext: "allServers" };
      expect(await asked(handlers, "sampling/createMessage", params, declared)).toMatch(/^\{/);
    },
  );

  it.each(where(since("2025-11-25")))(
    "SAMP-04 ELIC-02 the client answers -32602 to what it did not declare",
    async () => {
      const { wire } = await clientWire(one, {
        handlers: {
          "sampling/createMessage": () => sampled(block),
          "elicitation/create": () => ({ action: "cancel" }),
        },
      });
      const url = { mode: "url", message: "?", url: "https://x.y", elicitationId: "1" };
      expect(
        errorOf(await wire.ask(1, "sampling/createMessage", { ...sample, toolChoice: {} }))["code"],
      ).toBe(-32602);
      expect(errorOf(await wire.ask(2, "elicitation/create", url))["code"]).toBe(-32602);
    },
  );

  it.each(where(hears("elicitation/create")))("ELIC-03 a question without a mode is a form", async () => {
    const requestedSchema = { type: "object", properties: {} };
    const handlers = {
      "elicitation/create": (params: Json) => ({
        action: "accept",
        content: { mode: `${String(params["mode"])}` },
      }),
    };
    const params = { message: "?", requestedSchema };
    expect(await asked(handlers, "elicitation/create", params)).toContain('"mode":"undefined"');
  });

  it.each(where(hears("notifications/elicitation/complete") || since("2025-11-25")))(
    "ELIC-10 ELIC-11 hands on the list of pages to open, and the word that one is done",
    async () => {
      const done: unknown[] = [];
      const elicitations = [{ mode: "url", message: "?", url: "https://x.y", elicitationId: "1" }];
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": () => {
            throw new McpError(-32042, "open these first", { elicitations });
          },
        },
      });
      const open = async (capabilities: Json): Promise<AnyClient> => {
        const [near, far] = memoryPair();
        await serve(far, server);
        const handlers = { "notifications/elicitation/complete": (params: Json) => void done.push(params) };
        return makeClient(protocol, near, { handlers, capabilities });
      };
      const client = await open({ elicitation: { url: {} } });
      await open({ elicitation: { form: {} } });
      await turns();
      const error = await failure(client.callTool({ name: "x" }));
      expect(error).toMatchObject({ code: -32042, data: { elicitations } });
      server.notify["elicitationComplete"]?.({ elicitationId: "1" });
      await turns();
      expect(done).toEqual([{ elicitationId: "1" }]);
    },
  );

  it("ROOT-05 a server may ask again once the roots have changed", async () => {
    const seen: unknown[] = [];
    let roots = [{ uri: "file:///a" }];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "notifications/roots/list_changed": async (_, { request }) =>
            void seen.push(await request("roots/list")),
        },
      },
      client: {
        handlers: { "roots/list": () => ({ roots }) },
        capabilities: { roots: { listChanged: true } },
      },
    });
    roots = [{ uri: "file:///b" }];
    await client.rootsListChanged?.();
    await turns();
    expect(seen).toEqual([{ roots }]);
  });

  it("LIFE-06 refuses a question that the revision does not have", async () => {
    const told: Error[] = [];
    const server = makeServer(protocol, {
      onError: (error) => told.push(error),
      handlers: { "tools/call": (_, { request }) => request("no/such") },
    });
    const wire = await serveWire(server);
    await shakeHands(wire, revision);
    expect(errorOf(await wire.ask(1, "tools/call", { name: "x" }))["code"]).toBe(-32603);
    expect(isRefusedError(told[0]) && told[0].reason).toBe("method");
  });
});
