import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { describe, expect, it } from "vitest";
import { connect, createServers, type Revision } from "../../generated/index.js";
import { bundle } from "./bundle.js";
import {
  errorOf,
  failure,
  info,
  type Json,
  legacy,
  legacyRevisions,
  makeClient,
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

const scripted = bundle("scripted");
const all = revisions.map(({ revision }) => revision as Revision);
const old = legacyRevisions.map(({ revision }) => revision as Revision);

/** A server by hand, before any client has come. */
function wired(): { wire: Wire; near: Transport } {
  const [near, far] = memoryPair();
  return { wire: new Wire(far), near };
}

const hello = (revision: string): Json => ({ protocolVersion: revision, capabilities: {}, serverInfo: info });
const discovered = (...supportedVersions: readonly string[]): Json => ({
  supportedVersions,
  capabilities: {},
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
});
const unsupported = (...supported: readonly string[]): Json => ({
  code: -32022,
  message: "no",
  data: { supported, requested: "?" },
});

describe("connect", () => {
  describe.each(revisions)("to a server of $revision alone", ({ revision, protocol }) => {
    it("VERS-01 VERS-02 COMPAT-01 COMPAT-02 finds out what the server speaks", async () => {
      const [near, far] = memoryPair();
      await serve(far, makeServer(protocol));
      await using client = await connect(near, { info });
      expect(client.revision).toBe(revision);
      expect(client.server.info).toEqual(info);
    });

    it("may insist on one revision", async () => {
      const [near, far] = memoryPair();
      await serve(far, makeServer(protocol));
      await using client = await connect(near, { info, mode: revision as Revision });
      expect(client.revision).toBe(revision);
      const [other, end] = memoryPair();
      await serve(end, makeServer(protocol));
      const wrong = all.find((one) => one !== revision) as Revision;
      expect((await failure(connect(other, { info, mode: wrong }))).name).toMatch(/Error$/);
    });

    it("speaks the best that both sides know to a server of all revisions", async () => {
      const [near, far] = memoryPair();
      await serve(far, createServers({ info, handlers: { "tools/list": () => ({ tools: [] }) } }));
      await using client = await connect(near, { info, revisions: [revision as Revision] });
      expect(client.revision).toBe(revision);
      expect((await client.listTools()).tools).toEqual([]);
    });

    it("SCHEMA-05 gets the schema of a tool as its author wrote it", async () => {
      const inputSchema = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object" as const,
        properties: { place: { type: "string", "x-mcp-header": "Place" } },
        required: ["place"],
        $defs: {},
      };
      const [near, far] = memoryPair();
      const handlers = { "tools/list": () => ({ tools: [{ name: "weather", inputSchema }] }) };
      await serve(far, createServers({ info, handlers }));
      await using client = await connect(near, { info, revisions: [revision as Revision] });
      const { tools } = await client.listTools();
      expect(tools[0]?.inputSchema).toEqual(inputSchema);
    });
  });

  it("COMPAT-01 probes first, with the preferred revision", async () => {
    const { wire, near } = wired();
    const connecting = connect(near, { info });
    const probe = await wire.answer(discovered(modern.revision));
    expect(probe["method"]).toBe("server/discover");
    expect((probe["params"] as Json)["_meta"]).toMatchObject(metaFor(modern));
    expect((await connecting).revision).toBe(modern.revision);
  });

  it.each([
    ["-32601", { code: -32601, message: "no such method" }],
    ["-32602", { code: -32602, message: "?" }],
    ["-32600", { code: -32600, message: "initialize first" }],
    ["-32603", { code: -32603, message: "?" }],
    ["a code of its own", { code: -32000, message: "?" }],
  ])("COMPAT-02 COMPAT-03 COMPAT-07 falls back to the handshake on %s", async (_, error) => {
    const { wire, near } = wired();
    const connecting = connect(near, { info });
    const { id } = await wire.next();
    wire.send({ jsonrpc: "2.0", id, error });
    const opening = await wire.answer(hello(legacy.revision));
    expect(opening).toMatchObject({ method: "initialize", params: { protocolVersion: old[0] } });
    const client = await connecting;
    expect(client.revision).toBe(legacy.revision);
    await wire.next();
    // LIFE-10: what the old server asks is answered again.
    expect(await wire.ask("p", "ping")).toMatchObject({ result: {} });
  });

  it("COMPAT-02 falls back to the handshake on silence", async () => {
    const { wire, near } = wired();
    const connecting = connect(near, { info, probeTimeout: 30 });
    const probe = await wire.next();
    expect(await wire.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: probe["id"] },
    });
    await wire.answer(hello(legacy.revision));
    expect((await connecting).revision).toBe(legacy.revision);
    // The late answer to the probe changes nothing.
    wire.send({ jsonrpc: "2.0", id: probe["id"], result: discovered(modern.revision) });
    await turns();
    expect((await connecting).revision).toBe(legacy.revision);
  });

  it.each([-32020, -32021])(
    "COMPAT-02 does not fall back on %i, which only the modern era knows",
    async (code) => {
      const { wire, near } = wired();
      const connecting = failure(connect(near, { info }));
      const { id } = await wire.next();
      wire.send({ jsonrpc: "2.0", id, error: { code, message: "no" } });
      expect(await connecting).toMatchObject({ name: "McpError", code });
      await turns();
      expect(wire.closed).toBe(true);
      expect(wire.seen).toHaveLength(1);
    },
  );

  it("VERS-08 VERS-10 tries a version that the server lists once more, and not for ever", async () => {
    const { wire, near } = wired();
    const connecting = connect(near, { info });
    const first = await wire.next();
    wire.send({ jsonrpc: "2.0", id: first["id"], error: unsupported(modern.revision) });
    await wire.answer(discovered(modern.revision));
    expect((await connecting).revision).toBe(modern.revision);

    const again = wired();
    const refused = failure(connect(again.near, { info }));
    for (let i = 0; i < 2; i++) {
      const { id } = await again.wire.next();
      again.wire.send({ jsonrpc: "2.0", id, error: unsupported(modern.revision) });
    }
    expect(await refused).toMatchObject({ code: -32022 });
    expect(again.wire.seen).toHaveLength(2);
  });

  it("COMPAT-09 takes a shared old revision that the server lists", async () => {
    for (const answer of ["result", "error"] as const) {
      const { wire, near } = wired();
      const connecting = connect(near, { info });
      const { id } = await wire.next();
      const lists = ["2099-01-01", old[1] as string];
      wire.send({
        jsonrpc: "2.0",
        id,
        ...(answer === "result" ? { result: discovered(...lists) } : { error: unsupported(...lists) }),
      });
      const opening = await wire.answer(hello(old[1] as string));
      expect(opening["params"]).toMatchObject({ protocolVersion: old[1] });
      expect((await connecting).revision).toBe(old[1]);
    }
  });

  it("COMPAT-09 names both sides when they share nothing", async () => {
    const { wire, near } = wired();
    const connecting = failure(connect(near, { info }));
    await wire.answer(discovered("2099-01-01"));
    const error = await connecting;
    expect(error.name).toBe("RefusedError");
    expect(error.message).toContain("2099-01-01");
    expect(error.message).toContain(modern.revision);
  });

  it("COMPAT-04 starts a server again that ends at the probe", async () => {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: 0, result: hello(legacy.revision) });
    // It dies when what it hears is no handshake; the second time, it hears one.
    const steps = ["hear", "unless:initialize", `say:${answer}\n`, "hear", "hear"];
    const losses: unknown[] = [];
    const transport = stdio(process.execPath, [await scripted, ...steps], { stderr: "ignore" });
    await using client = await connect(transport, { info, onClose: (error) => losses.push(error) });
    expect(client.revision).toBe(legacy.revision);
    expect(losses).toEqual([]);
  });

  it("COMPAT-11 a client of the modern era alone finds out an old server at once", async () => {
    const [near, far] = memoryPair();
    await serve(far, makeServer(legacy.protocol));
    const error = await failure(connect(near, { info, mode: modern.revision as Revision }));
    expect(error).toMatchObject({ name: "McpError", code: -32600 });
  });

  it("VERS-03 VERS-04 disconnects from a server that counters with an unknown version", async () => {
    for (const counter of ["2099-01-01", "2024-10-07", "", 7]) {
      const { wire, near } = wired();
      const connecting = failure(connect(near, { info, revisions: old }));
      await wire.answer({ ...hello(""), protocolVersion: counter });
      const error = await connecting;
      expect(error.name).toBe("RefusedError");
      expect(error.message).toContain(String(counter));
      await turns();
      expect(wire.closed).toBe(true);
      expect(wire.seen).toHaveLength(1);
    }
  });

  it("VERS-02 takes up an offer that comes as an error", async () => {
    const { wire, near } = wired();
    const connecting = connect(near, { info, revisions: old });
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32602, message: "?", data: { supported: [old[2]], requested: old[0] } },
    });
    await wire.answer(hello(old[2] as string));
    expect((await connecting).revision).toBe(old[2]);
  });

  it("VERS-05 checks results by the revision that was agreed on", async () => {
    const { wire, near } = wired();
    const connecting = connect(near, { info, revisions: old });
    await wire.answer({ ...hello(old[3] as string), capabilities: { tools: {} } });
    const client = await connecting;
    await wire.next();
    const link = { type: "resource_link", uri: "a:b", name: "x" };
    const calling = failure(client.callTool({ name: "x" }));
    await wire.answer({ content: [link] });
    expect((await calling).name).toBe("ValidationError");
  });

  it("refuses revisions that were not generated", async () => {
    const { near } = wired();
    const error = await failure(connect(near, { info, mode: "2001-01-01" as Revision }));
    expect(error.name).toBe("RefusedError");
  });

  it("CANC-02 TIME-02 gives up a handshake by closing, and cancels nothing", async () => {
    const { wire, near } = wired();
    const error = await failure(connect(near, { info, revisions: old, timeout: 20 }));
    expect(error.name).toBe("TimeoutError");
    await turns();
    expect(wire.closed).toBe(true);
    expect(wire.seen).toHaveLength(1);
  });

  it("JRPC-11 rejects a handshake that is malformed", async () => {
    const { wire, near } = wired();
    const connecting = failure(connect(near, { info, revisions: old }));
    await wire.answer({ protocolVersion: old[0], capabilities: [], serverInfo: info });
    expect((await connecting).name).toBe("ValidationError");
  });
});

describe("a server of several revisions on one connection", () => {
  const serveAll = (handlers = {}): Promise<Wire> =>
    serveWire(createServers({ info, handlers: { "tools/call": () => text("done") as never, ...handlers } }));
  const call = (_meta?: Json): Json => ({ name: "x", ...(_meta && { _meta }) });

  it("COMPAT-12 metadata decides first, whatever the method", async () => {
    const wire = await serveAll();
    expect(errorOf(await wire.ask(1, "initialize", { _meta: metaFor(modern) }))["code"]).toBe(-32601);
    expect(resultOf(await wire.ask(2, "tools/call", call(metaFor(modern))))["resultType"]).toBe("complete");
  });

  it("COMPAT-12 LIFE-07 without metadata and handshake, the old rules hold", async () => {
    const wire = await serveAll();
    expect(errorOf(await wire.ask(1, "tools/call", call()))["code"]).toBe(-32600);
    expect(await wire.ask(2, "ping")).toMatchObject({ result: {} });
  });

  it("COMPAT-13 a session and single requests get on with each other", async () => {
    const wire = await serveAll();
    await shakeHands(wire, legacy.revision);
    await wire.rest();
    expect(resultOf(await wire.ask(1, "tools/call", call(metaFor(modern))))["resultType"]).toBe("complete");
    expect(resultOf(await wire.ask(2, "tools/call", call()))).toEqual(text("done"));
    expect(errorOf(await wire.ask(3, "initialize", {}))["code"]).toBe(-32600);
  });

  it.each(where(legacyRevisions.some(({ facts }) => facts.batches)))(
    "COMPAT-13 BATCH-01 a session keeps its batches when single requests come in between",
    async () => {
      const { revision } = legacyRevisions.find(({ facts }) => facts.batches) ?? legacy;
      const wire = await serveAll();
      await shakeHands(wire, revision);
      await wire.rest();
      await wire.ask(1, "tools/call", call(metaFor(modern)));
      wire.send([{ jsonrpc: "2.0", id: 2, method: "tools/call", params: call() }]);
      expect(resultOf(await wire.next())).toEqual(text("done"));
    },
  );

  it.each(legacyRevisions)("VERS-02 speaks $revision to who offers it", async ({ revision }) => {
    const wire = await serveAll();
    expect(resultOf(await shakeHands(wire, revision))["protocolVersion"]).toBe(revision);
  });

  it("VERS-02 VERS-04 offers its newest old revision to who offers an unknown one", async () => {
    for (const offer of ["2099-01-01", "1.0", modern.revision]) {
      const wire = await serveAll();
      expect(resultOf(await shakeHands(wire, offer))["protocolVersion"]).toBe(old[0]);
    }
  });

  it("VERS-07 DISC-04 DISC-05 tells who speaks an unknown version of all it speaks, the newest first", async () => {
    const wire = await serveAll();
    const key = String(modern.facts.meta.protocolVersion);
    const _meta = { ...metaFor(modern), [key]: "2099-01-01" };
    for (const method of ["server/discover", "tools/call", "no/such"]) {
      expect(errorOf(await wire.ask(1, method, { _meta }))).toMatchObject({
        code: -32022,
        data: { supported: all, requested: "2099-01-01" },
      });
    }
    const answer = await wire.ask(2, "server/discover", { _meta: metaFor(modern) });
    expect(resultOf(answer)["supportedVersions"]).toEqual(all);
  });

  it("CANC-03 cancels by id, in whatever era the request came", async () => {
    const aborted: string[] = [];
    const wire = await serveAll({
      "tools/call": (_: unknown, { signal, revision }: { signal: AbortSignal; revision: string }) =>
        new Promise(() => signal.addEventListener("abort", () => aborted.push(revision))),
    });
    await shakeHands(wire, legacy.revision);
    await wire.rest();
    wire.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call(metaFor(modern)) });
    wire.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call() });
    await turns();
    for (const requestId of [1, 2])
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    await turns();
    expect(aborted).toEqual([modern.revision, legacy.revision]);
  });
});

describe("createServers", () => {
  it("leaves out on each wire what its revision lacks, and keeps what is unknown to all", async () => {
    const tool = {
      name: "t",
      title: "T",
      inputSchema: { type: "object" as const },
      outputSchema: { type: "object" as const },
    };
    const result = {
      content: [{ type: "text" as const, text: "1" }],
      structuredContent: { n: 1 },
      isError: false,
      mine: { kept: true },
    };
    const servers = createServers({
      info,
      handlers: { "tools/call": () => result, "tools/list": () => ({ tools: [tool, tool] }) },
    });
    for (const { revision, protocol, isModern } of revisions) {
      const [near, far] = memoryPair();
      await serve(far, servers);
      const client = await makeClient(protocol, near);
      const called = await client.callTool({ name: "t" });
      const [listed] = (await client.listTools())["tools"] as readonly Json[];
      const has = revision >= "2025-06-18";
      expect(Object.hasOwn(called, "structuredContent"), revision).toBe(has);
      expect(called).toMatchObject({ content: result.content, isError: false, mine: { kept: true } });
      expect(Object.keys(listed as Json).includes("outputSchema"), revision).toBe(has);
      expect(Object.keys(listed as Json).includes("title"), revision).toBe(has);
      expect(called["resultType"]).toBe(isModern ? "complete" : undefined);
      await client.close();
    }
    // The handler's own objects are not touched.
    expect(Object.keys(result)).toEqual(["content", "structuredContent", "isError", "mine"]);
    expect(Object.keys(tool)).toEqual(["name", "title", "inputSchema", "outputSchema"]);
  });

  it("LIFE-12 LIFE-13 LIFE-14 gives every connection the same answers", async () => {
    const servers = createServers({ info, handlers: { "tools/list": () => ({ tools: [] }) } });
    const lists: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const wire = await serveWire(servers);
      lists.push(resultOf(await wire.ask(1, "tools/list", { _meta: metaFor(modern) })));
    }
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  it("refuses a handler for a method that no revision has", () => {
    const handlers = { "tools/cal": () => ({}) };
    expect(() => createServers({ info, handlers: handlers as never })).toThrow(/tools\/cal/);
    expect(() => makeServer(modern.protocol, { handlers: { "resources/subscribe": () => ({}) } })).toThrow(
      /resources\/subscribe.*2026-07-28/,
    );
  });
});

describe("tables of another format", () => {
  it("are refused in one sentence that names both versions", async () => {
    const { clientSide } = modern.protocol;
    const revision = { ...clientSide.revision, format: 2 };
    const { openClient } = await import("@mcpgen/runtime");
    const { near } = wired();
    const error = await failure(openClient({ ...clientSide, revision } as never, near, { info }));
    expect(error.message).toMatch(/format 2.*format 1/);
  });
});
