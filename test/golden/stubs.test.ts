import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { providers } from "../../src/lint/providers.js";
import { project } from "../stubs/project.js";
import { compile } from "../view/compile.js";

/*
 * The whole project that `mcpgen stubs` generates from a small snapshot, to be reviewed like code. The command in
 * golden.test.ts rewrites it too.
 */
const folder = fileURLToPath(new URL("stubs/", import.meta.url));
const out = join(folder, "out");
const snapshot = readFileSync(join(folder, "notes.mcp.json"), "utf8");
const notes = await project(snapshot);
const all = [...notes.all];

describe("the project of a snapshot", () => {
  it.each(all)("has exactly the expected %s", async (path, text) => {
    await expect(text).toMatchFileSnapshot(join(out, path));
  });

  it("has exactly the expected tools for strict mode of OpenAI", async () => {
    const strict = providers.find(({ id }) => id === "openai-strict");
    const { files } = await project(snapshot, { emit: ["tools"], ...(strict && { for: strict }) });
    expect(compile(files)).toEqual([]);
    await expect(files.get("tools.ts")).toMatchFileSnapshot(join(folder, "tools-strict.txt"));
  });

  it("has exactly the files of the golden folder", () => {
    const entries = existsSync(out) ? readdirSync(out, { recursive: true, withFileTypes: true }) : [];
    const files = entries.flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(out.length + 1)] : [],
    );
    expect(files.sort()).toEqual(all.map(([path]) => path).sort());
  });

  it("is the same when it is generated again", async () => {
    expect([...(await project(snapshot)).all]).toEqual(all);
  });

  it("compiles with the strictest options, and is generated without a diagnostic", () => {
    expect(notes.reports).toEqual([]);
    expect(compile(notes.all)).toEqual([]);
  });
});
