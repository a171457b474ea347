import { describe, expect, it } from "vitest";
import { readSchema } from "../../src/api.js";
import { integer, text, union } from "./schemas.js";
import { unusedFacts } from "./unused.js";
import { revision, revisions } from "../read/typescript/reading.js";

describe("a row of the facts", () => {
  it("is used by a bundled revision", async () => {
    const extended = await readSchema("latest", {
      extensions: ["tasks", "apps", "skills"],
    });
    expect(unusedFacts([...(await revisions()), extended])).toEqual([]);
  });

  it("is reported with its table and content if no revision uses it", async () => {
    const unused = unusedFacts([await revision("2024-11-05")]);
    expect(unused).toContain(
      'messages {"method":"server/discover","type":"DiscoverRequest","role":"discover"}',
    );
    expect(unused).toContain('names "InputRequiredResult"');
    expect(unused).not.toContain(
      'messages {"method":"ping","type":"PingRequest","role":"ping"}',
    );
  });
});

describe("the facts that are not in the schemas", () => {
  it("make request ids and progress tokens strings or integers in every revision", async () => {
    for (const { declarations } of await revisions()) {
      for (const name of ["RequestId", "ProgressToken"]) {
        expect(declarations.find((entry) => entry.name === name)).toMatchObject(
          {
            schema: { checks: union(text, integer).checks },
          },
        );
      }
    }
  });

  it("give 2026-07-28 the members that its engine sets", async () => {
    expect((await revision("2026-07-28")).engineDefaults).toEqual([
      { object: "result", member: "resultType", value: "complete" },
      { object: "result", member: "ttlMs", value: 0 },
      { object: "result", member: "cacheScope", value: "private" },
      { object: "result", member: "_meta", value: null },
      { object: "params", member: "_meta", value: null },
    ]);
  });

  it("sort the levels of log messages from debug to emergency", async () => {
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

  it("name the methods that the engine uses by their role", async () => {
    expect((await revision("2025-11-25")).wellKnown).toEqual({
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
    expect((await revision("2026-07-28")).wellKnown).toEqual({
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

describe("the capabilities that depend on params", () => {
  const conditionsOf = async (
    name: string,
    method: string,
  ): Promise<string[]> => {
    const match = (await revision(name)).messages.find(
      (message) => message.method === method,
    );
    if (match?.kind !== "request") throw new Error(`no request ${method}`);
    return match.conditions.map(
      ({ member, values, capability, implied }) =>
        `${member}=${values === null ? "*" : values.join("|")} ${capability.side} ${capability.path}${implied ? " implied" : ""}`,
    );
  };

  it.each([
    // A mode that only newer revisions have needs a capability that no client
    // of this revision can declare.
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
      [
        "mode=form| client elicitation.form implied",
        "mode=url client elicitation.url",
      ],
    ],
  ])("in %s are the expected ones of %s", async (name, method, want) => {
    expect(await conditionsOf(name, method)).toEqual(want);
  });
});

describe("a required beginning of a string", () => {
  it.each([
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
  ])("applies in %s only to the URI of a root", async (name) => {
    const places = (await revision(name)).messages.flatMap((message) =>
      message.kind === "request" && message.prefixes.length > 0
        ? [[message.method, message.prefixes]]
        : [],
    );
    expect(places).toEqual([
      ["roots/list", [{ list: "roots", member: "uri", prefix: "file://" }]],
    ]);
  });
});

describe("a notification that only subscribers receive", () => {
  it("has a member in the filter of listen, and a subject if there is one", async () => {
    const { messages } = await revision("2026-07-28");
    const filtered = messages.flatMap((message) =>
      message.kind === "notification" &&
      (message.filter !== null || message.subject !== null)
        ? [[message.method, message.filter, message.subject]]
        : [],
    );
    expect(filtered).toEqual([
      ["notifications/resources/list_changed", "resourcesListChanged", null],
      ["notifications/resources/updated", "resourceSubscriptions", "uri"],
      ["notifications/prompts/list_changed", "promptsListChanged", null],
      ["notifications/tools/list_changed", "toolsListChanged", null],
    ]);
  });
});
