import { describe, expect, it } from "vitest";
import {
  errorOf,
  everything,
  info,
  type Json,
  metaFor,
  modernRevisions,
  resultOf,
  type ServerOptions,
  text,
  Wire,
} from "../kit/index.js";
import { serveEcho } from "../kit/calls.js";

describe.each(modernRevisions)(
  "a single request to a server of $revision",
  (one) => {
    const { protocol, facts } = one;
    const {
      protocolVersion = "",
      clientCapabilities = "",
      clientInfo = "",
      serverInfo = "",
    } = facts.meta;
    const serve = (options?: ServerOptions): Promise<Wire> =>
      serveEcho(protocol, options);
    const call = (_meta?: unknown): Json => ({
      name: "x",
      ...(_meta !== undefined && { _meta }),
    });
    const without = (key: string): Json => {
      const { [key]: _, ...rest } = metaFor(one);
      return rest;
    };

    it.each([
      ["no params", undefined],
      ["no _meta", call()],
      ["a _meta that is not an object", call([])],
      ["no version", call(without(protocolVersion))],
      [
        "a version that is not a string",
        call({ ...metaFor(one), [protocolVersion]: 7 }),
      ],
      ["no capabilities", call(without(clientCapabilities))],
      [
        "capabilities that are not an object",
        call({ ...metaFor(one), [clientCapabilities]: [] }),
      ],
    ])(
      "META-01 VERS-09 is rejected with %s, and the error lists the supported revisions",
      async (_, params) => {
        const wire = await serve();
        for (const method of [
          "tools/call",
          "server/discover",
          "initialize",
          "no/such",
        ]) {
          const answer = await wire.ask("id", method, params);
          expect(answer["id"]).toBe("id");
          expect(errorOf(answer)).toMatchObject({
            code: -32602,
            data: { supported: [facts.revision] },
          });
        }
      },
    );

    it("META-02 META-04 may omit the client info, which does not change the answer", async () => {
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

    it.each(["tools/call", "server/discover"])(
      "JRPC-09 META-03 is answered with resultType and the info of the server: %s",
      async (method) => {
        const wire = await serve();
        const result = resultOf(await wire.ask(1, method, call(metaFor(one))));
        expect(result).toMatchObject({
          resultType: "complete",
          _meta: { [serverInfo]: info },
        });
      },
    );

    it("META-07 keeps the members that a handler sets in _meta, also the identity of the server", async () => {
      const handlers = {
        "tools/call": () => ({
          ...text("done"),
          _meta: { "x/y": 1, [serverInfo]: { name: "other", version: "0" } },
        }),
      };
      const result = resultOf(
        await (
          await serve({ handlers })
        ).ask(1, "tools/call", call(metaFor(one))),
      );
      expect(result["_meta"]).toEqual({
        "x/y": 1,
        [serverInfo]: { name: "other", version: "0" },
      });
    });

    it("LIFE-11 META-05 does not depend on earlier requests", async () => {
      const wire = await serve({
        handlers: {
          "tools/call": async (_, { request, client }) => {
            await request("roots/list");
            return text(JSON.stringify(client.capabilities));
          },
        },
      });
      const first = await wire.ask(
        1,
        "tools/call",
        call(metaFor(one, { roots: {} })),
      );
      expect(resultOf(first)["resultType"]).toBe("input_required");
      expect(
        errorOf(await wire.ask(2, "tools/call", call(metaFor(one))))["code"],
      ).toBe(-32021);
      expect(errorOf(await wire.ask(3, "tools/call", call()))["code"]).toBe(
        -32602,
      );
    });

    it("DISC-01 DISC-03 CACHE-01 returns the revisions and capabilities of the server at any time", async () => {
      const wire = await serve({
        instructions: "Try it.",
        capabilities: { logging: {} },
      });
      expect(
        resultOf(await wire.ask(1, "tools/call", call(metaFor(one)))),
      ).toMatchObject(text("done"));
      expect(
        resultOf(await wire.ask(2, "server/discover", { _meta: metaFor(one) })),
      ).toEqual({
        supportedVersions: [facts.revision],
        capabilities: { tools: {}, logging: {} },
        instructions: "Try it.",
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
        _meta: { [serverInfo]: info },
      });
    });

    it("CACHE-01 returns how long lists may be cached; the value of a handler takes precedence", async () => {
      const handlers = {
        "tools/list": () => ({ tools: [], ttlMs: 5000, cacheScope: "public" }),
        "prompts/list": () => ({ prompts: [] }),
        "resources/read": () => ({ contents: [] }),
        "resources/list": () => ({ resources: [] }),
        "resources/templates/list": () => ({ resourceTemplates: [] }),
      };
      const wire = await serve({ handlers });
      for (const method of Object.keys(handlers)) {
        const result = resultOf(
          await wire.ask(1, method, { uri: "a:b", _meta: metaFor(one) }),
        );
        const expected =
          method === "tools/list"
            ? { ttlMs: 5000, cacheScope: "public" }
            : { ttlMs: 0, cacheScope: "private" };
        expect(result, method).toMatchObject({
          resultType: "complete",
          ...expected,
        });
      }
    });

    it("CACHE-01 returns no time for a result that is not cached", async () => {
      const called = await (
        await serve()
      ).ask(1, "tools/call", call(metaFor(one)));
      expect(resultOf(called)).not.toHaveProperty("ttlMs");
    });

    it.each([
      "ping",
      "initialize",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
    ])(
      "PING-04 LIFE-11 cannot use %s, a method of older revisions",
      async (method) => {
        const wire = await serve({ capabilities: everything });
        const params = { ...call(metaFor(one)), uri: "a:b", level: "info" };
        expect(errorOf(await wire.ask(1, method, params))["code"]).toBe(-32601);
      },
    );

    it("JRPC-15 is not answered with codes of older revisions, and with its own codes only in their meaning", async () => {
      const codes = Object.values(facts.errors);
      expect(codes).not.toContain(-32002);
      expect(codes).not.toContain(-32042);
    });
  },
);
