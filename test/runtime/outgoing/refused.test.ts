import { McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { callOf, ready } from "../kit/calls.js";
import { where } from "../kit/where.js";
import {
  type AnyContext,
  byRevision,
  errorOf,
  everything,
  join,
  type Json,
  modern,
  resultOf,
  revisions,
  text,
  turns,
} from "../kit/index.js";

describe.each(revisions)("an author's errors at $revision", (one) => {
  const codeOf = async (
    code: number,
  ): Promise<{ error: Json; warnings: string[] }> => {
    const warnings: string[] = [];
    const handlers = {
      "tools/call": () => {
        throw new McpError(code, "words", { elicitations: [] });
      },
    };
    const wire = await ready(one, {
      handlers,
      onWarning: (message) => warnings.push(message),
    });
    return {
      error: errorOf(await wire.ask(1, "tools/call", callOf(one))),
      warnings,
    };
  };

  it.each([
    [-32002, -32602],
    [-32042, -32603],
    [-32050, -32603],
  ])(
    "JRPC-15 are not sent with the code %i, but with %i, if the revision forbids it",
    async (code, instead) => {
      const { error, warnings } = await codeOf(code);
      const isDefined = Object.values(one.facts.errors).includes(code);
      const isFree = !one.isModern && code === -32050;
      expect(error).toEqual({
        code: isDefined || isFree ? code : instead,
        message: "words",
        data: { elicitations: [] },
      });
      expect(warnings).toHaveLength(isDefined || isFree ? 0 : 1);
      if (warnings[0])
        expect(warnings[0]).toContain(
          `tools/call: the error ${code} is sent as ${instead}`,
        );
    },
  );

  it.each([4001, -1, -32603, -32100, -40000])(
    "JRPC-19 are sent with the unchanged code %j",
    async (code) => {
      const { error, warnings } = await codeOf(code);
      expect(error["code"]).toBe(code);
      expect(warnings).toEqual([]);
    },
  );

  it.each([-32000, -32001, -32010, -32019])(
    "JRPC-18 are sent with the code %j, which others use for errors of their own, with a warning",
    async (code) => {
      const { error, warnings } = await codeOf(code);
      expect(error["code"]).toBe(code);
      expect(warnings).toEqual(
        one.isModern
          ? [
              `tools/call: the error ${code} has other meanings in other programs. Use a positive code, or one below -32768.`,
            ]
          : [],
      );
    },
  );

  it.each([new McpError(1.5, "words"), new McpError(1, "words", () => {})])(
    "are internal errors if they cannot be sent, and reported: %j",
    async (thrown) => {
      const errors: Error[] = [];
      const handlers = {
        "tools/call": () => {
          throw thrown;
        },
      };
      const onError = (error: Error): void => void errors.push(error);
      const wire = await ready(one, { handlers, onError });
      expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))).toEqual({
        code: -32603,
        message: "Internal error",
      });
      expect(errors.map(({ message, cause }) => [message, cause])).toEqual([
        [
          "An McpError needs an integer code, a string message, and data that is JSON.",
          thrown,
        ],
      ]);
    },
  );

  it.runIf(one.facts.errors["HEADER_MISMATCH"] !== undefined)(
    "JRPC-15 HDR-13 never say that the headers differ, because clients would call again: they are internal errors, and reported",
    async () => {
      const code = one.facts.errors["HEADER_MISMATCH"] ?? 0;
      const errors: Error[] = [];
      const handlers = {
        "tools/call": () => {
          throw new McpError(code, "words", { of: "another server" });
        },
      };
      const wire = await ready(one, {
        handlers,
        onError: (error) => errors.push(error),
      });
      expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))).toEqual({
        code: -32603,
        message: "Internal error",
      });
      expect(errors).toMatchObject([
        { name: "McpError", code, message: "words" },
      ]);
    },
  );
});

describe.each(revisions.filter(({ revision }) => revision >= "2025-06-18"))(
  "requests for input of a server of $revision",
  (one) => {
    const { protocol } = one;
    const asks = (method: string): boolean =>
      Object.hasOwn(protocol.clientQuestions.incomingRequests, method);
    /**
     * The outcome of a request for input, and the number of calls of the
     * client's handlers.
     */
    const ask = async (
      method: string,
      params: Json,
      answer: Json,
      capabilities?: Json,
    ): Promise<{ outcome: unknown; count: number }> => {
      let count = 0;
      let outcome: unknown;
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": async (_: Json, { request }: AnyContext) => {
              try {
                outcome = await request(method, params);
              } catch (error) {
                if ((error as Error).name === "InputPending") throw error;
                outcome = error;
              }
              return text("done");
            },
          },
        },
        client: {
          handlers: {
            [method]: () => {
              count++;
              return answer;
            },
          },
          ...(capabilities && { capabilities }),
        },
      });
      await client
        .callTool({ name: "x" })
        .catch((error: unknown) => (outcome ??= error));
      return { outcome, count };
    };
    const form = (properties: Json): Json => ({
      message: "?",
      requestedSchema: { type: "object", properties },
    });

    it.each(where(asks("elicitation/create")))(
      "ELIC-04 are rejected with nested objects, lists of objects or references in a form",
      async () => {
        for (const field of [
          { type: "object", properties: {} },
          { type: "array", items: { type: "object" } },
          { $ref: "#/x" },
        ]) {
          const { outcome, count } = await ask(
            "elicitation/create",
            form({ field }),
            { action: "cancel" },
          );
          expect(count).toBe(0);
          expect(String(outcome)).toContain(
            "ValidationError: elicitation/create: params",
          );
        }
      },
    );

    it.each(where(asks("elicitation/create")))(
      "ELIC-02 VERS-05 are rejected in URL mode if a client of the revision cannot declare that mode",
      async () => {
        const url = {
          mode: "url",
          message: "?",
          url: "https://example.com",
          elicitationId: "1",
        };
        const params = { ...form({ name: { type: "string" } }), ...url };
        const { outcome, count } = await ask("elicitation/create", params, {
          action: "accept",
        });
        expect(count).toBe(0);
        expect((outcome as Error).name).toMatch(/^(SessionError|McpError)$/);
      },
    );

    const use = (id: string): Json => ({
      type: "tool_use",
      id,
      name: "t",
      input: {},
    });
    const result = (toolUseId: string): Json => ({
      type: "tool_result",
      toolUseId,
      content: [],
    });
    const block = { type: "text", text: "hm" };
    const capabilities = { sampling: { tools: {} } };
    const answer = { role: "assistant", content: block, model: "m" };

    it.each(
      where(asks("sampling/createMessage") && one.revision >= "2025-11-25"),
    )(
      "SAMP-05 are sent with a conversation in which each tool_use has its result",
      async () => {
        const messages = [
          { role: "assistant", content: [use("1"), block] },
          { role: "user", content: [result("1")] },
        ];
        const params = { messages, maxTokens: 1 };
        const { outcome } = await ask(
          "sampling/createMessage",
          params,
          answer,
          capabilities,
        );
        expect(outcome).toMatchObject(answer);
      },
    );

    it.each(
      where(asks("sampling/createMessage") && one.revision >= "2025-11-25"),
    )(
      "SAMP-05 are rejected with a conversation that has a tool_use without its result",
      async () => {
        const wrong = [
          [{ role: "assistant", content: [use("1")] }],
          [
            { role: "assistant", content: [use("1"), use("2")] },
            { role: "user", content: [result("1")] },
          ],
          [
            { role: "assistant", content: [use("1")] },
            { role: "user", content: [result("1"), block] },
          ],
          [{ role: "user", content: result("1") }],
        ];
        for (const messages of wrong) {
          const params = { messages, maxTokens: 1 };
          const { outcome, count } = await ask(
            "sampling/createMessage",
            params,
            answer,
            capabilities,
          );
          expect(count).toBe(0);
          expect(String(outcome)).toContain(
            "ValidationError: sampling/createMessage: params.messages[",
          );
        }
      },
    );
  },
);

describe.each(revisions)(
  "notifications from inside a handler at $revision",
  (one) => {
    const { protocol } = one;
    const announced = "notifications/tools/list_changed";

    it("LIFE-06 TOOL-13 are not sent without the capability of the server: the runtime warns, and the call continues", async () => {
      const warnings: string[] = [];
      const messages: unknown[] = [];
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": (_: Json, { notify }: AnyContext) => {
              notify(announced);
              return text("done");
            },
          },
          onWarning: (message) => warnings.push(message),
        },
        client: { handlers: { [announced]: () => messages.push(1) } },
      });
      expect(await client.callTool({ name: "x" })).toMatchObject(text("done"));
      await turns();
      expect(messages).toEqual([]);
      expect(warnings).toEqual([
        `${announced} was not sent: it needs {"tools":{"listChanged":true}} among the server's capabilities.`,
      ]);
    });

    it("LOG-08 are not sent with log data that is not JSON: the runtime warns, and the call continues", async () => {
      const warnings: string[] = [];
      const messages: unknown[] = [];
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      const { client } = await join(protocol, {
        server: {
          capabilities: everything,
          handlers: {
            "tools/call": (_: Json, { log }: AnyContext) => {
              log("error", () => 1);
              log("error", circle);
              log("error", "fine");
              log("error", new TypeError("no list"));
              log("error", { call: 7, error: new Error("", { cause: 1 }) });
              return text("done");
            },
          },
          onWarning: (message) => warnings.push(message),
        },
        client: {
          handlers: {
            "notifications/message": ({ data }) => messages.push(data),
          },
        },
      });
      const level = one.facts.meta.logLevel;
      const params = {
        name: "x",
        ...(level !== undefined && { _meta: { [level]: "debug" } }),
      };
      expect(await client.callTool(params)).toMatchObject(text("done"));
      await turns();
      // The JSON of an error would be empty.
      expect(messages).toEqual([
        "fine",
        "TypeError: no list",
        { call: 7, error: "Error: Error" },
      ]);
      expect(
        warnings.filter((message) => message.startsWith("context.log")),
      ).toEqual(
        Array<string>(2).fill(
          "context.log: the message was not sent, because its data is not JSON.",
        ),
      );
    });
  },
);

describe("the inputResponses of a call", () => {
  it.each([
    [[]],
    [{ k: 5 }],
    [{ k: "x" }],
    [{ k: { action: "maybe" } }],
    [{ k: { action: "accept", content: "x" } }],
  ])(
    "MRTR-12 are rejected if they are malformed: %j",
    async (inputResponses) => {
      const wire = await ready(modern);
      const answer = await wire.ask(
        1,
        "tools/call",
        callOf(modern, { inputResponses }),
      );
      expect(errorOf(answer)["code"]).toBe(-32602);
    },
  );

  it("MRTR-12 are ignored for unknown keys", async () => {
    const wire = await ready(modern);
    const answer = await wire.ask(
      1,
      "tools/call",
      callOf(modern, { inputResponses: { k: { action: "cancel" } } }),
    );
    expect(resultOf(answer)).toBeDefined();
  });
});

describe.each(revisions.filter(({ revision }) => revision >= "2025-06-18"))(
  "the response to a form at $revision",
  ({ revision }) => {
    it("ELIC-05 has its content removed unless the action is accept", async () => {
      const protocol = byRevision[revision];
      if (!protocol) throw new Error("There is no such revision.");
      const seen: unknown[] = [];
      const { client } = await join(protocol, {
        server: {
          handlers: {
            "tools/call": async (_: Json, { request }: AnyContext) => {
              const requestedSchema = {
                type: "object",
                properties: { name: { type: "string" } },
              };
              seen.push(
                await request("elicitation/create", {
                  message: "?",
                  requestedSchema,
                }),
              );
              return text("done");
            },
          },
        },
        client: {
          handlers: {
            "elicitation/create": () => ({
              action: "decline",
              content: { name: "x" },
            }),
          },
        },
      });
      await client.callTool({ name: "x" });
      expect(seen).toEqual([{ action: "decline" }]);
    });
  },
);
