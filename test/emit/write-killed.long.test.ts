import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { findManifest, upToDate } from "../../src/generator/emit/write.js";
import { files, provenance, temporary, tree, write } from "./write-support.js";

const old = {
  "a.ts": "export const a = 1;\n",
  "b/c.ts": "export const c = 1;\n",
  "gone.ts": "export {};\n",
};
const next = {
  "a.ts": "export const a = 2;\n",
  "b/c.ts": "export const c = 2;\n",
  "new/d.ts": "export const d = 2;\n",
};

/**
 * Writes `next` into a directory, and kills itself before the n-th call that
 * changes the disk. Exits with 0 if there are fewer calls.
 */
const script = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { writeFiles } from "./src/generator/emit/write.js";
const [out, at, provenance, texts, unused] = process.argv.slice(2);
let calls = 0;
for (const name of ["writeFileSync", "mkdirSync", "renameSync", "unlinkSync", "rmdirSync"]) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (calls++ === Number(at)) process.kill(process.pid, "SIGKILL");
    return original(...args);
  };
}
syncBuiltinESMExports();
const files = Object.entries(JSON.parse(texts)).map(([path, text]) => ({ path, text }));
await writeFiles({ out, files, provenance: JSON.parse(provenance), clean: true, unused: JSON.parse(unused) });
`;

describe("a process that is killed while it writes", () => {
  let program = "";

  beforeAll(async () => {
    const built = await build({
      stdin: { contents: script, resolveDir: process.cwd(), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["prettier"],
      write: false,
    });
    program = built.outputFiles[0]?.text ?? "";
  });

  /**
   * Runs the script in a directory with the files of an older run. Returns
   * false if it was not killed.
   */
  function isKilled(
    out: string,
    at: number,
    unused: readonly string[] = [],
  ): boolean {
    const file = join(out, "..", "writer.mjs");
    writeFileSync(file, program);
    const args = [
      file,
      out,
      String(at),
      ...[provenance, next, unused].map((value) => JSON.stringify(value)),
    ];
    const run = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (run.status === 0) return false;
    expect(run.signal, run.stderr).toBe("SIGKILL");
    return true;
  }

  it("leaves whole files that the next run knows as its own, at every call to the disk", async () => {
    const folder = temporary();
    const seen = new Set<string>();
    for (let at = 0; ; at++) {
      const out = join(folder, `gen-${at}`);
      mkdirSync(out);
      await write(out, old);
      const before = tree(out);
      if (!isKilled(out, at)) break;
      const after = Object.entries(files(out)).filter(
        ([path]) => !path.startsWith(".mcpgen/"),
      );
      for (const [path, text] of after) {
        const texts = [old, next].map(
          (one: Readonly<Record<string, string>>) => one[path],
        );
        if (!path.endsWith("/"))
          expect(texts, `killed at ${at}: ${path}`).toContain(text);
        seen.add(text === texts[1] ? "new" : "old");
      }
      if (
        after.some(([path]) => path === "new/d.ts") &&
        after.some(([path]) => path === "gone.ts")
      )
        seen.add("mixed");

      // The next run generates the old files again, so that it must know the
      // new ones.
      const repaired = await write(out, old, { clean: true });
      expect(repaired.messages, `killed at ${at}`).toEqual([]);
      expect(tree(out), `killed at ${at}`).toEqual(before);
    }
    expect(seen).toEqual(new Set(["old", "mixed", "new"]));
  });

  it("leaves an output that is not up to date, unless it has all files of one run", async () => {
    const folder = temporary();
    const seen = new Set<boolean>();
    for (let at = 0; ; at++) {
      const out = join(folder, `gen-${at}`);
      mkdirSync(out);
      await write(out, old);
      if (!isKilled(out, at)) break;
      const isUpToDate = upToDate(out, provenance) !== null;
      if (isUpToDate)
        expect([
          { "b/": "", ...old },
          { "b/": "", "new/": "", ...next },
        ]).toContainEqual(files(out));
      seen.add(isUpToDate);
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  it("is completed by the next run, which removes the unedited handler of an earlier tool", async () => {
    const folder = temporary();
    const handler = "handlers/old.ts";
    const once = [{ path: handler, text: "export {};\n" }];
    /** An empty folder may stay. */
    const filesIn = (out: string) =>
      Object.entries(tree(out)).filter(([path]) => !path.endsWith("/"));
    let whole: [string, string][] = [];
    for (let at = -1; ; at++) {
      const out = join(folder, `gen-${at}`);
      mkdirSync(out);
      await write(out, old, { once });
      if (!isKilled(out, at, [handler]) && at >= 0) break;
      const unused = [...(findManifest(out)?.once.keys() ?? [])];
      expect(
        (await write(out, next, { unused, clean: true })).messages,
      ).toEqual([]);
      if (at < 0) whole = filesIn(out);
      expect(filesIn(out), `killed at ${at}`).toEqual(whole);
    }
    expect(whole.map(([path]) => path)).not.toContain(handler);
  });

  it("keeps a file that the user edited after the kill", async () => {
    const folder = temporary();
    for (let at = 0; ; at++) {
      const out = join(folder, `gen-${at}`);
      mkdirSync(out);
      await write(out, old);
      expect(isKilled(out, at)).toBe(true);
      const { "a.ts": a, "b/c.ts": c } = files(out);
      if (a !== next["a.ts"] || c !== old["b/c.ts"]) continue;
      writeFileSync(join(out, "b/c.ts"), "mine\n");
      const { outcome, messages } = await write(out, next);
      expect(outcome).toBeNull();
      expect(messages.join("\n")).toContain(
        "b/c.ts was edited after it was generated",
      );
      expect(files(out)["b/c.ts"]).toBe("mine\n");
      return;
    }
  });
});
