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
import { readText } from "../stubs/project.js";
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
