import { AsyncLocalStorage } from "node:async_hooks";
import {
  McpError,
  memoryPair,
  type Observation,
  type ObservedRequest,
  observer,
  type RequestOutcome,
  serve,
} from "@mcpgen/runtime";
import { createHttpHandler, http } from "@mcpgen/runtime/http";
import { tasks } from "@mcpgen/runtime/tasks";
import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyHandlers,
  join,
  type Json,
  legacy,
  makeClient,
  makeServer,
  modern,
  revisions,
  text,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";
import { gate, watch } from "../kit/watch.js";
import { open, tool, withTasks } from "../tasks/kit.js";

type Seen = ObservedRequest & RequestOutcome;

/** Notes the requests of one side that have ended. */
function notes(
  observation: (request: ObservedRequest) => Observation = () => ({}),
) {
  const seen: Seen[] = [];
  const { saw, until } = watch();
  return {
    seen,
    ended: until,
    /** Each as a line, without those that open the session. */
    lines: (): string[] =>
      seen
        .filter(({ method }) => !/^(initialize|server\/discover)$/.test(method))
        .map(({ direction, method, name, principal, kind, code }) =>
          [direction, method, name, principal, kind, code]
            .filter((part) => part !== undefined)
            .join(" "),
        ),
    observe: observer((request) => {
      const begun = observation(request);
      return {
        ...begun,
        end(outcome) {
          begun.end?.(outcome);
          seen.push({ ...request, ...outcome });
          saw(request.method);
        },
      };
    }),
  };
}

const handlers: AnyHandlers = {
  "tools/list": () => ({ tools: [] }),
  "tools/call": async ({ name, arguments: args }, { request, signal }) => {
    if (name === "broken") return { ...text("broken"), isError: true };
    if (name === "refused") throw new McpError(77, "refused");
    if (name === "slow")
      await new Promise((resolve) =>
        signal.addEventListener("abort", resolve, { once: true }),
      );
    if (name === "ask") {
      const asked = {
        message: "Who?",
        requestedSchema: { type: "object", properties: {} },
        ...(args as Json),
      };
      return text(
        String((await request("elicitation/create", asked))["action"]),
      );
    }
    return text("done");
  },
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "one" }] }),
  "prompts/get": () => ({ messages: [] }),
};
const accepting = {
  "elicitation/create": () => ({ action: "accept", content: {} }),
} as AnyHandlers;
const asking = revisions.filter(
  ({ protocol }) =>
    protocol.serverQuestions.outgoingRequests["elicitation/create"],
);

describe.each(revisions)(
  "an observer of $revision",
  ({ protocol, revision }) => {
    const observed = async () => {
      const [atClient, atServer] = [notes(), notes()];
      const { client } = await join(protocol, {
        server: { handlers, observe: atServer.observe },
        client: { observe: atClient.observe },
      });
      await client.callTool({ name: "fine" });
      await client.callTool({ name: "broken" });
      await client.callTool({ name: "refused" }).catch(() => {});
      await client.readResource({ uri: "note://1" });
      await client.getPrompt({ name: "greet" });
      await client.listTools();
      await client.close();
      return { atClient, atServer };
    };

    it("sees each request of both sides, with its name and how it ended", async () => {
      const { atClient, atServer } = await observed();
      const lines = [
        "tools/call fine ok",
        "tools/call broken tool_error",
        "tools/call refused error 77",
        "resources/read note://1 ok",
        "prompts/get greet ok",
        "tools/list ok",
      ];
      expect(atClient.lines()).toEqual(lines.map((line) => `sent ${line}`));
      expect(atServer.lines()).toEqual(lines.map((line) => `received ${line}`));
      expect(atClient.seen[0]?.method).toMatch(
        /^(initialize|server\/discover)$/,
      );
      const [, , , refused] = atClient.seen;
      expect([refused?.error, refused?.result]).toEqual([
        expect.any(McpError),
        undefined,
      ]);
    });

    it("sees each request of both sides with its revision, its time and an id of its own", async () => {
      const { atClient, atServer } = await observed();
      for (const { seen } of [atClient, atServer]) {
        expect(new Set(seen.map((one) => one.revision))).toEqual(
          new Set([revision]),
        );
        expect(seen.filter(({ milliseconds }) => !(milliseconds >= 0))).toEqual(
          [],
        );
        expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      }
    });

    it("sees that a call was cancelled, and that one took too long", async () => {
      const [atClient, atServer] = [notes(), notes()];
      const { client } = await join(protocol, {
        server: { handlers, observe: atServer.observe },
        client: { observe: atClient.observe },
      });
      const stop = new AbortController();
      const call = client.callTool({ name: "slow" }, { signal: stop.signal });
      stop.abort(new Error("enough"));
      await expect(call).rejects.toThrow("enough");
      await expect(
        client.callTool({ name: "slow" }, { timeout: 1 }),
      ).rejects.toThrow("no answer");
      await atServer.ended("tools/call", 2);
      expect(atClient.lines()).toEqual([
        "sent tools/call slow cancelled",
        "sent tools/call slow timeout",
      ]);
      expect(atServer.lines()).toEqual(
        Array(2).fill("received tools/call slow cancelled"),
      );
      await client.close();
    });

    it("adds members to the `_meta` of what it sends, but cannot replace those of the engine", async () => {
      const atServer = notes();
      const observe = observer(({ meta }) => ({
        meta: {
          traceparent: `after ${String(meta["traceparent"])}`,
          progressToken: "x",
          "io.modelcontextprotocol/protocolVersion": "1",
        },
      }));
      const { client } = await join(protocol, {
        server: { handlers, observe: atServer.observe },
        client: { observe },
      });
      await client.callTool(
        { name: "fine" },
        { meta: { traceparent: "mine", other: 1 }, onProgress: () => {} },
      );
      const { meta, revision: used } = atServer.seen.at(-1) as Seen;
      expect(meta).toMatchObject({ traceparent: "after mine", other: 1 });
      expect([meta["progressToken"] === "x", used]).toEqual([false, revision]);
      await client.close();
    });

    it("runs the handler where it says, also one that waits for another", async () => {
      const storage = new AsyncLocalStorage<unknown>();
      const observe = observer(({ name }) => ({
        run: (work) => storage.run(name, work),
      }));
      const { ended, end } = gate<void>();
      const stores: unknown[] = [];
      const server = {
        observe,
        limits: { inFlight: 1 },
        handlers: {
          "tools/call": async ({ name }: Json) => {
            stores.push([name, storage.getStore()]);
            await ended;
            stores.push([name, storage.getStore()]);
            return text("done");
          },
        },
      };
      const { client } = await join(protocol, { server });
      const calls = ["one", "two"].map((name) => client.callTool({ name }));
      end();
      await Promise.all(calls);
      expect(stores).toEqual(
        ["one", "one", "two", "two"].map((name) => [name, name]),
      );
      await client.close();
    });

    it("changes nothing when it fails, and `onError` gets why", async () => {
      const fail = (what: string) => (): never => {
        throw new Error(what);
      };
      const twice = (work: () => void): void => {
        work();
        work();
      };
      const kinds = [
        observer(fail("begin")),
        observer(() => ({
          run: fail("run"),
          end: fail("end"),
          meta: { ok: true },
        })),
        observer(() => ({ run: () => {}, end: async () => fail("later")() })),
        observer(() => ({ run: twice })),
        observer((async () => fail("async")()) as never),
        observer(() => undefined),
      ];
      const errors = new Set<string>();
      for (const observe of kinds) {
        let count = 0;
        const onError = (error: Error, where?: string): void =>
          void errors.add(`${where}: ${error.message}`);
        const { client } = await join(protocol, {
          server: {
            handlers: { "tools/call": () => text(String(++count)) },
            observe,
            onError,
          },
          client: { observe, onError },
        });
        expect(await client.callTool({ name: "x" })).toMatchObject(text("1"));
        await client.close();
      }
      expect([...errors].sort()).toEqual(
        ["async", "begin", "end", "later", "run"].map(
          (what) => `observe: ${what}`,
        ),
      );
    });

    it("knows the principal, and tells a method that the revision does not have by its missing revision", async () => {
      const { observe, seen, ended } = notes();
      const [clientTransport, serverTransport] = memoryPair();
      await serve(
        knowing(serverTransport, () => "ada"),
        makeServer(protocol, { handlers, observe }),
      );
      const client = await makeClient(protocol, clientTransport);
      await client.callTool({ name: "fine" });
      void clientTransport.send({
        jsonrpc: "2.0",
        id: "x",
        method: "constructor",
        params: { name: {}, _meta: seen.at(-1)?.meta },
      });
      await ended("constructor");
      expect(seen.slice(-2)).toMatchObject([
        { method: "tools/call", principal: "ada", revision },
        {
          method: "constructor",
          principal: "ada",
          revision: undefined,
          name: undefined,
          kind: "error",
          code: -32601,
        },
      ]);
      await client.close();
    });
  },
);

describe.each(asking)("a question in $revision", ({ protocol, isModern }) => {
  it("is seen by both sides, in the context of the call, with the `_meta` that the observer of the server adds", async () => {
    const storage = new AsyncLocalStorage<unknown>();
    const inside = ({ method, id }: ObservedRequest): Observation => {
      const parent = storage.getStore();
      return {
        meta: { parent: String(parent), own: method },
        run: (work) => storage.run(`${method} ${String(id)}`, work),
      };
    };
    const parents: unknown[] = [];
    const atClient = notes((request) => {
      parents.push([request.direction, request.method, storage.getStore()]);
      return { run: (work) => storage.run(`client ${request.method}`, work) };
    });
    const atServer = notes(inside);
    const { client } = await join(protocol, {
      server: { handlers, observe: atServer.observe },
      client: { handlers: accepting, observe: atClient.observe },
    });
    expect(await client.callTool({ name: "ask" })).toMatchObject(
      text("accept"),
    );
    const rounds = Array(isModern ? 2 : 1);
    expect(atServer.lines().sort()).toEqual([
      ...rounds.fill("received tools/call ask ok"),
      "sent elicitation/create ok",
    ]);
    expect(atClient.lines().sort()).toEqual([
      "received elicitation/create ok",
      ...rounds.fill("sent tools/call ask ok"),
    ]);
    const question = atClient.seen.find(
      ({ direction }) => direction === "received",
    );
    expect(question?.meta).toEqual({
      parent: expect.stringMatching(/^tools\/call /),
      own: "elicitation/create",
    });
    // The next round of a call belongs to the call.
    if (isModern)
      expect(parents.at(-1)).toEqual([
        "sent",
        "tools/call",
        "client tools/call",
      ]);
    await client.close();
  });
});

describe.each(withTasks)("the work of a task in $revision", ({ protocol }) => {
  it("is seen with the id of the task, after its request was answered, and runs where the observer says", async () => {
    const storage = new AsyncLocalStorage<unknown>();
    const { observe, seen, ended } = notes(({ taskId }) => ({
      run: (work) => storage.run(taskId, work),
    }));
    const { ended: opened, end } = gate<void>();
    const work = tool("work", async () => {
      await opened;
      if (storage.getStore() === undefined) return "lost";
      throw new McpError(77, "refused");
    });
    const begun = gate<void>();
    const wait = tool("wait", (_, { signal }) => {
      begun.end();
      return new Promise((resolve) =>
        signal.addEventListener("abort", resolve),
      );
    });
    const { client, start } = await open(protocol, {
      handlers: { ...tools([work, wait] as never), ...tasks() },
      observe,
    });
    const ids = [await start("work"), await start("wait")];
    end();
    await ended("tools/call", 3);
    await begun.ended;
    await client.cancelTask({ taskId: ids[1] ?? "" });
    await ended("tools/call", 4);
    const calls = seen.filter(({ method }) => method === "tools/call");
    expect(
      calls.map(({ name, taskId, kind, code }) => [name, taskId, kind, code]),
    ).toEqual([
      ["work", undefined, "ok", undefined],
      ["wait", undefined, "ok", undefined],
      ["work", ids[0], "error", 77],
      ["wait", ids[1], "cancelled", undefined],
    ]);
    await client.close();
  });
});

describe.each([legacy, modern])(
  "an observer over HTTP in $revision",
  ({ protocol, isModern }) => {
    it("knows the session, if there is one, what carries the messages, and the address without what may be secret", async () => {
      const [atClient, atServer] = [notes(), notes()];
      const handler = createHttpHandler(
        makeServer(protocol, { handlers, observe: atServer.observe }),
      );
      const fetchIt = (
        url: string | URL | Request,
        init?: RequestInit,
      ): Promise<Response> => handler(new Request(url, init));
      const transport = http("http://localhost/mcp?key=secret", {
        fetch: fetchIt,
      });
      const client = await makeClient(protocol, transport, {
        observe: atClient.observe,
      });
      await client.callTool({ name: "fine" });
      await client.callTool({ name: "fine" });
      const sessions = new Set(atServer.seen.map(({ session }) => session));
      expect([...sessions]).toEqual([
        isModern ? undefined : expect.stringMatching(/^[\da-f-]{36}$/),
      ]);
      expect(
        atServer.seen.map(({ carrier, address }) => [carrier, address]),
      ).toEqual([1, 2, 3].map(() => ["http", undefined]));
      expect(
        atClient.seen.map(({ carrier, address, session }) => [
          carrier,
          address,
          session,
        ]),
      ).toEqual(
        [1, 2, 3].map(() => ["http", "http://localhost/mcp", undefined]),
      );
      await client.close();
      await handler.close();
    });
  },
);
