// Notes which steps of the sources a test file comes to.
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";

const begin = performance.now();
const steps: Record<string, Set<number>> = {};

Object.assign(globalThis, {
  mcpgenMark: (path: string, step: number) => {
    (steps[path] ??= new Set()).add(step);
  },
});
// Programs that the test starts note theirs by the same number.
process.env["MCPGEN_MARKS_OWNER"] = String(process.pid);

afterAll(() => {
  const path = join(process.env["MCPGEN_MARKS"] ?? "", `${process.pid}.json`);
  const noted = {
    test: relative(process.cwd(), expect.getState().testPath ?? ""),
    time: Math.round(performance.now() - begin),
    steps: Object.fromEntries(
      Object.entries(steps).map(([source, some]) => [source, [...some]]),
    ),
  };
  writeFileSync(path, JSON.stringify(noted));
});
