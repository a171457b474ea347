import { describe, expect, it } from "vitest";
import type { Comparison } from "../../../src/generator/ir/change/model.js";
import { diff } from "../../../src/generator/ir/diff/index.js";
import {
  renderJson,
  renderMarkdown,
  renderText,
  summarySentence,
} from "../../../src/generator/ir/report/render.js";
import { revision } from "../../read/typescript/reading.js";
import { broken } from "./between.js";

const made = new Map<string, Comparison>();

/** The comparison of two revisions, which is made once. */
async function between(a: string, b: string): Promise<Comparison> {
  const comparison =
    made.get(`${a} ${b}`) ?? diff(await revision(a), await revision(b));
  made.set(`${a} ${b}`, comparison);
  return comparison;
}

/** The names of the subjects of these changes, sorted. */
function named(
  { differences }: Comparison,
  ...changes: readonly string[]
): string[] {
  return differences
    .filter(({ change }) => changes.includes(change))
    .map(({ subject }) => subject.name)
    .sort();
}

/** The changes at a path, and the sides that break. */
function at(
  { differences }: Comparison,
  subject: string,
  path: string,
): string[] {
  return differences
    .filter((entry) => entry.subject.name === subject && entry.path === path)
    .map((entry) => [entry.change, ...broken(entry)].join(" "));
}

describe("the comparison of 2024-11-05 with 2025-03-26", () => {
  it("reports added types for batches, annotations and audio, and the removed base Annotated", async () => {
    const got = await between("2024-11-05", "2025-03-26");
    expect(named(got, "type-added")).toEqual([
      "Annotations",
      "AudioContent",
      "JSONRPCBatchRequest",
      "JSONRPCBatchResponse",
      "ToolAnnotations",
    ]);
    expect(named(got, "type-removed")).toEqual(["Annotated"]);
  });

  it("reports added batches, members and an alternative of a content", async () => {
    const got = await between("2024-11-05", "2025-03-26");
    expect(at(got, "", "")).toEqual([
      "batches-added client receives server receives",
    ]);
    expect(at(got, "notifications/progress", "params.message")).toEqual([
      "optional-member-added",
    ]);
    expect(at(got, "ServerCapabilities", "completions")).toEqual([
      "optional-member-added",
    ]);
    expect(at(got, "completion/complete", "")).toEqual([
      "capability-required server receives",
    ]);
    expect(at(got, "CallToolResult", "content[]")).toEqual([
      "alternative-added client receives",
    ]);
  });
});

describe("the comparison of 2025-03-26 with 2025-06-18", () => {
  it("reports added types for elicitation, links and titles, and one renamed type", async () => {
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
    expect(named(got, "type-removed")).toEqual([
      "JSONRPCBatchRequest",
      "JSONRPCBatchResponse",
    ]);
    expect(
      got.differences.filter(({ change }) => change === "type-renamed"),
    ).toMatchObject([
      {
        before: "ResourceReference",
        after: "ResourceTemplateReference",
        effects: [],
      },
    ]);
  });

  it("reports an added request, removed batches and added members", async () => {
    const got = await between("2025-03-26", "2025-06-18");
    expect(named(got, "request-added")).toEqual(["elicitation/create"]);
    expect(at(got, "", "")).toEqual([
      "batches-removed client sends server sends",
    ]);
    expect(at(got, "Tool", "outputSchema")).toEqual(["optional-member-added"]);
    expect(at(got, "completion/complete", "params.context")).toEqual([
      "optional-member-added",
    ]);
  });
});

describe("the comparison of 2025-06-18 with 2025-11-25", () => {
  it("reports 55 added types and a removed one", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    expect(summarySentence(got.differences)).toContain(
      "Types: 55 added, 1 removed, 0 renamed;",
    );
    expect(named(got, "type-removed")).toEqual(["JSONRPCError"]);
    expect(named(got, "constant-added")).toEqual(["URL_ELICITATION_REQUIRED"]);
  });

  it("reports added requests and notifications, and types of another kind", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    expect(named(got, "request-added")).toEqual([
      "tasks/cancel",
      "tasks/get",
      "tasks/list",
      "tasks/result",
    ]);
    expect(named(got, "notification-added")).toEqual([
      "notifications/elicitation/complete",
      "notifications/tasks/status",
    ]);
    expect(named(got, "kind-changed")).toEqual([
      "EnumSchema",
      "JSONRPCResponse",
    ]);
  });

  it("reports the changes in the changelog, with the sides that break", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    expect(at(got, "notifications/cancelled", "params.requestId")).toEqual([
      "member-made-optional client receives server receives",
    ]);
    expect(at(got, "", "headers.resume")).toEqual([]);
    expect(named(got, "primed-streams-added")).toEqual([""]);
    expect(at(got, "tools/call", "params.task")).toEqual([
      "optional-member-added",
      "capability-condition-added",
    ]);
    expect(at(got, "CreateMessageResult", "stopReason")).toEqual([
      "known-value-added",
    ]);
    expect(at(got, "ElicitResult", "content{}")).toEqual([
      "alternative-added server receives",
    ]);
  });

  it.each(["tools/call", "sampling/createMessage", "elicitation/create"])(
    "reports a result of %s as compatible, which a side receives only after it requested it",
    async (method) => {
      const got = await between("2025-06-18", "2025-11-25");
      expect(at(got, method, "result")).toEqual(["result-added"]);
    },
  );

  it("reports params as compatible, which a side receives only after it declared them", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    expect(at(got, "elicitation/create", "params")).toEqual([
      "alternative-added",
    ]);
  });

  it("counts changes of derived facts and inheritance as text and Markdown without listing them", async () => {
    const got = await between("2025-06-18", "2025-11-25");
    for (const text of [renderText(got), renderMarkdown(got)]) {
      expect(text).not.toMatch(
        /wellKnown\.|meta\.|engineDefaults\.|\bbases\b(?! and)|Last-Event-ID|\{"member"|method with this role/,
      );
      expect(text).toMatch(
        /Not listed: \d+ changes of tags, bases and derived facts that change no message \(--json/,
      );
    }
    expect(JSON.parse(renderJson(got))).toMatchObject({
      differences: expect.arrayContaining([
        expect.objectContaining({ change: "well-known-method-added" }),
      ]) as unknown,
    });
  });

  it("reports no change of the JSON-RPC members of messages", async () => {
    const { differences } = await between("2025-06-18", "2025-11-25");
    expect(
      differences.filter(
        ({ path, effects }) =>
          /^(id|jsonrpc)$/.test(path) && effects.length > 0,
      ),
    ).toEqual([]);
  });
});

describe("the comparison of 2025-11-25 with 2026-07-28", () => {
  it("reports 42 added types and 32 removed ones", async () => {
    const got = await between("2025-11-25", "2026-07-28");
    expect(summarySentence(got.differences)).toContain(
      "Types: 42 added, 32 removed, 0 renamed; methods: 3 added, 13 removed, 0 renamed;",
    );
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
    expect(at(got, "RequestParams", "_meta")).toEqual([
      "member-made-required client sends",
    ]);
    expect(at(got, "Result", "resultType")).toEqual([
      "required-member-added server sends",
    ]);
    expect(at(got, "PaginatedRequest", "params")).toEqual([
      "member-made-required client sends",
    ]);
    expect(at(got, "CancelledNotificationParams", "requestId")).toEqual([
      "member-made-required client sends server sends",
    ]);
    expect(at(got, "ElicitRequestURLParams", "elicitationId")).toEqual([
      "required-member-removed client receives",
    ]);
    expect(at(got, "CallToolResult", "structuredContent")).toEqual([
      "type-widened client receives",
    ]);
    expect(at(got, "notifications/progress", "")).toEqual(["sender-removed"]);
  });

  it.each(["elicitation/create", "roots/list", "sampling/createMessage"])(
    "reports that %s is carried in another way",
    async (method) => {
      const got = await between("2025-11-25", "2026-07-28");
      expect(at(got, method, "")).toContain(
        "carriage-changed client receives server sends",
      );
    },
  );

  it("treats JSONObject as any object", async () => {
    const { differences } = await between("2025-11-25", "2026-07-28");
    const experimental = differences.filter(({ path }) =>
      path.startsWith("experimental"),
    );
    expect(experimental.length).toBeGreaterThan(0);
    expect(experimental.every(({ effects }) => effects.length === 0)).toBe(
      true,
    );
  });

  it("reports what is newly deprecated", async () => {
    const { differences } = await between("2025-11-25", "2026-07-28");
    const deprecated = differences.filter(
      ({ change, after }) => change === "tag-added" && after === "@deprecated",
    );
    const types = deprecated.filter(({ path }) => path === "");
    // The schema deprecates 16 types and 5 members; one of these members is
    // new, so its tag is not a change.
    expect(types).toHaveLength(16);
    expect(
      deprecated
        .filter(({ path }) => path !== "")
        .map(({ subject, path }) => `${subject.name}.${path}`),
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
])("the comparisons of %s with %s in both directions", (older, newer) => {
  it("mirror each other: added types are removed, and the same types change", async () => {
    const forth = await between(older, newer);
    const back = await between(newer, older);
    expect(named(back, "type-removed")).toEqual(named(forth, "type-added"));
    expect(named(back, "type-added")).toEqual(named(forth, "type-removed"));
    expect(named(back, "request-removed", "notification-removed")).toEqual(
      named(forth, "request-added", "notification-added"),
    );
    const changed = ({ differences }: Comparison): Set<string> =>
      new Set(
        differences
          .filter(({ change }) => change !== "type-renamed")
          .map(({ subject }) => subject.name),
      );
    const renamed = new Set(
      [...forth.differences, ...back.differences].flatMap((entry) =>
        entry.change === "type-renamed" ? [entry.before, entry.after] : [],
      ),
    );
    const names = (comparison: Comparison): string[] =>
      [...changed(comparison)].filter((name) => !renamed.has(name)).sort();
    expect(names(back)).toEqual(names(forth));
  });
});
