import { describe, expect, it } from "vitest";
import type {
  Audience,
  Comparison,
  Difference,
  Severity,
} from "../../src/generator/ir/change/model.js";
import {
  acknowledge,
  compareSnapshots,
  rowOf,
} from "../../src/generator/ir/snapshot/diff/index.js";
import {
  needsReview,
  renderMarkdown,
  renderText,
} from "../../src/generator/ir/report/render.js";
import { readText, snapshotOf } from "../stubs/project.js";
import { base, planted, reordered, withDrift } from "./planted.js";

async function compared(a: string, b: string): Promise<Comparison> {
  const [before, after] = [await readText(a), await readText(b)];
  if (before.snapshot === null || after.snapshot === null)
    throw new Error("A snapshot cannot be read.");
  return compareSnapshots(before.snapshot, after.snapshot);
}

function pathOf({ subject, path }: Difference): string {
  return [subject.kind, subject.name, path]
    .filter((part) => part !== "")
    .join(" ");
}

function severityFor(
  audience: Audience,
  difference: Difference | undefined,
): Severity | undefined {
  return difference?.effects.find(({ who }) => who === audience)?.what;
}

interface Told {
  readonly title: string;
  /** Members of a snapshot, before and after. */
  readonly from: Readonly<Record<string, unknown>>;
  readonly to: Readonly<Record<string, unknown>>;
  /** The change, the path, before and after. */
  readonly says: readonly (readonly (string | null)[])[];
}

const capabilities = (
  from: object,
  to: object,
): Omit<Told, "title" | "says"> => ({
  from: { capabilities: from },
  to: { capabilities: to },
});
/** A list of one entry, before and after. */
const one = (
  list: "tools" | "prompts" | "resources" | "resourceTemplates",
  from: object,
  to: object,
): Omit<Told, "title" | "says"> => {
  const common = {
    tools: { name: "x", inputSchema: { type: "object" } },
    prompts: { name: "x" },
    resources: { name: "x", uri: "x://x" },
    resourceTemplates: { name: "x", uriTemplate: "x://{a}" },
  }[list];
  const [before, after] = [from, to].map((each) => ({
    [list]: [{ ...common, ...each }],
  }));
  return { from: before ?? {}, to: after ?? {} };
};
const tasks = (from: string, to: string, change: string): Told => ({
  title: `a tool whose tasks were ${from} and are ${to}`,
  ...one(
    "tools",
    { execution: { taskSupport: from } },
    { execution: { taskSupport: to } },
  ),
  says: [[change, "execution.taskSupport", from, to]],
});
const hint = (
  name: string,
  from: boolean | undefined,
  to: boolean | undefined,
  change: string,
): Told => ({
  title: `a tool whose ${name} was ${String(from)} and is ${String(to)}`,
  ...one(
    "tools",
    { annotations: { [name]: from } },
    { annotations: { [name]: to } },
  ),
  says: [
    [
      change,
      `annotations.${name}`,
      from === undefined ? null : String(from),
      to === undefined ? null : String(to),
    ],
  ],
});

const told: readonly Told[] = [
  {
    title: "a capability with members that appears, once",
    ...capabilities({}, { resources: { subscribe: true, listChanged: true } }),
    says: [["capability-added", "capabilities.resources", null, "{}"]],
  },
  {
    title: "a capability with members that goes, once",
    ...capabilities({ resources: { subscribe: true } }, {}),
    says: [["capability-removed", "capabilities.resources", "{}", null]],
  },
  {
    title: "a member of a capability that appears or goes",
    ...capabilities(
      { resources: { subscribe: true }, tools: {} },
      { resources: {}, tools: { listChanged: true } },
    ),
    says: [
      ["capability-removed", "capabilities.resources.subscribe", "true", null],
      ["capability-added", "capabilities.tools.listChanged", null, "true"],
    ],
  },
  {
    title: "a member that begins like another one on its own",
    ...capabilities(
      { experimental: { ab: {} } },
      { experimental: { a: {}, ab: { c: 1 } } },
    ),
    says: [
      ["capability-added", "capabilities.experimental.ab.c", null, "1"],
      ["capability-added", "capabilities.experimental.a", null, "{}"],
    ],
  },
  {
    title: "a capability of false like none",
    ...capabilities({ tools: { listChanged: false } }, { tools: {} }),
    says: [],
  },
  {
    title: "a capability that becomes false",
    ...capabilities(
      { tools: { listChanged: true } },
      { tools: { listChanged: false } },
    ),
    says: [
      ["capability-removed", "capabilities.tools.listChanged", "true", null],
    ],
  },
  {
    title: "a capability with another value",
    ...capabilities(
      { experimental: { a: "old" } },
      { experimental: { a: [2, 1] } },
    ),
    says: [
      ["capability-changed", "capabilities.experimental.a", "old", "[2,1]"],
    ],
  },
  {
    title: "the words of a server in order of their names",
    from: { server: { name: "made", version: "1", title: "A" } },
    to: {
      server: { name: "made", version: "2", websiteUrl: "https://a.test" },
    },
    says: [
      ["server-changed", "title", "A", null],
      ["server-changed", "version", "1", "2"],
      ["server-changed", "websiteUrl", null, "https://a.test"],
    ],
  },
  {
    title: "instructions that appear",
    from: {},
    to: { instructions: "Ask." },
    says: [["instructions-changed", "instructions", null, "Ask."]],
  },
  {
    title: "a later revision",
    from: { revision: "2025-06-18" },
    to: { revision: "2025-11-25" },
    says: [["revision-raised", "revision", "2025-06-18", "2025-11-25"]],
  },
  {
    title: "no icons in another order, but another icon",
    ...one(
      "tools",
      { icons: [{ src: "a" }, { src: "b" }] },
      { icons: [{ src: "b" }, { src: "a" }] },
    ),
    says: [],
  },
  {
    title: "another icon",
    ...one("tools", { icons: [{ src: "a" }] }, { icons: [{ src: "b" }] }),
    says: [["words-changed", "icons", '[{"src":"a"}]', '[{"src":"b"}]']],
  },
  {
    title: "the words of annotations and of execution",
    ...one(
      "tools",
      { annotations: { title: "A" }, execution: { cost: 1 } },
      { annotations: { title: "B" }, execution: { cost: 2 } },
    ),
    says: [
      ["words-changed", "annotations.title", "A", "B"],
      ["words-changed", "execution.cost", "1", "2"],
    ],
  },
  {
    title: "the description of a tool, which a model reads",
    ...one("tools", {}, { description: "A." }),
    says: [["text-for-models-changed", "description", null, "A."]],
  },
  {
    title: "an output schema that appears",
    ...one("tools", {}, { outputSchema: { type: "object" } }),
    says: [["output-promised", "output", null, null]],
  },
  {
    title: "an output schema that goes",
    ...one("tools", { outputSchema: { type: "object" } }, {}),
    says: [["output-withdrawn", "output", null, null]],
  },
  hint("readOnlyHint", true, undefined, "hint-weakened"),
  hint("readOnlyHint", false, undefined, "hint-restated"),
  hint("readOnlyHint", undefined, true, "hint-strengthened"),
  hint("destructiveHint", false, undefined, "hint-weakened"),
  hint("destructiveHint", true, undefined, "hint-restated"),
  hint("destructiveHint", undefined, false, "hint-strengthened"),
  hint("idempotentHint", true, undefined, "hint-weakened"),
  hint("idempotentHint", undefined, false, "hint-restated"),
  hint("idempotentHint", false, true, "hint-strengthened"),
  hint("openWorldHint", false, undefined, "hint-weakened"),
  hint("openWorldHint", undefined, true, "hint-restated"),
  hint("openWorldHint", true, false, "hint-strengthened"),
  tasks("forbidden", "optional", "tasks-allowed"),
  tasks("forbidden", "required", "tasks-required"),
  tasks("optional", "required", "tasks-required"),
  tasks("optional", "forbidden", "tasks-refused"),
  tasks("required", "forbidden", "tasks-refused"),
  tasks("required", "optional", "tasks-allowed"),
  {
    title: "a tool without a word about tasks like one that forbids them",
    ...one("tools", {}, { execution: { taskSupport: "forbidden" } }),
    says: [],
  },
  {
    title: "the description of a prompt, which a person reads",
    ...one("prompts", { description: "A." }, { description: "B." }),
    says: [["description-changed", "description", "A.", "B."]],
  },
  {
    title: "the arguments of a prompt with their descriptions",
    ...one(
      "prompts",
      { arguments: [{ name: "a", description: "A." }, { name: "b" }] },
      {
        arguments: [
          { name: "a", description: "B." },
          { name: "c", required: true },
        ],
      },
    ),
    says: [
      ["description-changed", "arguments.a", "A.", "B."],
      ["optional-member-removed", "arguments.b", "string", null],
      ["required-member-added", "arguments.c", null, "string"],
    ],
  },
  {
    title: "a resource that gains, changes and loses its type",
    from: {
      resources: [
        { name: "a", uri: "x://a" },
        { name: "b", uri: "x://b", mimeType: "text/plain" },
        { name: "c", uri: "x://c", mimeType: "text/plain" },
      ],
    },
    to: {
      resources: [
        { name: "a", uri: "x://a", mimeType: "text/html" },
        { name: "b", uri: "x://b", mimeType: "text/html" },
        { name: "c", uri: "x://c", size: 3 },
      ],
    },
    says: [
      ["mime-type-added", "mimeType", null, "text/html"],
      ["mime-type-changed", "mimeType", "text/plain", "text/html"],
      ["mime-type-removed", "mimeType", "text/plain", null],
      ["words-changed", "size", null, "3"],
    ],
  },
  {
    title: "a template with other variables",
    ...one("resourceTemplates", {}, { uriTemplate: "x://{b}{?c}" }),
    says: [
      ["variable-removed", "uriTemplate", "a", null],
      ["variable-added", "uriTemplate", null, "b"],
      ["variable-added", "uriTemplate", null, "c"],
    ],
  },
  {
    title: "a template with the same variables at another place",
    ...one("resourceTemplates", {}, { uriTemplate: "x://y/{a}" }),
    says: [["uri-changed", "uriTemplate", "x://{a}", "x://y/{a}"]],
  },
  {
    title: "entries in order of their names",
    from: {
      tools: ["c", "b"].map((name) => ({
        name,
        inputSchema: { type: "object" },
      })),
    },
    to: {
      tools: ["b", "a"].map((name) => ({
        name,
        title: name,
        inputSchema: { type: "object" },
      })),
    },
    says: [
      ["added", "", null, null],
      ["words-changed", "title", null, "b"],
      ["removed", "", null, null],
    ],
  },
];

describe("the comparison of two snapshots", () => {
  it.each(planted)(
    "reports a drift with its class for callers and implementers: $title",
    async (row) => {
      const { differences } = await compared(base, withDrift(row));
      const rows = differences.map((difference) => [
        difference.change,
        pathOf(difference),
        severityFor("callers", difference),
        severityFor("implementers", difference),
      ]);
      expect(rows).toEqual([
        [row.change, row.at, row.callers, row.implementers],
      ]);
      expect(differences.map(needsReview)).toEqual([row.callers === "safety"]);
    },
  );

  it.each(told)(
    "tells each change, where, before and after: $title",
    async ({ from, to, says }) => {
      const { differences } = await compared(snapshotOf(from), snapshotOf(to));
      expect(
        differences.map(({ change, path, before, after }) => [
          change,
          path,
          before,
          after,
        ]),
      ).toEqual(says);
    },
  );

  it("reports nothing if a server only reorders its lists", async () => {
    expect((await compared(base, reordered())).differences).toEqual([]);
    expect((await compared(base, base)).differences).toEqual([]);
  });

  it("reports the reverse of a drift as breaking for the other side", async () => {
    for (const row of planted) {
      if ((row.callers === "breaking") === (row.implementers === "breaking"))
        continue;
      // Removing an argument breaks its callers even if it was ignored; a newer
      // revision breaks nobody.
      if (
        /^(optional|required)-member-(added|removed)$|^revision-/.test(
          row.change,
        )
      )
        continue;
      const [difference] = (await compared(withDrift(row), base)).differences;
      expect([
        row.title,
        severityFor("callers", difference) === "breaking",
      ]).toEqual([row.title, row.implementers === "breaking"]);
    }
  });

  it("lets a row accept a drift only if the row describes exactly that change", async () => {
    const { differences } = await compared(
      base,
      withDrift(planted[9] ?? never()),
    );
    const rows = differences.map(rowOf);
    expect(acknowledge(differences, rows)).toEqual({
      open: [],
      accepted: differences,
      unmatched: [],
    });
    const others = rows.map((row) => ({ ...row, after: '"charts"' }));
    expect(acknowledge(differences, others)).toEqual({
      open: differences,
      accepted: [],
      unmatched: others,
    });
  });

  it.each([
    [120, 120, ""],
    [121, 120, "`--json` lists 1 more."],
    [130, 120, "`--json` lists 10 more."],
  ])(
    "lists the first of %i drifts in Markdown",
    async (count, listed, remark) => {
      const tools = Array.from({ length: count }, (_, i) => ({
        name: `t${i}`,
        inputSchema: {},
      }));
      const drifts = await compared(
        snapshotOf({ tools: [] }),
        snapshotOf({ tools }),
      );
      const text = renderMarkdown(drifts);
      expect(text.match(/^### /gm)).toHaveLength(listed);
      expect(text.trim().split("\n").at(-1)?.startsWith("`--json`")).toBe(
        remark !== "",
      );
      expect(text).toContain(remark);
      expect(renderText(drifts)).not.toContain("--json");
    },
  );

  it("escapes hostile text of a drift in Markdown", async () => {
    const hostile = "`` \\\\| <img src=x> \u202e\n# title";
    const changed = base.replace(
      "Finds books by their words.",
      JSON.stringify(hostile).slice(1, -1),
    );
    const comparison = await compared(base, changed);
    const text = renderMarkdown(comparison);
    expect(
      text.split("\n").filter((line) => line.includes("img")),
    ).toHaveLength(1);
    expect(text).toContain(
      "``` `` \\\\| <img src=x> \\u{202e}\\u{a}# title ```",
    );
    expect(text).not.toContain("\u202e");
    expect(renderText(comparison)).not.toContain("\u202e");
  });
});

function never(): never {
  throw new Error("There are fewer planted drifts.");
}
