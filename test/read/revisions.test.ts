import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  formatDiagnostic,
  type Scope,
} from "../../src/generator/diagnostics.js";
import {
  clientRevision,
  latestOf,
  namedRevision,
  nearestRevision,
} from "../../src/generator/read/revisions.js";

const names = ["2024-11-05", "2025-11-25", "draft"];

/** What is returned, and all that is said. */
function outcomeOf<T>(work: (scope: Scope) => T): readonly unknown[] {
  const diagnostics = new Diagnostics();
  const result = work(diagnostics.root);
  return [result, ...diagnostics.list.map(formatDiagnostic)];
}

describe("the revisions by their names", () => {
  it.each([
    [names, "2025-11-25"],
    [["draft"], null],
    [["2024-11-05", "2025-11-25x", "x2025-11-25", "2025-1-25"], "2024-11-05"],
    [[], null],
  ])("%j have a latest one with a date", (known, latest) => {
    expect(latestOf(known)).toBe(latest);
    expect(nearestRevision("2023-01-01", known)).toBe(latest);
  });

  it("are the nearest themselves if they are known", () => {
    for (const name of names) {
      expect(nearestRevision(name, names)).toBe(name);
      expect(outcomeOf((scope) => clientRevision(name, names, scope))).toEqual([
        name,
      ]);
    }
  });

  it("are replaced by the latest one for a client, with a warning", () => {
    const newer = `2030-01-01${"x".repeat(40)}`;
    expect(outcomeOf((scope) => clientRevision(newer, names, scope))).toEqual([
      "2025-11-25",
      `MG311 warning: the snapshot was taken in revision "${newer.slice(0, 40)}", which is neither pinned nor bundled; 2025-11-25 is used\n    hint: mcpgen update pins the revisions that the protocol has now`,
    ]);
  });

  it.each([
    ["latest", ["2025-11-25"]],
    ["draft", ["draft"]],
    [
      "2025-11-26",
      [
        null,
        'MG704 unknown revision "2025-11-26"\n    hint: did you mean 2025-11-25?',
      ],
    ],
    [
      "lates",
      [null, 'MG704 unknown revision "lates"\n    hint: did you mean latest?'],
    ],
    [
      "everything",
      [
        null,
        'MG704 unknown revision "everything"\n    hint: the known revisions are 2024-11-05, 2025-11-25, draft; a path has a dot or a slash',
      ],
    ],
  ])("are found by the word %s, or suggested", (word, outcome) => {
    expect(outcomeOf((scope) => namedRevision(word, names, scope))).toEqual(
      outcome,
    );
  });

  it("have further words where these are allowed", () => {
    const alternatives = { words: ["all"], otherwise: "or name a file" };
    const said = (word: string): unknown =>
      outcomeOf((scope) => namedRevision(word, names, scope, alternatives))[1];
    expect(said("alll")).toBe(
      'MG704 unknown revision "alll"\n    hint: did you mean all?',
    );
    expect(said("everything")).toMatch(/, draft; or name a file$/);
    expect(
      outcomeOf((scope) => namedRevision("latest", ["draft"], scope))[0],
    ).toBe(null);
  });
});
