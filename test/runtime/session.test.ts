import { isRefusedError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  type AnyHandlers,
  clientWire,
  errorOf,
  everything,
  failure,
  info,
  join,
  type Json,
  legacyRevisions,
  makeServer,
  metaFor,
  modern,
  modernRevisions,
  resultOf,
  revisions,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  textOf,
  turns,
  Wire,
} from "./kit.js";
import { where } from "./where.js";

const echo: AnyHandlers = { "tools/call": () => text("done") };

describe.each(legacyRevisions)(
  "the handshake with a server of $revision",
  ({ revision, protocol, facts }) => {
    const serve = (options: ServerOptions = {}): Promise<Wire> =>
      serveWire(makeServer(protocol, { handlers: echo, ...options }));

    it("LIFE-02 answers with its revision, capabilities, name and instructions", async () => {
      const wire = await serve({ instructions: "Try it.", capabilities: { logging: {} } });
      expect(resultOf(await shakeHands(wire, revision))).toEqual({
        protocolVersion: revision,
        capabilities: { tools: {}, logging: {} },
        serverInfo: info,
        instructions: "Try it.",
      });
    });

    it("VERS-02 counters an unknown offer with its own revision", async () => {
      for (const offer of ["1999-12-31", "2099-01-01", "", "latest"]) {
        expect(resultOf(await shakeHands(await serve(), offer))["protocolVersion"]).toBe(revision);
      }
    });

    it("LIFE-07 PING-01 answers nothing but ping before it", async () => {
      const wire = await serve();
      expect(await wire.ask(1, "ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
      for (const method of ["tools/call", "tools/list", "no/such"]) {
        expect(errorOf(await wire.ask(2, method, { name: "x" }))["code"]).toBe(
          facts.errors["INVALID_REQUEST"],
        );
      }
    });

    it("LIFE-08 refuses a second one, and keeps the first", async () => {
      const wire = await serve();
      await shakeHands(wire, revision);
      const params = { protocolVersion: revision, capabilities: {}, clientInfo: info };
      expect(errorOf(await wire.ask(1, "initialize", params))["code"]).toBe(facts.errors["INVALID_REQUEST"]);
      expect(resultOf(await wire.ask(2, "tools/call", { name: "x" }))).toEqual(text("done"));
    });

    it("LIFE-02 refuses one that is malformed, and takes the next", async () => {
      const wire = await serve();
      for (const params of [
        undefined,
        {},
        { protocolVersion: revision },
        { protocolVersion: 7, capabilities: {} },
      ]) {
        expect(errorOf(await wire.ask(1, "initialize", params))["code"]).toBe(facts.errors["INVALID_PARAMS"]);
      }
      expect(resultOf(await shakeHands(wire, revision))["protocolVersion"]).toBe(revision);
    });

    it("LIFE-05 asks nothing and announces nothing before the client says that it is ready", async () => {
      const server = makeServer(protocol, {
        capabilities: { tools: { listChanged: true } },
        handlers: {
          "tools/call": async (_, { request }) => {
            await request("roots/list");
            return text("asked");
          },
        },
      });
      const wire = await serveWire(server);
      const params = { protocolVersion: revision, capabilities: { roots: {} }, clientInfo: info };
      await wire.ask(1, "initialize", params);
      wire.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "x" } });
      server.notify["toolsListChanged"]?.();
      expect(await wire.rest()).toEqual([]);
      wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      await wire.answer({ roots: [] });
      expect(resultOf(await wire.next())).toEqual(text("asked"));
    });

    it("LIFE-06 LIFE-09 does not answer what it did not declare", async () => {
      const wire = await serve();
      await shakeHands(wire, revision);
      for (const method of ["prompts/list", "resources/read", "logging/setLevel", "resources/subscribe"]) {
        const params = { uri: "a:b", level: "info" };
        expect(errorOf(await wire.ask(1, method, params))["code"], method).toBe(
          facts.errors["METHOD_NOT_FOUND"],
        );
      }
    });

    it("LOG-02 LOG-03 LOG-06 sends what is as severe as the client wants, or more", async () => {
      const wire = await serve({
        capabilities: { logging: {} },
        handlers: {
          "tools/call": (_, { log }) => {
            for (const level of facts.levels) log(level, level);
            return text("done");
          },
        },
      });
      await shakeHands(wire, revision);
      const heard = async (): Promise<unknown[]> => {
        wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
        await turns();
        const messages = (await wire.rest()).filter(({ method }) => method === "notifications/message");
        while (wire.seen.length > 0 && !(await wire.next())["result"]);
        return messages.map(({ params }) => (params as Json)["level"]);
      };
      expect(facts.levels).toEqual([
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
      ]);
      expect(await heard()).toEqual(facts.levels);
      expect(errorOf(await wire.ask(2, "logging/setLevel", { level: "loud" }))["code"]).toBe(-32602);
      expect(await heard()).toEqual(facts.levels);
      expect(resultOf(await wire.ask(3, "logging/setLevel", { level: "warning" }))).toEqual({});
      expect(await heard()).toEqual(facts.levels.slice(3));
      await wire.ask(4, "logging/setLevel", { level: "emergency" });
      expect(await heard()).toEqual(["emergency"]);
    });

    it("RES-04 RES-05 tells of a resource only who subscribed to it", async () => {
      const server = makeServer(protocol, { capabilities: { resources: { subscribe: true } } });
      const [one, other] = [await serveWire(server), await serveWire(server)];
      for (const wire of [one, other]) await shakeHands(wire, revision);
      expect(resultOf(await one.ask(1, "resources/subscribe", { uri: "file:///a" }))).toEqual({});
      for (const uri of ["file:///a", "file:///a/below", "file:///ab", "file:///b"]) {
        server.notify["resourceUpdated"]?.({ uri });
      }
      await turns();
      const uris = (await one.rest()).map(({ params }) => (params as Json)["uri"]);
      expect(uris).toEqual(["file:///a", "file:///a/below"]);
      for (const _ of uris) await one.next();
      await one.ask(2, "resources/unsubscribe", { uri: "file:///a" });
      server.notify["resourceUpdated"]?.({ uri: "file:///a" });
      expect(await one.rest()).toEqual([]);
      expect(await other.rest()).toEqual([]);
    });

    it("bounds the subscriptions of a client, and lets a handler refuse one", async () => {
      const server = makeServer(protocol, {
        capabilities: { resources: { subscribe: true } },
        maxSubscriptions: 2,
        handlers: {
          "resources/subscribe": ({ uri }) => {
            if (uri === "no:way") throw new Error("no");
          },
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, revision);
      expect(errorOf(await wire.ask(1, "resources/subscribe", { uri: "no:way" }))["code"]).toBe(-32603);
      for (const uri of ["a:1", "a:2"])
        expect(resultOf(await wire.ask(2, "resources/subscribe", { uri }))).toEqual({});
      expect(errorOf(await wire.ask(3, "resources/subscribe", { uri: "a:3" }))["code"]).toBe(-32603);
      server.notify["resourceUpdated"]?.({ uri: "no:way" });
      expect(await wire.rest()).toEqual([]);
    });

    it("a client that goes away aborts what is worked on, and what is asked of it", async () => {
      const ends: string[] = [];
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_, { request, signal }) => {
            signal.addEventListener("abort", () => ends.push((signal.reason as Error).name));
            await request("roots/list").catch((error: Error) => ends.push(error.name));
          },
          "notifications/roots/list_changed": (_, { signal }) =>
            new Promise(() =>
              signal.addEventListener("abort", () => ends.push((signal.reason as Error).name)),
            ),
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, revision, { roots: {} });
      wire.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
      await turns();
      await wire.transport.close();
      await turns();
      expect(ends).toEqual(["TransportError", "TransportError", "TransportError"]);
    });

    it("CANC-03 a question ends with the request that it belongs to, and the client is told", async () => {
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_, { request }) => {
            await request("roots/list");
          },
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, revision, { roots: {} });
      wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
      const question = await wire.next();
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
      expect(await wire.next()).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: question["id"] },
      });
      expect(await wire.rest()).toEqual([]);
    });
  },
);

describe.each(modernRevisions)("a single request to a server of $revision", (one) => {
  const { protocol, facts } = one;
  const { protocolVersion = "", clientCapabilities = "", clientInfo = "", serverInfo = "" } = facts.meta;
  const serve = (options: ServerOptions = {}): Promise<Wire> =>
    serveWire(makeServer(protocol, { handlers: echo, ...options }));
  const call = (_meta?: unknown): Json => ({ name: "x", ...(_meta !== undefined && { _meta }) });
  const without = (key: string): Json => {
    const { [key]: _, ...rest } = metaFor(one);
    return rest;
  };

  it.each([
    ["no params", undefined],
    ["no _meta", call()],
    ["a _meta that is no object", call([])],
    ["no version", call(without(protocolVersion))],
    ["a version that is no text", call({ ...metaFor(one), [protocolVersion]: 7 })],
    ["no capabilities", call(without(clientCapabilities))],
    ["capabilities that are no object", call({ ...metaFor(one), [clientCapabilities]: [] })],
  ])("META-01 VERS-09 is refused with %s, and told what is spoken here", async (_, params) => {
    const wire = await serve();
    for (const method of ["tools/call", "server/discover", "initialize", "no/such"]) {
      const answer = await wire.ask("id", method, params);
      expect(answer["id"]).toBe("id");
      expect(errorOf(answer)).toMatchObject({ code: -32602, data: { supported: [facts.revision] } });
    }
  });

  it("META-02 META-04 may leave out who sent it, and gets the same answer whoever it is", async () => {
    const wire = await serve();
    const answers: Json[] = [];
    for (const _meta of [
      without(clientInfo),
      metaFor(one),
      { ...metaFor(one), [clientInfo]: { name: "root", version: "" } },
    ]) {
      answers.push(resultOf(await wire.ask(1, "tools/call", call(_meta))));
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it("JRPC-09 META-03 is answered with a type, and the server's name", async () => {
    const wire = await serve();
    for (const method of ["tools/call", "server/discover"]) {
      const result = resultOf(await wire.ask(1, method, call(metaFor(one))));
      expect(result).toMatchObject({ resultType: "complete", _meta: { [serverInfo]: info } });
    }
  });

  it("META-07 keeps what a handler puts into _meta, and what it says of itself", async () => {
    const handlers = {
      "tools/call": () => ({
        ...text("done"),
        _meta: { "x/y": 1, [serverInfo]: { name: "other", version: "0" } },
      }),
    };
    const result = resultOf(await (await serve({ handlers })).ask(1, "tools/call", call(metaFor(one))));
    expect(result["_meta"]).toEqual({ "x/y": 1, [serverInfo]: { name: "other", version: "0" } });
  });

  it("LIFE-11 META-05 stands alone: nothing of an earlier request counts", async () => {
    const wire = await serve({
      handlers: {
        "tools/call": async (_, { request, client }) => {
          await request("roots/list");
          return text(JSON.stringify(client.capabilities));
        },
      },
    });
    const first = await wire.ask(1, "tools/call", call(metaFor(one, { roots: {} })));
    expect(resultOf(first)["resultType"]).toBe("input_required");
    expect(errorOf(await wire.ask(2, "tools/call", call(metaFor(one))))["code"]).toBe(-32021);
    expect(errorOf(await wire.ask(3, "tools/call", call()))["code"]).toBe(-32602);
  });

  it("DISC-01 DISC-03 CACHE-01 tells what it speaks and can do, before or after anything else", async () => {
    const wire = await serve({ instructions: "Try it.", capabilities: { logging: {} } });
    expect(resultOf(await wire.ask(1, "tools/call", call(metaFor(one))))).toMatchObject(text("done"));
    expect(resultOf(await wire.ask(2, "server/discover", { _meta: metaFor(one) }))).toEqual({
      supportedVersions: [facts.revision],
      capabilities: { tools: {}, logging: {} },
      instructions: "Try it.",
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { [serverInfo]: info },
    });
  });

  it("CACHE-01 says how long lists may be kept; what the handler says wins", async () => {
    const handlers = {
      "tools/list": () => ({ tools: [], ttlMs: 5000, cacheScope: "public" }),
      "prompts/list": () => ({ prompts: [] }),
      "resources/read": () => ({ contents: [] }),
      "resources/list": () => ({ resources: [] }),
      "resources/templates/list": () => ({ resourceTemplates: [] }),
    };
    const wire = await serve({ handlers });
    for (const method of Object.keys(handlers)) {
      const result = resultOf(await wire.ask(1, method, { uri: "a:b", _meta: metaFor(one) }));
      const kept =
        method === "tools/list" ? { ttlMs: 5000, cacheScope: "public" } : { ttlMs: 0, cacheScope: "private" };
      expect(result, method).toMatchObject({ resultType: "complete", ...kept });
    }
    expect(
      Object.keys(resultOf(await (await serve()).ask(1, "tools/call", call(metaFor(one))))),
    ).not.toContain("ttlMs");
  });

  it("PING-04 LIFE-11 finds no method of the older revisions", async () => {
    const wire = await serve({ capabilities: everything });
    for (const method of [
      "ping",
      "initialize",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
    ]) {
      const params = { ...call(metaFor(one)), uri: "a:b", level: "info" };
      expect(errorOf(await wire.ask(1, method, params))["code"], method).toBe(-32601);
    }
  });

  it("JRPC-15 sends no code of the older revisions, and of its own only as they are meant", async () => {
    const codes = Object.values(facts.errors);
    expect(codes).not.toContain(-32002);
    expect(codes).not.toContain(-32042);
  });

  it("LOG-04 logs only for a request that wants it, and on its behalf", async () => {
    const wire = await serve({
      capabilities: { logging: {} },
      handlers: {
        "tools/call": (_, { log }) => {
          for (const level of facts.levels) log(level, level);
          return text("done");
        },
      },
    });
    const key = String(facts.meta.logLevel);
    for (const [level, count] of [
      [undefined, 0],
      ["alert", 2],
      ["debug", 8],
    ] as const) {
      const before = wire.seen.length;
      wire.send({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: call({ ...metaFor(one), [key]: level }),
      });
      await turns();
      expect(wire.seen.length - before - 1, String(level)).toBe(count);
    }
    expect(wire.seen.at(-1)?.["result"]).toBeDefined();
    const loud = call({ ...metaFor(one), [key]: "loud" });
    wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: loud });
    await turns();
    expect(errorOf(wire.seen.at(-1) as Json)["code"]).toBe(-32602);
  });
});

describe.each(revisions)("what a server of $revision may do", ({ protocol, facts, isModern }) => {
  it("LOG-01 context.log needs the capability, and says so", async () => {
    const told: Error[] = [];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": (_, { log }) => {
            log("error", "x");
            return text("done");
          },
        },
        onError: (error) => told.push(error),
      },
    });
    expect((await failure(client.callTool({ name: "x" })))["code"]).toBe(-32603);
    expect(isRefusedError(told[0]) && told[0].reason).toBe("capability");
    expect(told[0]?.message).toContain("logging");
  });

  it("context.log refuses a level that is none", async () => {
    const told: Error[] = [];
    const { client } = await join(protocol, {
      server: {
        capabilities: { logging: {} },
        handlers: { "tools/call": (_, { log }) => log("loud", "x") },
        onError: (error) => told.push(error),
      },
    });
    await failure(client.callTool({ name: "x" }));
    expect(told[0]?.message).toMatch(/"loud" is not a level; expected one of debug, /);
  });

  it("TOOL-13 LIFE-06 announces only what it declared", async () => {
    const silent = makeServer(protocol, { handlers: echo });
    const error = await failure((async () => silent.notify["toolsListChanged"]?.())());
    expect(isRefusedError(error) && error.reason).toBe("capability");
    const declared = makeServer(protocol, { handlers: echo, capabilities: { tools: { listChanged: true } } });
    expect(() => declared.notify["toolsListChanged"]?.()).not.toThrow();
  });

  it("capabilities follow from the handlers, and what is given besides is added", async () => {
    const { client } = await join(protocol, {
      server: {
        handlers: {
          ...echo,
          "prompts/get": () => ({ messages: [] }),
          "resources/read": () => ({ contents: [] }),
        },
        capabilities: { resources: { listChanged: true }, experimental: { "x/y": {} } },
      },
    });
    expect(client.server.capabilities).toEqual({
      tools: {},
      prompts: {},
      resources: { listChanged: true },
      experimental: { "x/y": {} },
    });
  });

  it("COMP-01 declares completion where the revision has a capability for it", async () => {
    const handlers = { "completion/complete": () => ({ completion: { values: ["a"] } }) };
    const { client } = await join(protocol, { server: { handlers } });
    const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
    expect(await client.complete(params)).toMatchObject({ completion: { values: ["a"] } });
    const hasCapability = facts.revision !== "2024-11-05";
    expect(Object.hasOwn(client.server.capabilities, "completions")).toBe(hasCapability);
  });

  it("handlers may be methods of an object, and take their context apart", async () => {
    class Handlers {
      readonly greeting = "hello";
      async "tools/call"(
        params: Json,
        context: { once: (key: string, work: () => string) => Promise<string> },
      ) {
        const { once } = context;
        return text(`${this.greeting} ${await once("name", () => String(params["name"]))}`);
      }
    }
    const server = protocol.createServer({ info, handlers: new Handlers() as unknown as AnyHandlers });
    const wire = await serveWire(server);
    if (!isModern) await shakeHands(wire, facts.revision);
    const params = { name: "Ada", ...(isModern && { _meta: metaFor(modern) }) };
    expect(textOf(resultOf(await wire.ask(1, "tools/call", params)))).toBe("hello Ada");
  });

  it("context.once runs its work once per call", async () => {
    let runs = 0;
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": async (_, { once }) => {
            await Promise.all([once("a", () => ++runs), once("a", () => ++runs)]);
            return text(String(await once("a", () => ++runs)));
          },
        },
      },
    });
    expect(textOf(await client.callTool({ name: "x" }))).toBe("1");
    expect(textOf(await client.callTool({ name: "x" }))).toBe("2");
  });
});

describe.each(revisions)("what a client of $revision may do", (one) => {
  const { facts } = one;

  it("LIFE-04 LIFE-06 sends nothing that the server did not declare", async () => {
    const { client, wire } = await clientWire(one, {}, { tools: {} });
    for (const call of [client.getPrompt({ name: "x" }), client.readResource({ uri: "a:b" })]) {
      const error = await failure(call);
      expect(isRefusedError(error) && error.reason).toBe("capability");
    }
    if (client.subscribe) {
      const error = await failure(client.subscribe({ uri: "a:b" }));
      expect(isRefusedError(error) && error.reason).toBe("capability");
    }
    expect(await wire.rest()).toEqual([]);
  });

  it("PAGE-01 PAGE-02 PAGE-03 reads pages of every size by the cursors that come, unchanged", async () => {
    const { client, wire } = await clientWire(one);
    const names: unknown[] = [];
    const reading = (async () => {
      for await (const { name } of client.tools({ _meta: { "x/y": 1 } })) names.push(name);
    })();
    const tool = (name: string): Json => ({ name, inputSchema: { type: "object" } });
    const cursors = ["", "é =\u0000", '{"n":1}'];
    const pages = [[tool("a")], [], [tool("b"), tool("c")], [tool("d")]];
    for (const [i, tools] of pages.entries()) {
      const rest = { ttlMs: 0, cacheScope: "private", resultType: "complete" };
      const request = await wire.answer({ tools, ...rest, ...(i < 3 && { nextCursor: cursors[i] }) });
      const params = request["params"] as Json;
      expect(params["cursor"]).toBe(i === 0 ? undefined : cursors[i - 1]);
      expect(params["_meta"]).toMatchObject({ "x/y": 1 });
    }
    await reading;
    expect(names).toEqual(["a", "b", "c", "d"]);
    expect(await wire.rest()).toEqual([]);
  });

  it("PAGE-05 stops at a cursor that comes twice, and at too many pages", async () => {
    const { client, wire } = await clientWire(one);
    const rest = { ttlMs: 0, cacheScope: "private", resultType: "complete", tools: [] };
    const read = async (options?: Json): Promise<void> => {
      for await (const tool of client.tools(undefined, options)) void tool;
    };
    const looping = failure(read());
    for (let i = 0; i < 2; i++) await wire.answer({ ...rest, nextCursor: "same" });
    const error = await looping;
    expect(isRefusedError(error) && error.reason).toBe("pages");
    const long = failure(read({ maxPages: 3 }));
    for (let i = 0; i < 3; i++) await wire.answer({ ...rest, nextCursor: String(i) });
    expect((await long).message).toContain("more than 3 pages");
  });

  it.each(where(facts.jobs.ping))(
    "PING-01 PING-02 PING-03 pings when told to, and not by itself",
    async () => {
      const { client, wire } = await clientWire(one);
      expect(await wire.rest()).toEqual([]);
      const pinging = client.ping?.();
      expect(await wire.answer({})).toMatchObject({ method: "ping" });
      expect(await pinging).toEqual({});
      expect((await failure(client.ping?.({}, { timeout: 5 }) as Promise<unknown>)).name).toBe(
        "TimeoutError",
      );
    },
  );

  it("COMPAT-20 hands on the code of older servers for a missing resource", async () => {
    const { client, wire } = await clientWire(one);
    const reading = failure(client.readResource({ uri: "a:b" }));
    const { id } = await wire.next();
    wire.send({ jsonrpc: "2.0", id, error: { code: -32002, message: "not found", data: { uri: "a:b" } } });
    expect(await reading).toMatchObject({ code: -32002, data: { uri: "a:b" } });
  });
});

describe.each(legacyRevisions)("the client's side of $revision", (one) => {
  const { revision, protocol } = one;
  const asks = (method: string): boolean => Object.hasOwn(protocol.clientSide.hears, method);

  it("LIFE-01 LIFE-03 ROOT-01 SAMP-01 declares what follows from its handlers, and what is given besides", async () => {
    const { wire } = await clientWire(one, {
      handlers: { "roots/list": () => ({ roots: [] }), "sampling/createMessage": () => ({}) },
      capabilities: { roots: { listChanged: true } },
    });
    const [hello, initialized] = wire.seen;
    expect(hello).toEqual({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: revision,
        capabilities: { roots: { listChanged: true }, sampling: {} },
        clientInfo: info,
      },
    });
    expect(initialized).toEqual({ jsonrpc: "2.0", method: "notifications/initialized" });
  });

  it("LIFE-10 ROOT-04 answers -32601 to what it did not declare", async () => {
    const { wire } = await clientWire(one);
    for (const method of ["roots/list", "sampling/createMessage", "elicitation/create", "tools/list"]) {
      expect(errorOf(await wire.ask(1, method, {}))["code"], method).toBe(-32601);
    }
  });

  it("JRPC-11 answers -32602 to a question that is malformed, and says where", async () => {
    const { wire } = await clientWire(one, { handlers: { "sampling/createMessage": () => ({}) } });
    expect(
      errorOf(await wire.ask(1, "sampling/createMessage", { messages: [], maxTokens: "9" })),
    ).toMatchObject({
      code: -32602,
      data: { issues: [{ path: ["params", "maxTokens"] }] },
    });
  });

  it("bounds what a server may ask at once", async () => {
    const { wire } = await clientWire(one, {
      maxInFlight: 3,
      handlers: { "roots/list": () => new Promise(() => {}) },
    });
    for (let id = 0; id < 5; id++) wire.send({ jsonrpc: "2.0", id, method: "roots/list" });
    expect((await wire.rest()).map(({ id, error }) => [id, (error as Json)["code"]])).toEqual([
      [3, -32603],
      [4, -32603],
    ]);
  });

  it("SAMP-02 lets a handler refuse with a code of its own", async () => {
    const { McpError } = await import("@mcpgen/runtime");
    const { wire } = await clientWire(one, {
      handlers: {
        "sampling/createMessage": () => {
          throw new McpError(-1, "User rejected sampling request");
        },
      },
    });
    const answer = await wire.ask(1, "sampling/createMessage", { messages: [], maxTokens: 9 });
    expect(errorOf(answer)).toEqual({ code: -1, message: "User rejected sampling request" });
  });

  it("ROOT-03 announces a change of its roots, if it declared that it would", async () => {
    const { client, wire } = await clientWire(one, { capabilities: { roots: { listChanged: true } } });
    await client.rootsListChanged?.();
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
    const silent = await clientWire(one, { handlers: { "roots/list": () => ({ roots: [] }) } });
    const error = await failure(silent.client.rootsListChanged?.() as Promise<void>);
    expect(isRefusedError(error) && error.reason).toBe("capability");
  });

  it("PROG-05 CANC-03 tells the server of progress, and stops when the server gives up", async () => {
    let stopped: unknown;
    const { wire } = await clientWire(one, {
      handlers: {
        "roots/list": (_, { progress, signal, requestId }) => {
          progress(1, 2);
          return new Promise(() =>
            signal.addEventListener("abort", () => (stopped = [requestId, (signal.reason as Error).message])),
          );
        },
      },
    });
    const progress = await wire.ask("q", "roots/list", { _meta: { progressToken: "t" } });
    expect(progress).toEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1, total: 2 },
    });
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "q", reason: "late" },
    });
    expect(await wire.rest()).toEqual([]);
    expect(stopped).toEqual(["q", "late"]);
  });

  it.each(where(asks("elicitation/create")))(
    "ELIC-05 ELIC-06 ELIC-07 a form goes out, is filled in, and is checked",
    async () => {
      const requestedSchema = {
        type: "object",
        properties: {
          age: { type: "integer", minimum: 0 },
          city: { type: "string", enum: ["Rome", "Oslo"] },
          ok: { type: "boolean", default: true },
        },
        required: ["age"],
      };
      let content: Json = { age: 7, city: "Oslo" };
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": async (_, { request }) => {
              const params = { message: "?", requestedSchema };
              const answer = await request("elicitation/create", params).catch(
                (error: Error) => error.message,
              );
              return text(JSON.stringify(answer));
            },
          },
        },
        client: { handlers: { "elicitation/create": () => ({ action: "accept", content }) } },
      });
      const ask = async (): Promise<unknown> => JSON.parse(textOf(await client.callTool({ name: "x" })));
      expect(await ask()).toEqual({ action: "accept", content: { age: 7, city: "Oslo", ok: true } });
      content = { age: -1 };
      expect(await ask()).toBe("elicitation/create result: content.age: out of range");
      content = { age: 1, city: "Ur" };
      expect(await ask()).toBe("elicitation/create result: content.city: not one of the choices");
      content = {};
      expect(await ask()).toBe("elicitation/create result: content.age: expected a value");
    },
  );

  it("context.request waits as long as it is told, with progress, and says what it waited for", async () => {
    const heard: number[] = [];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": async (_, { request }) => {
            const onProgress = ({ progress }: { progress: number }): number => heard.push(progress);
            const answer = request("roots/list", undefined, { timeout: 40, onProgress });
            return text(await answer.then(String, (error: Error) => error.message));
          },
        },
      },
      client: {
        handlers: {
          "roots/list": (_, { progress }) => {
            progress(0.5);
            return new Promise(() => {});
          },
        },
      },
    });
    expect(textOf(await client.callTool({ name: "x" }))).toBe("roots/list: no answer within 40 ms.");
    expect(heard).toEqual([0.5]);
  });
});
