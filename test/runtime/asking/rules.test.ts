import { describe, expect, it, vi } from "vitest";
import {
  type AnyHandlers,
  type ClientOptions,
  clientWire,
  failure,
  join,
  type Json,
  type Revision,
  revisions,
  text,
} from "../kit/index.js";
import { where } from "../kit/where.js";

const capabilities: Json = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};
const form = {
  message: "?",
  requestedSchema: { type: "object", properties: { age: { type: "integer" } } },
};
const urlOf = (url: unknown): Json => ({
  mode: "url",
  message: "?",
  url,
  elicitationId: String(url),
});
const badUrls = [
  "not a url",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "https:x",
  "http:///x",
  " https://x.org",
];
const user = (...content: Json[]): Json => ({ role: "user", content });
const assistant = (...content: Json[]): Json => ({
  role: "assistant",
  content,
});
const use = (id: string): Json => ({
  type: "tool_use",
  id,
  name: "t",
  input: {},
});
const used = (toolUseId: string): Json => ({
  type: "tool_result",
  toolUseId,
  content: [],
});
const words: Json = { type: "text", text: "x" };
const unmatched: readonly (readonly [string, Json[]])[] = [
  ["text beside a tool_result", [assistant(use("1")), user(used("1"), words)]],
  ["a tool_use that is the last message", [assistant(use("1"))]],
  [
    "one of two that is not answered",
    [assistant(use("1"), use("2")), user(used("1"))],
  ],
  ["an answer to another tool_use", [assistant(use("1")), user(used("2"))]],
];

/**
 * Asks a client one question by hand, and returns the error or result that
 * comes of it.
 */
async function ask(
  one: Revision,
  method: string,
  params: Json,
  handlers: AnyHandlers,
  options: ClientOptions = {},
  times = 1,
): Promise<Json> {
  const { client, wire } = await clientWire(one, {
    handlers,
    capabilities,
    onError: () => {},
    ...options,
  });
  let last: Json = {};
  for (let i = 0; i < times; i++) {
    if (!one.isModern) {
      last = await wire.ask(`q${i}`, method, params);
      continue;
    }
    const calling = client.callTool({ name: "x" }).then(
      () => ({}),
      (error: Error) => ({
        error: {
          message: error.message,
          name: error.name,
          reason: (error as never as Json)["reason"],
        },
      }),
    );
    await wire.answer({
      resultType: "input_required",
      inputRequests: { k: { method, params } },
    });
    const next = await Promise.race([wire.next(), calling]);
    last = next as Json;
    if (last["id"] === undefined) continue;
    wire.send({
      jsonrpc: "2.0",
      id: last["id"],
      result: { ...text(""), resultType: "complete" },
    });
    last = {
      result: ((last["params"] as Json)["inputResponses"] as Json)["k"],
    };
  }
  await client.close();
  return last;
}
const asks = ({ protocol }: Revision, method: string): boolean =>
  method in protocol.clientQuestions.incomingRequests;
const hasUrls = ({ revision }: Revision): boolean =>
  ["2025-11-25", "2026-07-28"].includes(revision);

describe.each(revisions)("the rules for questions in $revision", (one) => {
  const { protocol, isModern } = one;

  it.each(where(hasUrls(one)).length ? badUrls : [])(
    "a client does not pass the URL %j to its handler (ELIC-14)",
    async (url) => {
      const handler = vi.fn(() => ({ action: "accept" }));
      const { error } = (await ask(one, "elicitation/create", urlOf(url), {
        "elicitation/create": handler,
      })) as {
        error: Json;
      };
      expect(error).toMatchObject(
        isModern ? { name: "SessionError" } : { code: -32602 },
      );
      expect(error["message"]).toContain("expected an http or https URL");
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it.each(
    where(asks(one, "elicitation/create")).flatMap(() => [
      ["form", { ...form, url: "javascript:alert(1)", elicitationId: "1" }],
      ...where(hasUrls(one)).flatMap(() => [
        ["form", { ...form, mode: "form", url: "https://example.org/a" }],
        ["url", { ...form, ...urlOf("https://example.org/a") }],
      ]),
    ]) as [string, Json][],
  )(
    "a client passes to its handler nothing of the mode that a question does not have: %s, %j",
    async (mode, params) => {
      const got: Json[] = [];
      const answer = await ask(one, "elicitation/create", params, {
        "elicitation/create": (received: Json) => {
          got.push(received);
          return { action: "decline" };
        },
      });
      expect(answer["result"]).toEqual({ action: "decline" });
      const { requestedSchema, url, elicitationId, ...shared } = params;
      expect(got).toEqual([
        mode === "form"
          ? { ...shared, requestedSchema }
          : { ...shared, url, elicitationId },
      ]);
    },
  );

  it.each(
    where(asks(one, "elicitation/create") && !hasUrls(one)).map(() => "url"),
  )(
    "a client rejects a question of the mode %s, which its revision does not have, because no handler expects it",
    async (mode) => {
      const handler = vi.fn(() => ({ action: "accept" }));
      const params = { ...form, mode, url: "https://example.org/a" };
      const handlers = { "elicitation/create": handler };
      const answer = await ask(one, "elicitation/create", params, handlers);
      expect(answer["error"]).toMatchObject({ code: -32602 });
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it.each(where(hasUrls(one)).length ? badUrls : [])(
    "a server does not send the URL %j, and sends a valid URL without TLS with a warning (ELIC-14, ELIC-15)",
    async (bad) => {
      const shown: unknown[] = [];
      const warnings: string[] = [];
      const ended: string[] = [];
      const { client } = await join(protocol, {
        server: {
          onError: () => {},
          onWarning: (warning) => warnings.push(warning),
          handlers: {
            "tools/call": async ({ arguments: args }, { request }) => {
              const { url, id } = args as Json;
              const { elicitationId: _, ...params } = urlOf(url);
              await request(
                "elicitation/create",
                isModern ? params : { ...params, elicitationId: id },
              ).catch((error: Error) => {
                ended.push(error.name);
                throw error;
              });
              return text("done");
            },
          },
        },
        client: {
          capabilities,
          handlers: {
            "elicitation/create": ({ url }) => (
              shown.push(url),
              { action: "accept" }
            ),
          },
        },
      });
      const call = (url: string): Promise<Json> =>
        client.callTool({ name: "x", arguments: { url, id: url } });
      await call(bad).catch(() => {});
      expect(shown).toEqual([]);
      expect(ended).toEqual(["ValidationError"]);
      await call("https://example.org/a");
      await call("http://localhost:3000/a");
      expect(
        warnings.filter((warning) => warning.includes("is not encrypted")),
      ).toEqual([]);
      await call("http://example.org/a");
      expect(
        warnings.some((warning) =>
          warning.includes("http://example.org is not encrypted"),
        ),
      ).toBe(true);
      expect(new Set(shown)).toEqual(
        new Set([
          "https://example.org/a",
          "http://localhost:3000/a",
          "http://example.org/a",
        ]),
      );
    },
  );

  it.each(where(asks(one, "elicitation/create")))(
    "a client sends content only with an accepted form (ELIC-05)",
    async () => {
      const answer = async (params: Json, action: string): Promise<Json> => {
        const handlers = {
          "elicitation/create": () => ({ action, content: { age: 1 } }),
        };
        return (await ask(one, "elicitation/create", params, handlers))[
          "result"
        ] as Json;
      };
      expect(await answer(form, "accept")).toEqual({
        action: "accept",
        content: { age: 1 },
      });
      expect(await answer(form, "decline")).toEqual({ action: "decline" });
      expect(await answer(form, "cancel")).toEqual({ action: "cancel" });
      if (hasUrls(one)) {
        expect(await answer(urlOf("https://example.org"), "accept")).toEqual({
          action: "accept",
        });
      }
    },
  );

  it.each(
    where(asks(one, "elicitation/create")).length
      ? [{ age: "7" }, { age: 1.5 }, { age: null }, {}, { age: 7, name: ["x"] }]
      : [],
  )(
    "a client does not send %j, which does not fit the form (ELIC-06)",
    async (content) => {
      const requestedSchema = {
        type: "object",
        properties: { age: { type: "integer" }, name: { type: "string" } },
        required: ["age"],
      };
      const handlers = {
        "elicitation/create": () => ({ action: "accept", content }),
      };
      const { error, result } = await ask(
        one,
        "elicitation/create",
        { message: "?", requestedSchema },
        handlers,
      );
      expect(result).toBeUndefined();
      expect(error).toMatchObject(
        isModern ? { name: "ValidationError" } : { code: -32603 },
      );
    },
  );

  it.each(hasUrls(one) ? unmatched : [])(
    "a client runs no handler on %s (SAMP-05)",
    async (_, messages) => {
      const handler = vi.fn();
      const params = { messages, maxTokens: 1 };
      const { error } = await ask(one, "sampling/createMessage", params, {
        "sampling/createMessage": handler,
      });
      expect(error).toMatchObject(
        isModern ? { name: "SessionError" } : { code: -32602 },
      );
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it.each(hasUrls(one) ? unmatched : [])(
    "a server does not send %s (SAMP-05)",
    async (_, messages) => {
      const handler = vi.fn();
      let fault: Error | undefined;
      const { client } = await join(protocol, {
        server: {
          onError: () => {},
          handlers: {
            "tools/call": async (_, { request }) => {
              fault = await failure(
                request("sampling/createMessage", { messages, maxTokens: 1 }),
              );
              return text("done");
            },
          },
        },
        client: {
          capabilities,
          handlers: { "sampling/createMessage": handler },
        },
      });
      await client.callTool({ name: "x" });
      expect(fault).toMatchObject({ name: "ValidationError" });
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it.runIf(hasUrls(one))(
    "a client accepts a tool_use with its result in the next message, and text beside it (SAMP-05)",
    async () => {
      const messages = [
        user(words),
        assistant(words, use("1"), use("2")),
        user(used("2"), used("1")),
        assistant(words),
      ];
      const handlers = {
        "sampling/createMessage": () => ({
          role: "assistant",
          content: words,
          model: "m",
        }),
      };
      const { result } = await ask(
        one,
        "sampling/createMessage",
        { messages, maxTokens: 1 },
        handlers,
      );
      expect(result).toMatchObject({ model: "m" });
    },
  );

  it.each([
    { role: "system", content: words },
    { role: "user", content: { type: "video", data: "" } },
  ])(
    "a client runs no handler on %j, with a wrong role or a block that the revision lacks (SAMP-09)",
    async (message) => {
      const handler = vi.fn();
      const params = { messages: [message], maxTokens: 1 };
      const { error } = await ask(one, "sampling/createMessage", params, {
        "sampling/createMessage": handler,
      });
      expect(error).toBeDefined();
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it("a client does not pass messages of earlier requests to the handler (SAMP-11)", async () => {
    const seen: unknown[] = [];
    const handlers: AnyHandlers = {
      "sampling/createMessage": ({ messages }) => (
        seen.push(messages),
        { role: "assistant", content: words, model: "m" }
      ),
    };
    const messages = [{ role: "user", content: words }];
    await ask(
      one,
      "sampling/createMessage",
      { messages, maxTokens: 1 },
      handlers,
      {},
      2,
    );
    expect(seen).toEqual([messages, messages]);
  });

  it.each(
    [
      ["ELIC-19", "elicitation/create", form, { action: "decline" }],
      [
        "SAMP-10",
        "sampling/createMessage",
        { messages: [], maxTokens: 1 },
        { role: "assistant", content: words, model: "m" },
      ],
    ].filter(([, method]) => asks(one, String(method))) as [
      string,
      string,
      Json,
      Json,
    ][],
  )(
    "a client answers no more questions in a minute than its limit allows (%s)",
    async (_, method, params, answer) => {
      const handler = vi.fn(() => answer);
      const limited = await ask(
        one,
        method,
        params,
        { [method]: handler },
        { limits: { questionsPerMinute: 2 } },
        3,
      );
      expect(limited["error"]).toMatchObject(
        isModern ? { name: "SessionError" } : { code: -32603 },
      );
      expect(handler).toHaveBeenCalledTimes(2);
    },
  );

  it("a client passes the identity of the server to its handler (ELIC-18)", async () => {
    let server: unknown;
    const method = asks(one, "elicitation/create")
      ? "elicitation/create"
      : "sampling/createMessage";
    const params =
      method === "elicitation/create" ? form : { messages: [], maxTokens: 1 };
    await ask(one, method, params, {
      [method]: (_, context) => (
        (server = (context as never as Json)["server"]),
        { action: "decline" }
      ),
    });
    expect(server).toHaveProperty("info");
    expect(server).toHaveProperty("capabilities");
    if (!isModern)
      expect(server).toMatchObject({
        info: { name: expect.any(String) as string },
      });
  });

  it.each([
    "file:///home/../etc",
    "file://../x",
    "file:///home/%2e%2e/etc",
    "file:///home/.%2E",
    "file:///home%2f..%5cetc",
    "file:///home\\..\\etc",
    "file:///home/%252e%252e/etc",
    "file:///home%252f..",
    "file:///home/%00",
    "file:///home/.%00./etc",
    "file:///home/.%0d./etc",
    "file:///home/.\t./etc",
    "file:///home/\0",
    "file:///home/%2500",
    "file:///home/%c0%ae%c0%ae/etc",
  ])("a client does not send the root %j (ROOT-06)", async (uri) => {
    const { error, result } = await ask(
      one,
      "roots/list",
      {},
      { "roots/list": () => ({ roots: [{ uri }] }) },
    );
    expect(result).toBeUndefined();
    expect(error).toMatchObject(
      isModern ? { name: "ValidationError" } : { code: -32603 },
    );
  });

  it("a client sends roots whose names contain dots without path traversal (ROOT-06)", async () => {
    const roots = [
      "file:///home/..a/b..",
      "file:///c:/x.y/...",
      "file://host/x%2ey",
      "file:///100%25/%C3%A9/a%2Fb",
    ].map((uri) => ({ uri }));
    const { result } = await ask(
      one,
      "roots/list",
      {},
      { "roots/list": () => ({ roots }) },
    );
    expect(result).toEqual({ roots });
  });

  it("a client sends only the roots that its handler returns (ROOT-07)", async () => {
    const { error, result } = await ask(one, "roots/list", {}, {});
    expect(result).toBeUndefined();
    expect(error).toMatchObject(
      isModern ? { name: "SessionError" } : { code: -32601 },
    );
  });
});
