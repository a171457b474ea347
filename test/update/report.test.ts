import { describe, expect, it } from "vitest";
import type { Impact } from "../../src/commands/update/impact/index.js";
import type { RevisionUpdate } from "../../src/commands/update/pins.js";
import {
  type Updated,
  updateMarkdown,
  updateText,
} from "../../src/commands/update/report.js";
import { makeStyle, printed } from "../../src/cli/terminal.js";
import type {
  Comparison,
  Difference,
  Effect,
} from "../../src/generator/ir/change/model.js";

const row = (name: string, more: Partial<RevisionUpdate> = {}) => ({
  name,
  state: "unchanged" as const,
  file: null,
  before: null,
  after: null,
  comparison: null,
  ...more,
});
const compared = (...effects: readonly (readonly Effect[])[]): Comparison => {
  const side = { server: null, revision: "2027-01-15", source: "schema.ts" };
  return {
    format: 2,
    basis: "whole",
    from: side,
    to: { ...side, revision: "2027-06-30" },
    differences: effects.map((one, i): Difference => ({
      subject: { kind: "type", name: `T${i}` },
      path: "",
      change: "type-added",
      before: null,
      after: "string",
      effects: one,
    })),
  };
};
const updated = (more: Partial<Updated> = {}): Updated => ({
  source: "./spec",
  version: {},
  revisions: [],
  extensions: [],
  impacts: [],
  ...more,
});
const impact: Impact = { format: 2, files: 0, lines: [], notes: [] };
const text = (more: Partial<Updated>, colours = false): string =>
  printed(updateText(updated(more), makeStyle(colours)));

describe("the report of an update", () => {
  it("says that nothing is newer, with the start of the commit", () => {
    const version = { commit: "0123456789abcdef0123456789abcdef01234567" };
    expect(text({ version, revisions: [row("2027-01-15")] })).toBe(
      "  unchanged  2027-01-15\n./spec at 0123456789ab: nothing is newer\n",
    );
  });

  it("counts the states of revisions and extensions, and names the files", () => {
    expect(
      text({
        revisions: [
          row("draft", { state: "new", file: "schema/draft/schema.ts" }),
          row("2027-01-15", { state: "changed" }),
        ],
        extensions: [row("tasks", { state: "gone" }), row("apps")],
      }),
    ).toBe(
      "  new        draft       schema/draft/schema.ts\n  changed    2027-01-15\n  gone       tasks     \n  unchanged  apps      \n./spec: 1 new, 1 changed, 1 gone, 1 unchanged\n",
    );
  });

  it("has colours by state", () => {
    const colours = (state: RevisionUpdate["state"]) =>
      /\[(\d+)m/.exec(text({ revisions: [row("a", { state })] }, true))?.[1];
    expect(
      (["new", "changed", "gone", "unchanged"] as const).map(colours),
    ).toEqual(["32", "33", "33", "2"]);
  });

  it("says what changed, and each party once that it breaks, in order", () => {
    const breaking = (who: Effect["who"]): Effect => ({
      who,
      what: "breaking",
    });
    const revisions = [
      row("2027-06-30", {
        state: "new",
        comparison: compared(
          [
            breaking("receiving server"),
            { who: "sending client", what: "compatible" },
          ],
          [breaking("receiving client"), breaking("receiving server")],
        ),
      }),
    ];
    const lines = text({ revisions }).split("\n").slice(1, -2);
    expect(lines[0]).toMatch(
      /^ {13}compared with 2027-01-15\. Types: 2 added, 0 removed, 0 renamed; /,
    );
    expect(lines.slice(1)).toEqual([
      "             ! breaks an old client that receives this",
      "             ! breaks an old server that receives this",
    ]);
  });

  it("says that only comments differ", () => {
    const revisions = [row("a", { state: "changed", comparison: compared() })];
    expect(text({ revisions })).toContain(
      "\n             only comments differ from 2027-01-15\n",
    );
    expect(updateMarkdown(updated({ revisions }))).not.toContain("<details>");
  });

  it.each<
    [
      isMove: boolean,
      outs: string[],
      from: string[],
      to: string[],
      title: string,
    ]
  >([
    [
      false,
      ["gen"],
      ["a"],
      ["b"],
      "when `gen` is generated again, from `a` to `b`",
    ],
    [false, ["gen"], ["a"], ["a"], "when `gen` is generated again"],
    [
      false,
      ["x", "y"],
      ["a"],
      ["b"],
      "when `x` and `y` are generated again, from `a` to `b`",
    ],
    [
      false,
      ["x", "y", "z"],
      ["a", "c"],
      ["b"],
      "when `x`, `y` and `z` are generated again",
    ],
    [true, ["gen"], ["a"], ["b"], "if `gen` moves from `a` to `b`"],
    [true, ["x", "y"], ["a"], ["b"], "if `x` and `y` move from `a` to `b`"],
    [true, ["gen"], ["a", "c"], ["b"], "if `gen` moves to `b`"],
    [true, ["gen"], ["a"], ["b", "c"], "if `gen` moves to a new revision"],
    [true, ["gen"], [], ["b"], "if `gen` moves to `b`"],
    [true, ["gen"], ["b"], ["b"], "if `gen` moves to `b`"],
  ])(
    "names a program and when it changes (%s, %j, %j, %j)",
    (isMove, outs, from, to, title) => {
      const impacts = [
        {
          tsconfig: "tsconfig.json",
          isMove,
          folders: outs.map((out) => ({ out, from, to })),
          impact,
        },
      ];
      expect(updateMarkdown(updated({ impacts }))).toBe(
        `## \`tsconfig.json\`, ${title}\n\nNo file of the program imports the generated files.\n\nSchemas of \`./spec\`:\n\n\n`,
      );
      expect(text({ impacts })).toBe(
        `./spec: nothing is newer\n\ntsconfig.json, ${title.replaceAll("`", "")}\nNo file of the program imports the generated files.\n`,
      );
    },
  );

  it("lists as Markdown each row with its state and file, and folds the changes", () => {
    const page = updateMarkdown(
      updated({
        version: { commit: "abc" },
        revisions: [
          row("2027-06-30", {
            state: "new",
            file: "a.ts",
            comparison: compared([]),
          }),
        ],
        extensions: [row("tasks")],
      }),
    );
    expect(page).toMatch(
      /^Schemas of `\.\/spec` at `abc`:\n\n- `2027-06-30`: new, `a\.ts`\n- `tasks`: unchanged\n\n<details>\n<summary>Changes from <code>2027-01-15<\/code> to <code>2027-06-30<\/code><\/summary>\n\n[^]+\n<\/details>\n$/,
    );
  });

  it("leaves out only those lists of changes that would make the text longer than 55,000 bytes", () => {
    const many = compared(...Array.from({ length: 8000 }, () => []));
    const page = updateMarkdown(
      updated({
        revisions: [
          row("b", { state: "new", comparison: many }),
          row("c", { state: "new", comparison: compared([]) }),
        ],
      }),
    );
    expect(Buffer.byteLength(page)).toBeLessThan(56_000);
    expect(page).toContain(
      "\n\nChanges from `2027-01-15` to `2027-06-30` are too many for this text. `mcpgen diff --markdown` lists them.\n\n<details>\n",
    );
  });

  it("has a list of changes with which it is exactly 55,000 bytes long, and not with one more", () => {
    // Up to forty more characters in each name, the first names first.
    const names = (more: number): string[] =>
      Array.from({ length: 500 }, (_, i) =>
        "x".repeat(60 + Math.min(40, Math.max(0, more - 40 * i))),
      );
    const page = (more: number): string =>
      updateMarkdown(
        updated({
          revisions: [
            ...names(more).map((name) => row(name)),
            row("b", { state: "new", comparison: compared([]) }),
          ],
        }),
      );
    const left = 55_000 - (page(0).length - 1);
    expect(page(left)).toContain("<details>");
    expect(page(left).length).toBe(55_001);
    expect(page(left + 1)).not.toContain("<details>");
  });
});
