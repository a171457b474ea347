import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { files, temporary, tree, write } from "./write-support.js";

const old = { "a.ts": "export const a = 1;\n", "b/c.ts": "export const c = 1;\n", "gone.ts": "export {};\n" };
const next = {
  "a.ts": "export const a = 2;\n",
  "b/c.ts": "export const c = 2;\n",
  "new/d.ts": "export const d = 2;\n",
};

/** Writes `next` into a directory, and kills itself before the n-th call that changes the disk. Exits with 0 if there are fewer calls. */
const script = `
import { nodeDisk, writeFiles } from "./src/emit/write.js";
import { Diagnostics } from "./src/diagnostics.js";
const [out, at, provenance, texts] = process.argv.slice(2);
let calls = 0;
const disk = { ...nodeDisk };
for (const name of ["create", "makeDirectory", "rename", "link", "remove", "removeDirectory", "sync"]) {
  disk[name] = (...args) => {
    if (calls++ === Number(at)) process.kill(process.pid, "SIGKILL");
    return nodeDisk[name](...args);
  };
}
const files = Object.entries(JSON.parse(texts)).map(([path, text]) => ({ path, text }));
const diagnostics = new Diagnostics();
const outcome = await writeFiles({ out, files, provenance: JSON.parse(provenance), clean: true, disk }, diagnostics);
if (outcome === null) throw new Error(JSON.stringify(diagnostics.list));
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

  it("leaves the old files, the new files, or a journal that the next run completes, at every call to the disk", async () => {
    const folder = temporary();
    const file = join(folder, "writer.mjs");
    writeFileSync(file, program);
    const { provenance } = await import("./write-support.js");
    const seen = new Set<string>();
    for (let at = 0; ; at++) {
      const out = join(folder, `gen-${at}`);
      mkdirSync(out);
      await write(out, old);
      const before = tree(out);
      const run = spawnSync(
        process.execPath,
        [file, out, String(at), JSON.stringify(provenance), JSON.stringify(next)],
        { encoding: "utf8" },
      );
      if (run.status === 0) break;
      expect(run.signal, run.stderr).toBe("SIGKILL");
      const after = tree(out);
      const journal = Object.keys(after).some((path) => path === ".mcpgen/forward.json");
      const mine = Object.fromEntries(Object.entries(after).filter(([path]) => !path.startsWith(".mcpgen/")));
      const isOld = JSON.stringify(mine) === JSON.stringify(before);
      if (!journal && !isOld) expect(files(out)).toMatchObject(next);
      seen.add(journal ? "journal" : isOld ? "old" : "new");

      // The next run generates the old files again, which proves that it first completes the interrupted run.
      const repaired = await write(out, old, { clean: true });
      expect(repaired.outcome, `killed at ${at}: ${repaired.messages.join()}`).not.toBeNull();
      expect(repaired.messages.map((line) => line.slice(0, 11))).toEqual(journal ? ["MG809 note:"] : []);
      expect(tree(out)).toEqual(before);
    }
    expect(seen).toEqual(new Set(["old", "journal", "new"]));
  });

  it("keeps a file that the user edited after the kill", async () => {
    const folder = temporary();
    const file = join(folder, "writer.mjs");
    writeFileSync(file, program);
    const { provenance } = await import("./write-support.js");
    for (let at = 0; ; at++) {
      const out = join(folder, `gen-${at}`);
      mkdirSync(out);
      await write(out, old);
      const args = [file, out, String(at), JSON.stringify(provenance), JSON.stringify(next)];
      if (spawnSync(process.execPath, args).status === 0)
        throw new Error("never found a journal and an old file");
      const files = tree(out);
      if (files[".mcpgen/forward.json"] === undefined || files["b/c.ts"] !== old["b/c.ts"]) continue;
      writeFileSync(join(out, "b/c.ts"), "mine\n");
      const { outcome, messages } = await write(out, next);
      expect(outcome).toBeNull();
      expect(messages.join("\n")).toContain("b/c.ts was edited after it was generated");
      expect(tree(out)["b/c.ts"]).toBe("mine\n");
      return;
    }
  });
});
