import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../repository.js";
import {
  missingQuestions,
  missingTasks,
  questionCount,
  questions,
  taskCount,
  tasks,
} from "./coverage.js";
import { anchorsOf, readGuides } from "./kit/pages.js";

const index = readFileSync(join(root, "test/examples/README.md"), "utf8");
const guides = readGuides();

describe.each([
  { of: "tasks", rows: tasks, missing: missingTasks, count: taskCount },
  {
    of: "questions",
    rows: questions,
    missing: missingQuestions,
    count: questionCount,
  },
])("the $of of users", ({ rows, missing, count }) => {
  it("have each number once, with a page or in the list of those without one", () => {
    const numbers = [...rows.map(({ number }) => number), ...missing].sort(
      (a, b) => a - b,
    );
    expect(numbers).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });

  it.each(rows.map((row) => [row.number, row.what, row] as const))(
    "%i, %s, have a page with the section, and a program that the page shows",
    (_number, _what, { page, program }) => {
      const [path = "", anchor] = page.split("#");
      expect(existsSync(join(root, path))).toBe(true);
      const anchors = anchorsOf(readFileSync(join(root, path), "utf8"));
      if (anchor !== undefined) expect(anchors).toContain(anchor);
      const name = /^test\/examples\/([\w-]+)\//.exec(path)?.[1];
      if (name !== undefined) expect(index).toContain(`](${name}/README.md`);
      if (program === undefined) return;
      expect(existsSync(join(root, program))).toBe(true);
      const shown = guides
        .find((guide) => guide.name === name)
        ?.programs.map(({ file }) => file);
      expect(shown).toContain(program.split("/").at(-1));
    },
  );
});
