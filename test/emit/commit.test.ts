import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  formatDiagnostic,
  SchemaError,
} from "../../src/generator/diagnostics.js";
import { sha256 } from "../../src/generator/emit/manifest.js";
import { commit } from "../../src/generator/emit/write/commit.js";
import { temporary, tree } from "./write-support.js";

/** A directory whose files are all `before`, but for one that another program writes. */
function changed(...paths: readonly string[]): string {
  const out = temporary();
  mkdirSync(join(out, ".mcpgen"));
  for (const path of ["a", "b", "c"])
    writeFileSync(join(out, path), paths.includes(path) ? "other" : "before");
  return out;
}

const changes = ["a", "b", "c", "d/e"].map((path, i) => ({
  path,
  text: i === 2 ? null : "after",
  before: i === 3 ? null : sha256("before"),
}));

/** What is said of a commit that fails. */
async function saidOf(out: string): Promise<readonly string[]> {
  const error: unknown = await commit(out, changes, undefined).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof SchemaError)) throw error;
  return error.diagnostics.map(formatDiagnostic);
}

const filesOf = (out: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tree(out)).filter(([path]) => !path.startsWith(".mcpgen")),
  );

it("files are written and removed in place of those that were planned", async () => {
  const out = changed();
  await commit(out, changes, undefined);
  expect(filesOf(out)).toEqual({
    a: "after",
    b: "after",
    "d/": "",
    "d/e": "after",
  });
});

it("a first file that another program changes is kept, and nothing is written", async () => {
  const out = changed("a");
  expect(await saidOf(out)).toEqual([
    "MG804 a was changed by another program during the run\n    hint: run again",
  ]);
  expect(filesOf(out)).toEqual({ a: "other", b: "before", c: "before" });
});

it.each([
  ["b", { a: "after", b: "other", c: "before" }],
  ["c", { a: "after", b: "after", c: "other" }],
])(
  "a later file that another program changes is kept, and the next run completes the others: %s",
  async (path, files) => {
    const out = changed(path);
    expect(await saidOf(out)).toEqual([
      `MG804 ${path} was changed by another program during the run; other files are already changed, and the next run completes them\n    hint: run again`,
    ]);
    expect(filesOf(out)).toEqual(files);
  },
);

it("a file that another program makes is kept", async () => {
  const out = changed();
  mkdirSync(join(out, "d"));
  writeFileSync(join(out, "d/e"), "other");
  expect(await saidOf(out)).toHaveLength(1);
  expect(readFileSync(join(out, "d/e"), "utf8")).toBe("other");
});

it("nothing is written once the run is to end", async () => {
  const out = changed();
  const reason = new Error("enough");
  await expect(commit(out, changes, AbortSignal.abort(reason))).rejects.toBe(
    reason,
  );
  const controller = new AbortController();
  const run = commit(out, changes.slice(0, 1), controller.signal);
  controller.abort(reason);
  await expect(run).rejects.toBe(reason);
  expect(filesOf(out)).toEqual({ a: "before", b: "before", c: "before" });
});
