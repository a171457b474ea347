import { isSessionError, McpError } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import { downgradesOf } from "../../../src/generator/view/plan/downgrades.js";
import type { Known, KnownMessages } from "../../../src/generator/ir/known.js";
import {
  convertBlocks,
  downgrade,
} from "../../../src/runtime/core/session/outgoing.js";
import { callOf, ready } from "../kit/calls.js";
import {
  type AnyContext,
  type AnyHandlers,
  errorOf,
  failure,
  join,
  type Json,
  metaFor,
  modern,
  resultOf,
  revisions,
  text,
  turns,
} from "../kit/index.js";
import { where } from "../kit/where.js";

const form = {
  message: "?",
  requestedSchema: { type: "object", properties: {} },
};

describe.each(revisions)(
  "the list of members that a server of $revision omits",
  (one) => {
    const { revision } = one;

    it("VERS-11 is reported once, in a sentence that names the method, the member and the revision", async () => {
      const warnings: string[] = [];
      const handlers = {
        "tools/list": () => ({
          tools: [
            { name: "x", inputSchema: { type: "object" }, execution: {} },
            { name: "y", inputSchema: { type: "object" }, execution: {} },
          ],
        }),
      };
      const wire = await ready(one, {
        handlers,
        onWarning: (message) => warnings.push(message),
      });
      const params = one.isModern ? { _meta: metaFor(one) } : {};
      for (const id of [1, 2]) {
        const { tools: listed } = resultOf(
          await wire.ask(id, "tools/list", params),
        ) as { tools: Json[] };
        expect(listed.map((tool) => "execution" in tool)).toEqual(
          [1, 2].map(() => revision === "2025-11-25"),
        );
      }
      expect(warnings).toEqual(
        revision === "2025-11-25"
          ? []
          : [
              `tools/list: tools.execution is left out, because revision ${revision} does not have it.`,
            ],
      );
    });

    it("VERS-11 includes the capabilities that only other revisions have", async () => {
      const warnings: string[] = [];
      const capabilities = {
        completions: {},
        tasks: {},
        extensions: {},
        tools: {},
      } as never;
      const handlers = {
        "completion/complete": () => ({ completion: { values: [] } }),
        ...tools([]),
      };
      const { client } = await join(one.protocol, {
        server: {
          capabilities,
          handlers: handlers as AnyHandlers,
          onWarning: (text) => warnings.push(text),
        },
      });
      expect(Object.keys(client.server.capabilities).sort()).toEqual(
        [
          ...(revision >= "2025-03-26" ? ["completions"] : []),
          ...(one.isModern ? ["extensions"] : []),
          ...(revision === "2025-11-25" ? ["tasks"] : []),
          "tools",
        ].sort(),
      );
      expect(warnings).toHaveLength(
        4 - Object.keys(client.server.capabilities).length,
      );
    });

    it("VERS-11 TOOL-08 does not include members that the runtime added itself", async () => {
      const warnings: string[] = [];
      const x = { name: "x", handler: () => ({ n: 1 }) } as never;
      const wire = await ready(one, {
        handlers: tools([x]) as unknown as AnyHandlers,
        onWarning: (message) => warnings.push(message),
      });
      const result = resultOf(await wire.ask(1, "tools/call", callOf(one)));
      expect(result["content"]).toEqual([{ type: "text", text: '{"n":1}' }]);
      expect("structuredContent" in result).toBe(revision >= "2025-06-18");
      expect(warnings).toEqual([]);
    });

    it.each(
      where(
        !one.isModern &&
          Object.hasOwn(
            one.protocol.serverQuestions.outgoingRequests,
            "sampling/createMessage",
          ),
      ),
    )("does not include the _meta that any message may have", async () => {
      const warnings: string[] = [];
      const metas: unknown[] = [];
      const { client } = await join(one.protocol, {
        server: {
          capabilities: { logging: {} } as never,
          handlers: {
            "tools/call": async (_: Json, { request, notify }: AnyContext) => {
              const messages = [
                { role: "user", content: { type: "text", text: "?" } },
              ];
              await request("sampling/createMessage", {
                messages,
                maxTokens: 1,
                _meta: { "a.b/c": 1 },
              });
              notify("notifications/message", {
                level: "error",
                data: 1,
                _meta: { "a.b/c": 2 },
              });
              return text("done");
            },
          },
          onWarning: (message) => warnings.push(message),
        },
        client: {
          capabilities: { sampling: {} },
          handlers: {
            "sampling/createMessage": ({ _meta }: Json) => {
              metas.push(_meta);
              return {
                role: "assistant",
                model: "m",
                content: { type: "text", text: "!" },
              };
            },
            "notifications/message": ({ _meta }: Json) => metas.push(_meta),
          },
        },
      });
      await client.callTool({ name: "x" });
      await turns();
      expect(metas).toEqual([{ "a.b/c": 1 }, { "a.b/c": 2 }]);
      expect(warnings).toEqual([]);
    });
  },
);

describe("a handler that returns an InputRequiredResult", () => {
  it("VERS-11 MRTR-03 has the same members of its requests omitted as with context.request", async () => {
    const warnings: string[] = [];
    const url = {
      mode: "url",
      message: "?",
      url: "https://example.com/",
      elicitationId: "1",
    };
    const inputRequests = {
      k: { method: "elicitation/create", params: url },
      l: { method: "elicitation/create", params: { ...form, task: {} } },
    };
    const wire = await ready(modern, {
      handlers: {
        "tools/call": () => ({ resultType: "input_required", inputRequests }),
      } as AnyHandlers,
      onWarning: (message) => warnings.push(message),
    });
    const _meta = metaFor(modern, { elicitation: { form: {}, url: {} } });
    const result = resultOf(
      await wire.ask(1, "tools/call", { name: "x", _meta }),
    );
    const { elicitationId: _, ...sent } = url;
    expect(result["inputRequests"]).toEqual({
      k: { method: "elicitation/create", params: sent },
      l: { method: "elicitation/create", params: form },
    });
    expect(warnings).toEqual([
      "elicitation/create: elicitationId is left out, because revision 2026-07-28 does not have it.",
      "elicitation/create: task is left out, because revision 2026-07-28 does not have it.",
    ]);
  });
});

class Result {
  get content(): unknown[] {
    return [];
  }
}

describe.each(revisions)("a value that JSON changes, at $revision", (one) => {
  it.each([
    ["a class with a getter for the content", () => new Result()],
    ["a Date as _meta", () => ({ content: [], _meta: new Date(0) })],
    ["an object with toJSON", () => ({ content: [], toJSON: () => ({}) })],
    [
      "a function as text",
      () => ({ content: [{ type: "text", text: () => "" }] }),
    ],
    ["a list with a symbol", () => ({ content: [Symbol("s")] })],
  ])("VERS-05 is checked in its serialized form: %s", async (_, make) => {
    const errors: Error[] = [];
    const wire = await ready(one, {
      handlers: { "tools/call": make } as AnyHandlers,
      onError: (error) => errors.push(error),
    });
    expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))["code"]).toBe(
      -32603,
    );
    expect(errors.map(({ name }) => name)).toEqual(["ValidationError"]);
  });

  it("VERS-05 is rejected in the params of a list_changed notification, also if the engine adds members to them", async () => {
    const errors: Error[] = [];
    const notify = (_: Json, context: AnyContext): Json => {
      context.notify("notifications/tools/list_changed", {
        _meta: new Date(0),
      });
      context.notify("notifications/tools/list_changed", new Date(0) as never);
      return text("done");
    };
    const wire = await ready(one, {
      capabilities: { tools: { listChanged: true } },
      handlers: { "tools/call": notify },
      onError: (error) => errors.push(error),
    });
    if (one.isModern) {
      const notifications = { toolsListChanged: true };
      await wire.ask("listen", "subscriptions/listen", {
        notifications,
        _meta: metaFor(one),
      });
    }
    expect(
      resultOf(await wire.ask(1, "tools/call", callOf(one))),
    ).toMatchObject(text("done"));
    await turns();
    expect(errors.map(({ name }) => name)).toEqual([
      "ValidationError",
      "ValidationError",
    ]);
    expect(
      wire.seen.filter(
        ({ method }) => method === "notifications/tools/list_changed",
      ),
    ).toEqual([]);
  });

  it("VERS-05 is sent if its serialized form is valid", async () => {
    const when = new Date(0);
    const value = {
      toJSON: () => ({ ...text("yes"), _meta: { "a.b/when": when } }),
    };
    const wire = await ready(one, {
      handlers: { "tools/call": () => value } as AnyHandlers,
    });
    const result = resultOf(await wire.ask(1, "tools/call", callOf(one)));
    expect(result).toMatchObject({
      ...text("yes"),
      _meta: { "a.b/when": when.toJSON() },
    });
  });

  it("VERS-05 is rejected in the params of a call", async () => {
    const { client } = await join(one.protocol, {
      server: { handlers: { "tools/call": () => text("done") } },
    });
    expect(
      (await failure(client.callTool({ name: { toJSON: () => 5 } }))).name,
    ).toBe("ValidationError");
    expect(
      (await failure(client.callTool({ name: "x", arguments: new Date(0) })))
        .name,
    ).toBe("ValidationError");
  });
});

describe.each(revisions.filter(({ isModern }) => !isModern))(
  "requests of a server to a client of $revision",
  (one) => {
    it("JRPC-15 get no error with a reserved code that the revision does not define", async () => {
      const warnings: string[] = [];
      const codes: unknown[] = [];
      let code = 0;
      const { client } = await join(one.protocol, {
        server: {
          handlers: {
            "tools/call": async (_: Json, { request }: AnyContext) => {
              for (code of [-32042, -32021, -32010, 4001])
                codes.push((await failure(request("roots/list")))["code"]);
              return text("done");
            },
          },
        },
        client: {
          capabilities: { roots: {} },
          handlers: {
            "roots/list": () => {
              throw new McpError(code, "No.", { elicitations: [] });
            },
          },
          onWarning: (message) => warnings.push(message),
        },
      });
      await client.callTool({ name: "x" });
      const isDefined = Object.values(one.facts.errors).includes(-32042);
      expect(codes).toEqual([
        isDefined ? -32042 : -32603,
        -32603,
        -32010,
        4001,
      ]);
      expect(warnings).toHaveLength(isDefined ? 1 : 2);
    });

    it.each(where(one.revision === "2025-06-18"))(
      "reject with a SessionError for an elicitation in URL mode",
      async () => {
        let fault: unknown;
        const { client } = await join(one.protocol, {
          server: {
            handlers: {
              "tools/call": async (_: Json, { request }: AnyContext) => {
                const url = {
                  mode: "url",
                  message: "?",
                  url: "https://example.com/",
                  elicitationId: "1",
                };
                fault = await failure(request("elicitation/create", url));
                return text("done");
              },
            },
          },
          client: {
            capabilities: { elicitation: {} },
            handlers: { "elicitation/create": () => ({}) },
          },
        });
        await client.callTool({ name: "x" });
        expect(isSessionError(fault)).toBe(true);
      },
    );
  },
);

const codesOf = ({ facts }: (typeof revisions)[number]): number[] =>
  [-32021, -32022, -32042].filter((code) =>
    Object.values(facts.errors).includes(code),
  );

describe.each(revisions.filter((one) => codesOf(one).length > 0))(
  "the data of an error at $revision",
  (one) => {
    it.each(codesOf(one))(
      "VERS-05 is checked if the schema requires it for the code %i",
      async (code) => {
        const errors: Error[] = [];
        const right: Record<number, Json> = {
          [-32021]: { requiredCapabilities: { roots: {} } },
          [-32022]: { supported: ["2025-11-25"], requested: "x" },
          [-32042]: { elicitations: [] },
        };
        let data: unknown = { other: true };
        const fail = (): never => {
          throw new McpError(code, "It failed.", data);
        };
        const wire = await ready(one, {
          handlers: { "tools/call": fail },
          onError: (error) => errors.push(error),
        });
        expect(errorOf(await wire.ask(1, "tools/call", callOf(one)))).toEqual({
          code: -32603,
          message: "Internal error",
        });
        expect(errors.map(({ name }) => name)).toEqual(["ValidationError"]);
        expect(errors[0]?.message).toMatch(
          new RegExp(`^The error ${code}: error\\.data\\.\\w+: expected`),
        );
        data = right[code];
        expect(
          errorOf(await wire.ask(2, "tools/call", callOf(one))),
        ).toMatchObject({ code, data });
      },
    );
  },
);

describe("blocks without a replacement", () => {
  const block: Known = {
    members: { type: { members: {} }, n: { members: {} } },
  };
  const messages = (kinds: Known["kinds"], list: boolean): KnownMessages => ({
    results: {
      see: {
        members: {
          seen: { members: {}, ...(list && { list }), ...(kinds && { kinds }) },
        },
      },
    },
    params: {},
  });
  const seen = { seen: [{ type: "a" }, { type: "b", n: 1 }, { type: "a" }] };
  const sent = (
    list: boolean,
    value: unknown,
  ): { sent: unknown; changes: string[] } => {
    const { results, tag } = downgradesOf(
      messages({ a: block }, list),
      messages({ a: block, b: block }, list),
    );
    const changes: string[] = [];
    const downgrades = { tag, blocks: convertBlocks };
    return {
      sent: downgrade(value, results[0]?.[1], downgrades, (change) =>
        changes.push(change),
      ),
      changes,
    };
  };

  it("VERS-05 are omitted from a list, with a warning", () => {
    expect(sent(true, seen)).toEqual({
      sent: { seen: [{ type: "a" }, { type: "a" }] },
      changes: ['a block "b" in seen is left out'],
    });
  });

  it("VERS-05 are kept outside of a list, so that the message is rejected", () => {
    const value = { seen: { type: "b" } };
    expect(sent(false, value)).toEqual({ sent: value, changes: [] });
  });
});
