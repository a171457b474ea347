import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { measure } from "../../.ci/experiment/measure.js";
import { page, report, type Results } from "../../.ci/experiment/report.js";
import { root } from "../repository.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const linesPattern = /\b([\d,]+) lines?\b/g;
/** The figures of code lines, which change with most commits. */
const linesIn = (text: string): number[] =>
  [...text.matchAll(linesPattern)].map(([, figure = ""]) =>
    Number(figure.replaceAll(",", "")),
  );
/** The rest, without the widths of the tables. */
const restOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) =>
      line
        .replace(linesPattern, "… lines")
        .replaceAll(/-{3,}/g, "-")
        .replaceAll(/ {2,}/g, " "),
    );

it("the report about the generated SDK says what the repository holds today, and the code lines within a tenth", async () => {
  const results = JSON.parse(
    read("test/examples/generated-sdk/results.json"),
  ) as Results;
  const [written, today] = [read(page), await report(await measure(), results)];
  const advice = "run npm run experiment -- report";
  expect(restOf(written), advice).toEqual(restOf(today));
  const figures = linesIn(today);
  expect(figures.length).toBeGreaterThan(40);
  const wrong = linesIn(written).filter((figure, i) => {
    const now = figures[i] ?? 0;
    return Math.abs(figure - now) > Math.max(now / 10, 20);
  });
  expect(wrong, advice).toEqual([]);
});
