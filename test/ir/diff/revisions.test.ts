import { describe, expect, it } from "vitest";
import {
  diff,
  renderJson,
  renderMarkdown,
  renderText,
  summarize,
  type Comparison,
} from "../../../src/ir/diff/index.js";
import { revision } from "../../read/typescript/reading.js";

async function between(a: string, b: string): Promise<Comparison> {
  return diff(await revision(a), await revision(b));
}

/** The names of a kind of change, in the order of the alphabet. */
function named({ differences }: Comparison, ...changes: readonly string[]): string[] {
  return differences
    .filter(({ change }) => changes.includes(change))
    .map(({ subject }) => subject.name)
    .sort();
}

/** What happened at a place, and who breaks. */
function at({ differences }: Comparison, subject: string, path: string): string[] {
  return differences
    .filter((entry) => entry.subject.name === subject && entry.path === path)
    .map(({ change, breaks }) => [change, ...breaks.map(({ side, when }) => `${side} ${when}`)].join(" "));
}

describe("2024-11-05 to 2025-03-26", () => {
  it("adds batches, annotations and audio, and drops the base Annotated", async () => {
    const got = await between("2024-11-05", "2025-03-26");
    expect(named(got, "type-added")).toEqual([
      "Annotations",
      "AudioContent",
      "JSONRPCBatchRequest",
      "JSONRPCBatchResponse",
      "ToolAnnotations",
    ]);
    expect(named(got, "type-removed")).toEqual(["Annotated"]);
    expect(at(got, "", "")).toEqual(["batches-added client receives server receives"]);
    expect(at(got, "notifications/progress", "params.message")).toEqual(["optional-member-added"]);
    expect(at(got, "ServerCapabilities", "completions")).toEqual(["optional-member-added"]);
    expect(at(got, "completion/complete", "")).toEqual(["capability-required server receives"]);
    expect(at(got, "CallToolResult", "content[]")).toEqual(["alternative-added client receives"]);
  });
});

describe("2025-03-26 to 2025-06-18", () => {
  it("adds elicitation, links and titles, drops batches and renames one reference", async () => {
    const got = await between("2025-03-26", "2025-06-18");
    expect(named(got, "type-added")).toEqual([
      "BaseMetadata",
      "BooleanSchema",
      "ContentBlock",
      "ElicitRequest",
      "ElicitResult",
      "EnumSchema",
      "NumberSchema",
      "PrimitiveSchemaDefinition",
      "ResourceLink",
      "StringSchema",
    ]);
    expect(named(got, "type-removed")).toEqual(["JSONRPCBatchRequest", "JSONRPCBatchResponse"]);
    expect(got.differences.filter(({ change }) => change === "type-renamed")).toMatchObject([
      { was: "ResourceReference", is: "ResourceTemplateReference", impact: "neither" },
    ]);
    expect(named(got, "request-added")).toEqual(["elicitation/create"]);
    expect(at(got, "", "")).toEqual(["batches-removed client sends server sends"]);
    expect(at(got, "Tool", "outputSchema")).toEqual(["optional-member-added"]);
    expect(at(got, "completion/complete", "params.context")).toEqual(["optional-member-added"]);
  });
});

describe("2025-06-18 to 2025-11-25", () => {
  it("adds 55 types and removes one", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    expect(summarize(got).types).toEqual({ added: 55, removed: 1, renamed: 0 });
    expect(named(got, "type-removed")).toEqual(["JSONRPCError"]);
    expect(named(got, "constant-added")).toEqual(["URL_ELICITATION_REQUIRED"]);
  });

  it("reports the changes in the changelog, with the sides that break", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    expect(named(got, "request-added")).toEqual(["tasks/cancel", "tasks/get", "tasks/list", "tasks/result"]);
    expect(named(got, "notification-added")).toEqual([
      "notifications/elicitation/complete",
      "notifications/tasks/status",
    ]);
    expect(named(got, "kind-changed")).toEqual(["EnumSchema", "JSONRPCResponse"]);
    expect(at(got, "notifications/cancelled", "params.requestId")).toEqual([
      "member-made-optional client receives server receives",
    ]);
    expect(at(got, "", "headers.resume")).toEqual([]);
    expect(named(got, "primed-streams-added")).toEqual([""]);
    expect(at(got, "tools/call", "params.task")).toEqual(["optional-member-added", "condition-added"]);
    expect(at(got, "CreateMessageResult", "stopReason")).toEqual(["known-value-added"]);
    expect(at(got, "ElicitResult", "content{}")).toEqual(["alternative-added server receives"]);
  });

  it("breaks nobody by what a peer only receives if it asks for it or declares it", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    for (const method of ["tools/call", "sampling/createMessage", "elicitation/create"])
      expect(at(got, method, "result")).toEqual(["result-added"]);
    expect(at(got, "elicitation/create", "params")).toEqual(["alternative-added"]);
  });

  it("lists no derived fact and no inheritance as text or Markdown, and counts them", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    for (const text of [renderText(got), renderMarkdown(got)]) {
      expect(text).not.toMatch(
        /jobs\.|meta\.|fills\.|\bbases\b(?! and)|Last-Event-ID|\{"member"|method for this job/,
      );
      expect(text).toMatch(
        /Not listed: \d+ changes of tags, bases and derived facts that no message shows \(--json/,
      );
    }
    expect(JSON.parse(renderJson(got))).toMatchObject({
      differences: expect.arrayContaining([expect.objectContaining({ change: "job-changed" })]) as unknown,
    });
  });

  it("does not take the envelope for news", async () => {
    const { differences } = await between("2025-06-18", "2025-11-25");
    expect(
      differences.filter(({ path, impact }) => /^(id|jsonrpc)$/.test(path) && impact !== "neither"),
    ).toEqual([]);
  });
});

describe("2025-11-25 to 2026-07-28", () => {
  it("adds 42 types and removes 32", async () => {
    const got = await between("2025-11-25", "2026-07-28");
    expect(summarize(got).types).toEqual({ added: 42, removed: 32, renamed: 0 });
    expect(summarize(got).messages).toEqual({ added: 3, removed: 13, renamed: 0 });
    expect(named(got, "type-removed")).toEqual(
      expect.arrayContaining([
        "ServerRequest",
        "ToolExecution",
        "TaskAugmentedRequestParams",
        "ElicitationCompleteNotification",
      ]),
    );
    expect(named(got, "constant-added")).toEqual([
      "HEADER_MISMATCH",
      "MISSING_REQUIRED_CLIENT_CAPABILITY",
      "UNSUPPORTED_PROTOCOL_VERSION",
    ]);
  });

  it("reports the changes in the changelog, with the sides that break", async () => {
    const got = await between("2025-11-25", "2026-07-28");
    expect(at(got, "", "")).toContain(
      "opening-changed client sends client receives server sends server receives",
    );
    expect(at(got, "RequestParams", "_meta")).toEqual(["member-made-required client sends"]);
    expect(at(got, "Result", "resultType")).toEqual(["required-member-added server sends"]);
    expect(at(got, "PaginatedRequest", "params")).toEqual(["member-made-required client sends"]);
    expect(at(got, "CancelledNotificationParams", "requestId")).toEqual([
      "member-made-required client sends server sends",
    ]);
    expect(at(got, "ElicitRequestURLParams", "elicitationId")).toEqual([
      "required-member-removed client receives",
    ]);
    expect(at(got, "CallToolResult", "structuredContent")).toEqual(["type-widened client receives"]);
    expect(at(got, "notifications/progress", "")).toEqual(["sender-removed"]);
    for (const method of ["elicitation/create", "roots/list", "sampling/createMessage"]) {
      expect(at(got, method, "")).toContain("carriage-changed client receives server sends");
    }
  });

  it("takes JSONObject for the any object that it is", async () => {
    const { differences } = await between("2025-11-25", "2026-07-28");
    const experimental = differences.filter(({ path }) => path.startsWith("experimental"));
    expect(experimental.length).toBeGreaterThan(0);
    expect(experimental.every(({ impact }) => impact === "neither")).toBe(true);
  });

  it("marks what is deprecated now", async () => {
    const { differences } = await between("2025-11-25", "2026-07-28");
    const deprecated = differences.filter(({ change, is }) => change === "tag-added" && is === "@deprecated");
    const types = deprecated.filter(({ path }) => path === "");
    // 16 types and 5 members, of which one is a type and one is a member that is new.
    expect(types).toHaveLength(16);
    expect(
      deprecated.filter(({ path }) => path !== "").map(({ subject, path }) => `${subject.name}.${path}`),
    ).toEqual([
      "ClientCapabilities.roots",
      "ClientCapabilities.sampling",
      "ServerCapabilities.logging",
      "CreateMessageRequestParams.includeContext",
    ]);
  });
});

describe.each([
  ["2024-11-05", "2025-03-26"],
  ["2025-03-26", "2025-06-18"],
  ["2025-06-18", "2025-11-25"],
  ["2025-11-25", "2026-07-28"],
])("%s to %s and back", (older, newer) => {
  it("are mirror images: what came goes, and the same types are touched", async () => {
    const forth = await between(older, newer);
    const back = await between(newer, older);
    expect(named(back, "type-removed")).toEqual(named(forth, "type-added"));
    expect(named(back, "type-added")).toEqual(named(forth, "type-removed"));
    expect(named(back, "request-removed", "notification-removed")).toEqual(
      named(forth, "request-added", "notification-added"),
    );
    const touched = ({ differences }: Comparison): Set<string> =>
      new Set(
        differences.filter(({ change }) => change !== "type-renamed").map(({ subject }) => subject.name),
      );
    const renamed = new Set(
      [...forth.differences, ...back.differences].flatMap((entry) =>
        entry.change === "type-renamed" ? [entry.was, entry.is] : [],
      ),
    );
    const names = (comparison: Comparison): string[] =>
      [...touched(comparison)].filter((name) => !renamed.has(name)).sort();
    expect(names(back)).toEqual(names(forth));
  });
});
