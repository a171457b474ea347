import { describe, expect, it } from "vitest";
import { readSchema } from "../../src/api.js";
import { unusedFacts } from "../../src/ir/unused.js";
import { revision, revisions } from "../read/typescript/reading.js";

describe("a row of the facts", () => {
  it("is used by a bundled revision", async () => {
    const extended = await readSchema("latest", { extensions: ["tasks"] });
    expect(unusedFacts([...(await revisions()), extended])).toEqual([]);
  });

  it("that no given revision uses is reported with its table and content", async () => {
    const unused = unusedFacts([await revision("2024-11-05")]);
    expect(unused).toContain('wellKnownMethods {"job":"discover","method":"server/discover"}');
    expect(unused).toContain('names "InputRequiredResult"');
    expect(unused).not.toContain('wellKnownMethods {"job":"ping","method":"ping"}');
  });
});

describe("a fact that the schema cannot tell", () => {
  it("makes request ids and progress tokens whole numbers, in every revision", async () => {
    for (const { declarations } of await revisions()) {
      for (const name of ["RequestId", "ProgressToken"]) {
        expect(declarations.find((entry) => entry.name === name)).toMatchObject({
          type: {
            kind: "union",
            members: [{ kind: "string" }, { kind: "number", integer: true }],
          },
        });
      }
    }
  });

  it("gives 2026-07-28 the members that its engine fills", async () => {
    expect((await revision("2026-07-28")).fills).toEqual([
      { place: "result", member: "resultType", value: "complete" },
      { place: "result", member: "ttlMs", value: 0 },
      { place: "result", member: "cacheScope", value: "private" },
      { place: "result", member: "_meta", value: null },
      { place: "params", member: "_meta", value: null },
    ]);
  });

  it("ranks the severities of log messages from debug to emergency", async () => {
    for (const { levels } of await revisions()) {
      expect(levels).toEqual([
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
      ]);
    }
  });

  it("names the methods that an engine uses by their role", async () => {
    expect((await revision("2025-11-25")).jobs).toEqual({
      initialize: "initialize",
      initialized: "notifications/initialized",
      ping: "ping",
      cancelled: "notifications/cancelled",
      progress: "notifications/progress",
      log: "notifications/message",
      setLevel: "logging/setLevel",
      subscribe: "resources/subscribe",
      unsubscribe: "resources/unsubscribe",
      listTools: "tools/list",
      callTool: "tools/call",
      listResources: "resources/list",
      listTemplates: "resources/templates/list",
      readResource: "resources/read",
      listPrompts: "prompts/list",
      getPrompt: "prompts/get",
      complete: "completion/complete",
      getTask: "tasks/get",
      taskResult: "tasks/result",
      cancelTask: "tasks/cancel",
      listTasks: "tasks/list",
      taskStatus: "notifications/tasks/status",
    });
    expect((await revision("2026-07-28")).jobs).toEqual({
      discover: "server/discover",
      cancelled: "notifications/cancelled",
      progress: "notifications/progress",
      log: "notifications/message",
      listen: "subscriptions/listen",
      acknowledged: "notifications/subscriptions/acknowledged",
      listTools: "tools/list",
      callTool: "tools/call",
      listResources: "resources/list",
      listTemplates: "resources/templates/list",
      readResource: "resources/read",
      listPrompts: "prompts/list",
      getPrompt: "prompts/get",
      complete: "completion/complete",
    });
  });
});

describe("a capability that depends on the params", () => {
  const conditionsOf = async (name: string, method: string): Promise<string[]> => {
    const found = (await revision(name)).messages.find((message) => message.method === method);
    if (found?.kind !== "request") throw new Error(`no request ${method}`);
    return found.conditions.map(
      ({ member, values, capability, implied }) =>
        `${member}=${values === null ? "*" : values.join("|")} ${capability.side} ${capability.path}${implied ? " implied" : ""}`,
    );
  };

  it.each([
    // A mode that only newer revisions have needs what no client can declare.
    ["2025-06-18", "elicitation/create", ["mode=url client elicitation.url"]],
    [
      "2025-11-25",
      "elicitation/create",
      [
        "mode=form| client elicitation.form implied",
        "mode=url client elicitation.url",
        "task=* client tasks.requests.elicitation.create",
      ],
    ],
    [
      "2025-11-25",
      "sampling/createMessage",
      [
        "tools=* client sampling.tools",
        "toolChoice=* client sampling.tools",
        "includeContext=thisServer|allServers client sampling.context",
        "task=* client tasks.requests.sampling.createMessage",
      ],
    ],
    ["2025-11-25", "tools/call", ["task=* server tasks.requests.tools.call"]],
    ["2025-11-25", "tools/list", []],
    [
      "2026-07-28",
      "elicitation/create",
      ["mode=form| client elicitation.form implied", "mode=url client elicitation.url"],
    ],
  ])("%s %s", async (name, method, want) => {
    expect(await conditionsOf(name, method)).toEqual(want);
  });
});

describe("text that begins as only the prose says", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
    "is a root's URI in %s, and nothing else",
    async (name) => {
      const found = (await revision(name)).messages.flatMap((message) =>
        message.kind === "request" && message.prefixes.length > 0 ? [[message.method, message.prefixes]] : [],
      );
      expect(found).toEqual([["roots/list", [{ list: "roots", member: "uri", prefix: "file://" }]]]);
    },
  );
});

describe("a notification that only subscribers receive", () => {
  it("is enabled by a member of the listen filter, or by a subject", async () => {
    const { messages } = await revision("2026-07-28");
    const heard = messages.flatMap((message) =>
      message.kind === "notification" && (message.filter !== null || message.subject !== null)
        ? [[message.method, message.filter, message.subject]]
        : [],
    );
    expect(heard).toEqual([
      ["notifications/resources/list_changed", "resourcesListChanged", null],
      ["notifications/resources/updated", "resourceSubscriptions", "uri"],
      ["notifications/prompts/list_changed", "promptsListChanged", null],
      ["notifications/tools/list_changed", "toolsListChanged", null],
    ]);
  });
});
