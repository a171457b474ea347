import { describe, expect, it } from "vitest";
import {
  errorOf,
  info,
  legacyRevisions,
  makeServer,
  resultOf,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  Wire,
} from "../kit/index.js";
import { serveEcho } from "../kit/calls.js";

describe.each(legacyRevisions)(
  "the handshake with a server of $revision",
  ({ revision, protocol, facts }) => {
    const serve = (options?: ServerOptions): Promise<Wire> =>
      serveEcho(protocol, options);

    it("LIFE-02 answers with its revision, capabilities, name and instructions", async () => {
      const wire = await serve({
        instructions: "Try it.",
        capabilities: { logging: {} },
      });
      expect(resultOf(await shakeHands(wire, revision))).toEqual({
        protocolVersion: revision,
        capabilities: { tools: {}, logging: {} },
        serverInfo: info,
        instructions: "Try it.",
      });
    });

    it.each(["1999-12-31", "2099-01-01", "", "latest"])(
      "VERS-02 answers the unknown offer %j with its own revision",
      async (offer) => {
        expect(
          resultOf(await shakeHands(await serve(), offer))["protocolVersion"],
        ).toBe(revision);
      },
    );

    it("PING-01 answers ping before it", async () => {
      const wire = await serve();
      expect(await wire.ask(1, "ping")).toEqual({
        jsonrpc: "2.0",
        id: 1,
        result: {},
      });
    });

    it.each(["tools/call", "tools/list", "no/such"])(
      "LIFE-07 rejects %s before it",
      async (method) => {
        const answer = await (await serve()).ask(2, method, { name: "x" });
        expect(errorOf(answer)["code"]).toBe(facts.errors["INVALID_REQUEST"]);
      },
    );

    it("LIFE-08 rejects a second one, and keeps the first", async () => {
      const wire = await serve();
      await shakeHands(wire, revision);
      const params = {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: info,
      };
      expect(errorOf(await wire.ask(1, "initialize", params))).toEqual({
        code: facts.errors["INVALID_REQUEST"],
        message: "The session is already initialized.",
      });
      expect(resultOf(await wire.ask(2, "tools/call", { name: "x" }))).toEqual(
        text("done"),
      );
    });

    it.each([
      undefined,
      {},
      { protocolVersion: revision },
      { protocolVersion: 7, capabilities: {} },
    ])(
      "LIFE-02 rejects the malformed params %j, and accepts the next",
      async (params) => {
        const wire = await serve();
        expect(errorOf(await wire.ask(1, "initialize", params))["code"]).toBe(
          facts.errors["INVALID_PARAMS"],
        );
        expect(
          resultOf(await shakeHands(wire, revision))["protocolVersion"],
        ).toBe(revision);
      },
    );

    it("LIFE-05 sends no requests and no notifications before notifications/initialized", async () => {
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
      const params = {
        protocolVersion: revision,
        capabilities: { roots: {} },
        clientInfo: info,
      };
      await wire.ask(1, "initialize", params);
      wire.send({
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: { name: "x" },
      });
      server.notify["toolsListChanged"]?.();
      expect(await wire.rest()).toEqual([]);
      wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      await wire.answer({ roots: [] });
      expect(resultOf(await wire.next())).toEqual(text("asked"));
    });
  },
);
