import {
  InputPending,
  McpError,
  type Progress,
  ToolError,
} from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  failure,
  join,
  type Json,
  legacyRevisions,
  modernRevisions,
  revisions,
  textOf,
} from "../../kit/index.js";
import { echo, open } from "./kit.js";

describe.each(revisions)("tools() at $revision", (one) => {
  const { protocol, isModern, facts } = one;

  it.each(["other", "constructor", "__proto__", ""])(
    "TOOL-02 rejects a call of the unknown tool %j",
    async (name) => {
      const client = await open(protocol, tools([echo]));
      const error = await failure(client.callTool({ name, arguments: {} }));
      expect(error).toMatchObject({ name: "McpError", code: -32602 });
    },
  );

  it("TOOL-05 TOOL-15 answers an error of a tool with a failed result, and calls onError", async () => {
    const errors: Error[] = [];
    const fail = {
      name: "fail",
      handler: () => Promise.reject(new Error("the printer is on fire")),
    };
    const client = await open(protocol, tools([fail]), {
      onError: (error) => errors.push(error),
    });
    const result = await client.callTool({ name: "fail" });
    expect(result["isError"]).toBe(true);
    expect(textOf(result)).toBe("the printer is on fire");
    expect(errors.map(({ message }) => message)).toEqual([
      "the printer is on fire",
    ]);
  });

  it.each([
    [
      "of a refused connection",
      new AggregateError([
        new Error("connect ECONNREFUSED ::1:1"),
        new Error("connect ECONNREFUSED 127.0.0.1:1"),
      ]),
      "connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1",
    ],
    ["without a message", new TypeError(), "TypeError"],
    [
      "with only a code",
      Object.assign(new Error(), { code: "ENOENT" }),
      "ENOENT",
    ],
    [
      "that is an object with a message",
      { message: "No such city." },
      "No such city.",
    ],
    ["that is another object", { status: 404 }, '{"status":404}'],
    ["that is empty", "", "The thrown value is not an error."],
    ["that is undefined", undefined, "No reason was given."],
    ["that is null", null, "No reason was given."],
    [
      "that is very long",
      { text: "x".repeat(9000) },
      `{"text":"${"x".repeat(991)}`,
    ],
  ])(
    "tells the model what a tool throws, an error %s",
    async (_, thrown, message) => {
      const errors: Error[] = [];
      const fail = {
        name: "fail",
        handler: () => Promise.reject(thrown as Error),
      };
      const client = await open(protocol, tools([fail]), {
        onError: (error) => errors.push(error),
      });
      expect(textOf(await client.callTool({ name: "fail" }))).toBe(message);
      expect(errors).toEqual([
        thrown instanceof Error
          ? thrown
          : expect.objectContaining({ message, cause: thrown }),
      ]);
    },
  );

  it("hides the message of all errors but a ToolError with maskErrors, and calls onError (TOOL-20)", async () => {
    const seen: [string, string | undefined][] = [];
    const thrown = [
      new Error("/srv/app/db.ts is away"),
      "text",
      new ToolError("No such city."),
    ];
    const fail = {
      name: "fail",
      handler: () => Promise.reject(thrown.shift()),
    };
    const onError = ({ message }: Error, where?: string): void =>
      void seen.push([message, where]);
    const client = await open(protocol, tools([fail]), {
      onError,
      maskErrors: true,
    });
    const texts: string[] = [];
    for (let i = 0; i < 3; i++) {
      const result = await client.callTool({ name: "fail" });
      expect(result["isError"]).toBe(true);
      texts.push(textOf(result));
    }
    expect(texts).toEqual([
      "The tool failed.",
      "The tool failed.",
      "No such city.",
    ]);
    expect(seen).toEqual([
      ["/srv/app/db.ts is away", "tools/call fail"],
      ["text", "tools/call fail"],
      ["No such city.", "tools/call fail"],
    ]);
  });

  it("never shows the stack of an error (TOOL-20)", async () => {
    const fail = {
      name: "fail",
      handler: () => Promise.reject(new TypeError("bug")),
    };
    const client = await open(protocol, tools([fail]), { onError: () => {} });
    expect(JSON.stringify(await client.callTool({ name: "fail" }))).not.toMatch(
      /call\.test|at /,
    );
  });

  it("answers with a failed result that contains the reason if a question cannot be sent", async () => {
    const ask = {
      name: "ask",
      handler: (
        _args: unknown,
        context: { request(method: string): Promise<unknown> },
      ) => context.request("no/such"),
    };
    const client = await open(protocol, tools([ask]), { onError: () => {} });
    const result = await client.callTool({ name: "ask" });
    expect(result["isError"]).toBe(true);
    expect(textOf(result)).toContain("no/such");
  });

  it("answers with an McpError that a tool throws", async () => {
    const fail = {
      name: "fail",
      handler: () => {
        throw new McpError(-31000, "Not today", { until: "tomorrow" });
      },
    };
    const client = await open(protocol, tools([fail]));
    expect(await failure(client.callTool({ name: "fail" }))).toMatchObject({
      code: -31000,
      message: "Not today",
      data: { until: "tomorrow" },
    });
  });

  it("PROG-01 passes the whole context to a tool", async () => {
    const updates: Progress[] = [];
    const count = {
      name: "count",
      handler: (
        _args: unknown,
        context: { revision: string; progress(step: number): void },
      ) => {
        context.progress(1);
        return context.revision;
      },
    };
    const client = await open(protocol, tools([count]));
    const result = await client.callTool(
      { name: "count" },
      { onProgress: (progress) => updates.push(progress) },
    );
    expect(textOf(result)).toBe(facts.revision);
    expect(updates.map(({ progress }) => progress)).toEqual([1]);
  });

  it("returns the client's response to a tool that requests input, in every revision", async () => {
    if (!Object.hasOwn(protocol.clientQuestions.incomingRequests, "roots/list"))
      return expect(isModern).toBe(true);
    const ask = {
      name: "ask",
      inputSchema: { type: "object", properties: { n: { type: "integer" } } },
      handler: async (
        _args: unknown,
        context: { request(method: string): Promise<unknown> },
      ) => {
        const { roots } = (await context.request("roots/list")) as {
          roots: Json[];
        };
        return roots.map(({ uri }) => uri).join();
      },
    };
    const { client } = await join(protocol, {
      server: { handlers: { ...tools([ask]) } },
      client: {
        handlers: {
          "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
        },
      },
    });
    expect(
      textOf(await client.callTool({ name: "ask", arguments: { n: 1 } })),
    ).toBe("file:///home");
  });
});

describe.each(modernRevisions)(
  "tools() at $revision",
  ({ protocol, facts }) => {
    it("META-05 sends the client the undeclared capability that a tool needs", async () => {
      const ask = {
        name: "ask",
        handler: (
          _args: unknown,
          context: { request(method: string): Promise<unknown> },
        ) => context.request("roots/list"),
      };
      const client = await open(protocol, tools([ask]));
      const error = await failure(client.callTool({ name: "ask" }));
      expect(error).toMatchObject({
        code: facts.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"],
      });
      expect(error["data"]).toEqual({ requiredCapabilities: { roots: {} } });
    });
  },
);

describe.each(legacyRevisions)("tools() at $revision", ({ protocol }) => {
  const hasRoots = Object.hasOwn(
    protocol.clientQuestions.incomingRequests,
    "roots/list",
  );
  it.runIf(hasRoots)(
    "answers a question that needs an undeclared capability with a failed result that a model can read",
    async () => {
      const ask = {
        name: "ask",
        handler: (
          _args: unknown,
          context: { request(method: string): Promise<unknown> },
        ) => context.request("roots/list"),
      };
      const client = await open(protocol, tools([ask]), { onError: () => {} });
      const result = await client.callTool({ name: "ask" });
      expect(result["isError"]).toBe(true);
      expect(textOf(result)).toBe(
        `roots/list needs {"roots":{}} among the client's capabilities.`,
      );
    },
  );

  it("does not convert InputPending to a failed result", async () => {
    const stop = {
      name: "stop",
      handler: () => {
        throw new InputPending();
      },
    };
    const client = await open(protocol, tools([stop]));
    expect(await failure(client.callTool({ name: "stop" }))).toMatchObject({
      code: -32603,
    });
  });
});
