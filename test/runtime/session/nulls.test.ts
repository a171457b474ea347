import { memoryPair } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { ready } from "../kit/calls.js";
import {
  type AnyContext,
  clientWire,
  errorOf,
  everything,
  failure,
  info,
  type Json,
  makeClient,
  makeServer,
  metaFor,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
  text,
  turns,
  Wire,
} from "../kit/index.js";
import { gate } from "../kit/watch.js";
import { runs } from "../../whole.js";

const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const block = { type: "text", text: "a", annotations: null, _meta: null };

/** Some peers write null for each member that is absent. */
describe.each(revisions)(
  "null for an absent member, to a client of $revision",
  (one) => {
    it.each([
      [
        "a tool",
        "callTool",
        { name: "x" },
        {
          content: [block],
          isError: null,
          structuredContent: null,
          _meta: null,
        },
        text("a"),
      ],
      [
        "a prompt",
        "getPrompt",
        { name: "x" },
        { messages: [{ role: "user", content: block }], description: null },
        { messages: [{ role: "user", content: { type: "text", text: "a" } }] },
      ],
      [
        "a resource",
        "readResource",
        { uri: "a:b" },
        { contents: [{ uri: "a:b", text: "a", mimeType: null }] },
        { contents: [{ uri: "a:b", text: "a" }] },
      ],
      [
        "a completion",
        "complete",
        {
          ref: { type: "ref/prompt", name: "x" },
          argument: { name: "a", value: "" },
        },
        { completion: { values: ["a"], total: null, hasMore: null } },
        { completion: { values: ["a"] } },
      ],
    ])(
      "is left out of the result of %s, with a warning",
      async (_, method, params, sent, read) => {
        const warnings: string[] = [];
        const { client, wire } = await clientWire(
          one,
          { onWarning: (warning) => warnings.push(warning) },
          everything,
        );
        const call = (
          client as unknown as Record<
            string,
            (params: Json) => Promise<unknown>
          >
        )[method];
        const calling = call?.call(client, params);
        const { method: wireMethod } = await wire.answer({
          ...sent,
          ...complete,
        });
        const result = await calling;
        expect(result).toMatchObject(read);
        // A revision keeps members that it does not define, and 2026-07-28 any
        // structured content.
        const kept = one.isModern
          ? ["structuredContent"]
          : one.revision < "2025-06-18"
            ? ["structuredContent", "_meta"]
            : [];
        const nulls: unknown[] = [];
        JSON.stringify(result, (key, value: unknown) =>
          value === null && !kept.includes(key) ? nulls.push(key) : value,
        );
        expect(nulls).toEqual([]);
        expect(warnings.length).toBeGreaterThan(0);
        for (const warning of warnings)
          expect(warning).toMatch(/ is null and is read as absent\.$/);
        expect(warnings[0]).toContain(String(wireMethod));
      },
    );
  },
);

describe.each(revisions)(
  "null for an absent member, to a client of $revision",
  (one) => {
    it("is left out of what a server says when a session opens", async () => {
      const [clientTransport, serverTransport] = memoryPair();
      const wire = new Wire(serverTransport);
      const warnings: string[] = [];
      const opening = makeClient(one.protocol, clientTransport, {
        onWarning: (warning) => warnings.push(warning),
      });
      const optional = { capabilities: {}, instructions: null };
      await wire.answer(
        one.isModern
          ? { ...complete, supportedVersions: [one.revision], ...optional }
          : { protocolVersion: one.revision, serverInfo: info, ...optional },
      );
      const client = await opening;
      expect(client.server.instructions).toBeUndefined();
      // The first revision has no type for instructions of another kind.
      expect(warnings).toEqual([
        expect.stringMatching(
          /: instructions is null and is read as absent\.$/,
        ),
      ]);
    });

    it("is left out of progress", async () => {
      const { client, wire } = await clientWire(one);
      const received: unknown[] = [];
      const onProgress = (progress: unknown): number => received.push(progress);
      client.callTool({ name: "x" }, { onProgress }).catch(() => {});
      const { params } = await wire.next();
      const { progressToken } = (params as Json)["_meta"] as Json;
      const progress = {
        progressToken,
        progress: 1,
        total: null,
        message: null,
        _meta: null,
      };
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: progress,
      });
      await turns();
      expect(received).toMatchObject([{ progress: 1 }]);
      expect(received[0]).not.toHaveProperty("total");
    });

    it.each([
      { content: null },
      { content: [{ type: "text", text: null }] },
      { content: [null] },
    ])(
      "stays an error for a member that is required, with the path: %j",
      async (sent) => {
        const { client, wire } = await clientWire(one);
        const calling = failure(client.callTool({ name: "x" }));
        await wire.answer({ isError: null, ...sent, ...complete });
        const error = await calling;
        expect(error.name).toBe("ValidationError");
        expect(error.message).toMatch(/content.* got null/);
      },
    );
  },
);

describe.each(revisions)(
  "null for an absent member, to a server of $revision",
  (one) => {
    const meta = one.isModern ? { _meta: metaFor(one) } : {};

    it("is left out of params", async () => {
      const seen: Json[] = [];
      const note =
        (result: Json) =>
        (params: Json): Json => {
          seen.push(params);
          return result;
        };
      const wire = await ready(one, {
        handlers: {
          "tools/call": note(text("done")),
          "tools/list": note({ tools: [] }),
          "prompts/get": note({ messages: [] }),
          "completion/complete": note({ completion: { values: [] } }),
        },
      });
      const ref = { type: "ref/prompt", name: "x" };
      const calls: readonly (readonly [method: string, params: Json])[] = [
        ["tools/call", { name: "x", arguments: null }],
        ["tools/list", { cursor: null }],
        ["prompts/get", { name: "x", arguments: { a: "1", b: null } }],
        [
          "completion/complete",
          { ref, argument: { name: "a", value: "" }, context: null },
        ],
      ];
      for (const [method, params] of calls)
        expect(
          resultOf(await wire.ask(method, method, { ...params, ...meta })),
        ).toBeDefined();
      expect(seen).toHaveLength(calls.length);
      expect(seen[2]).toMatchObject({ arguments: { a: "1" } });
      // Members that a revision does not define are kept.
      const isDefined = one.revision >= "2025-06-18";
      expect(JSON.stringify(seen).includes("null")).toBe(!isDefined);
    });

    it("is left out of a notification", async () => {
      const errors: Error[] = [];
      const started = gate<void>();
      const ended = gate<void>();
      const wire = await ready(one, {
        onError: (error) => errors.push(error),
        handlers: {
          "tools/call": (_, { signal }) => {
            started.end();
            signal.addEventListener("abort", () => ended.end());
            return new Promise(() => {});
          },
        },
      });
      wire.send({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "x", ...meta },
      });
      await started.ended;
      const params = { requestId: 1, reason: null };
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
      await ended.ended;
      expect(errors).toEqual([]);
    });

    it.runIf(one.revision >= "2025-06-18")(
      "is left out of the answer to a question",
      async () => {
        const answers: unknown[] = [];
        const handlers = {
          "tools/call": async (_: Json, { request }: AnyContext) => {
            const requestedSchema = {
              type: "object",
              properties: { a: { type: "string" } },
            };
            answers.push(
              await request(
                "elicitation/create",
                { message: "?", requestedSchema },
                { key: "a" },
              ),
            );
            return text("done");
          },
        };
        const answer = { action: "decline", content: null };
        const capabilities = { elicitation: {} };
        const wire = await serveWire(makeServer(one.protocol, { handlers }));
        if (one.isModern) {
          const params = { name: "x", _meta: metaFor(one, capabilities) };
          const { requestState } = resultOf(
            await wire.ask(1, "tools/call", params),
          );
          const retry = {
            ...params,
            requestState,
            inputResponses: { a: answer },
          };
          expect(
            resultOf(await wire.ask(2, "tools/call", retry)),
          ).toMatchObject(text("done"));
        } else {
          await shakeHands(wire, one.revision, capabilities);
          await wire.rest();
          wire.send({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "x" },
          });
          await wire.answer(answer);
          expect(resultOf(await wire.next())).toMatchObject(text("done"));
        }
        expect(answers).toEqual([{ action: "decline" }]);
      },
    );

    it.each([
      [50, 50, undefined],
      [51, 51, "a50"],
      [1000, 1, undefined],
      [1001, 1, "a0"],
    ])(
      "is left out of an object of %i members if %i are null, unless there are too many",
      async (count, nulls, fault) => {
        const wire = await ready(one, {
          handlers: { "prompts/get": () => ({ messages: [] }) },
        });
        const many = Object.fromEntries(
          Array.from({ length: count }, (_, i) => [
            `a${i}`,
            i < nulls ? null : "",
          ]),
        );
        const params = { name: "x", arguments: many, ...meta };
        const answer = await wire.ask(1, "prompts/get", params);
        expect((answer["error"] as Json | undefined)?.["message"]).toBe(
          fault &&
            `prompts/get: params.arguments.${fault}: expected a string, got null`,
        );
      },
    );

    it("is bounded: params with very many nulls are an error at once", async () => {
      const wire = await ready(one, {
        handlers: { "prompts/get": () => ({ messages: [] }) },
      });
      const many = Object.fromEntries(
        Array.from({ length: runs(100_000) }, (_, i) => [`a${i}`, null]),
      );
      const answer = await wire.ask(1, "prompts/get", {
        name: "x",
        arguments: many,
        ...meta,
      });
      expect(errorOf(answer)).toMatchObject({
        code: -32602,
        message: expect.stringContaining(
          "params.arguments.a0: expected a string, got null",
        ) as string,
      });
    });
  },
);
