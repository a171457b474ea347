import { memoryPair, serve } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  errorOf,
  failure,
  join,
  type Json,
  legacyRevisions,
  makeServer,
  metaFor,
  modernRevisions,
  resultOf,
  revisions,
  type ServerOptions,
  shakeHands,
  text,
  turns,
  Wire,
} from "../kit/index.js";
import { serveEcho } from "../kit/calls.js";

/** A server with one tool, which logs a line of each level. */
const logging = (levels: readonly string[]): ServerOptions => ({
  capabilities: { logging: {} },
  handlers: {
    "tools/call": (_, { log }) => {
      for (const level of levels) log(level, level);
      return text("done");
    },
  },
});

describe.each(legacyRevisions)(
  "a session with a server of $revision",
  ({ revision, protocol }) => {
    const logged = async () => {
      const wire = await serveEcho(
        protocol,
        logging(protocol.serverSide.levels),
      );
      await shakeHands(wire, revision);
      const levelsOf = async (): Promise<unknown[]> => {
        wire.send({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "x" },
        });
        await turns();
        const messages = (await wire.rest()).filter(
          ({ method }) => method === "notifications/message",
        );
        while (wire.seen.length > 0 && !(await wire.next())["result"]);
        return messages.map(({ params }) => (params as Json)["level"]);
      };
      return { wire, levelsOf };
    };

    it("LOG-02 LOG-03 sends messages of all levels until a level is requested", async () => {
      const { wire, levelsOf } = await logged();
      expect(await levelsOf()).toEqual(protocol.serverSide.levels);
      expect(
        errorOf(await wire.ask(2, "logging/setLevel", { level: "loud" }))[
          "code"
        ],
      ).toBe(-32602);
      expect(await levelsOf()).toEqual(protocol.serverSide.levels);
    });

    it("LOG-06 sends only messages of the requested level or above", async () => {
      const { wire, levelsOf } = await logged();
      expect(
        resultOf(await wire.ask(3, "logging/setLevel", { level: "warning" })),
      ).toEqual({});
      expect(await levelsOf()).toEqual([
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
      ]);
      await wire.ask(4, "logging/setLevel", { level: "emergency" });
      expect(await levelsOf()).toEqual(["emergency"]);
    });

    it("LOG-02 LOG-06 gets the lines that the server object sends by the same levels, and all its other messages", async () => {
      const { levels } = protocol.serverSide;
      const [clientTransport, serverTransport] = memoryPair();
      const server = makeServer(protocol, {
        capabilities: { logging: {}, tools: { listChanged: true } },
      });
      const serving = await serve(serverTransport, server);
      const wire = new Wire(clientTransport);
      await shakeHands(wire, revision);
      const other = "notifications/tools/list_changed";
      /** The levels of the lines that come before another message. */
      const sent = async (): Promise<unknown[]> => {
        for (const level of levels)
          server.notify["loggingMessage"]?.({ level, data: level });
        server.notify["toolsListChanged"]?.({ level: levels[0] });
        const heard = [];
        let { method, params } = await wire.next();
        while (method !== other) {
          heard.push((params as Json)["level"]);
          ({ method, params } = await wire.next());
        }
        return heard;
      };
      expect(await sent()).toEqual(levels);
      for (const [i, level] of levels.entries()) {
        await wire.ask(10 + i, "logging/setLevel", { level });
        expect(await sent()).toEqual(levels.slice(i));
      }
      await serving.close();
    });
  },
);

describe.each(modernRevisions)(
  "a single request to a server of $revision",
  (one) => {
    const { protocol, facts } = one;
    const call = (_meta?: unknown): Json => ({
      name: "x",
      ...(_meta !== undefined && { _meta }),
    });

    it("LOG-04 logs only for a request with a level, on its stream", async () => {
      const wire = await serveEcho(
        protocol,
        logging(protocol.serverSide.levels),
      );
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
  },
);

describe.each(revisions)("context.log at $revision", ({ protocol }) => {
  it("sends nothing and warns without the capability, and the call continues (LOG-01)", async () => {
    const warnings: string[] = [];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": (_, { log }) => {
            log("error", "x");
            return text("done");
          },
        },
        onWarning: (message) => void warnings.push(message),
      },
    });
    expect(await client.callTool({ name: "x" })).toMatchObject(text("done"));
    expect(warnings).toEqual([
      'notifications/message was not sent: it needs {"logging":{}} among the server\'s capabilities.',
    ]);
  });

  it("rejects an unknown level", async () => {
    const errors: Error[] = [];
    const { client } = await join(protocol, {
      server: {
        capabilities: { logging: {} },
        handlers: { "tools/call": (_, { log }) => log("loud", "x") },
        onError: (error) => errors.push(error),
      },
    });
    await failure(client.callTool({ name: "x" }));
    expect(errors[0]?.message).toMatch(
      /"loud" is not a level; expected one of debug, /,
    );
  });
});
