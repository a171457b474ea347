import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planFiles, upToDate } from "../../src/generator/emit/write.js";
import { files, provenance, temporary, tree, write } from "./write-support.js";

const first = {
  "types.ts": "export type A = 1;\n",
  "deep/er/index.ts": 'export * from "../../types.js";\n',
};

describe("the writer", () => {
  it("creates the directory, the files and the manifest, and nothing else", async () => {
    const out = join(temporary(), "new", "gen");
    const { outcome, messages } = await write(out, first);
    expect(messages).toEqual([]);
    expect(outcome?.files.map(({ path, state }) => `${state} ${path}`)).toEqual(
      ["written types.ts", "written deep/er/index.ts", "written .mcpgen.json"],
    );
    expect(Object.keys(tree(out))).toEqual([
      ".mcpgen.json",
      "deep/",
      "deep/er/",
      "deep/er/index.ts",
      "types.ts",
    ]);
    expect(files(out)).toMatchObject(first);
  });

  it("writes a manifest without clock, host or absolute path", async () => {
    const out = temporary();
    await write(out, first);
    expect(JSON.parse(readFileSync(join(out, ".mcpgen.json"), "utf8"))).toEqual(
      {
        format: 1,
        generator: "mcpgen 1.2.3",
        sources: [
          { revision: "first", name: "schema.ts", sha256: "0".repeat(64) },
        ],
        options: {
          emit: ["types"],
          runtime: "package",
          importExtension: "js",
          templates: null,
        },
        files: {
          "deep/er/index.ts": expect.stringMatching(
            /^[0-9a-f]{64} [0-9a-f]{64}$/,
          ),
          "types.ts": expect.stringMatching(/^[0-9a-f]{64} [0-9a-f]{64}$/),
        },
      },
    );
  });

  it("does not touch a file that already has the generated text", async () => {
    const out = temporary();
    await write(out, first);
    const old = new Date(2001, 1, 1);
    for (const path of ["types.ts", ".mcpgen.json"])
      utimesSync(join(out, path), old, old);
    const { outcome } = await write(out, {
      ...first,
      "deep/er/index.ts": "export {};\n",
    });
    expect(outcome?.files.map(({ state }) => state)).toEqual([
      "unchanged",
      "written",
      "written",
    ]);
    expect(statSync(join(out, "types.ts")).mtime).toEqual(old);
    await write(out, { ...first, "deep/er/index.ts": "export {};\n" });
    expect(statSync(join(out, "types.ts")).mtime).toEqual(old);
  });

  it("removes the temporary files of a run that was killed, and no lock", async () => {
    const out = temporary();
    const state = join(out, ".mcpgen");
    mkdirSync(state);
    for (const name of ["0", "block", "lock.removal"])
      writeFileSync(join(state, name), "{}");
    expect((await write(out, first)).messages).toEqual([]);
    expect(readdirSync(state)).toEqual(["lock.removal"]);
  });

  it("leaves nothing if it is interrupted before the first change", async () => {
    const parent = temporary();
    const { outcome } = await write(join(parent, "gen"), first, {
      signal: AbortSignal.abort(),
    });
    expect(outcome).toEqual({ files: [], interrupted: true });
    expect(tree(parent)).toEqual({});
  });
});

describe("the check for an unchanged output", () => {
  it("succeeds for the same provenance and the same files", async () => {
    const out = temporary();
    expect(upToDate(out, provenance)).toBeNull();
    await write(out, first);
    expect(upToDate(out, provenance)?.files.map(({ path }) => path)).toEqual([
      "deep/er/index.ts",
      "types.ts",
      ".mcpgen.json",
    ]);
  });

  it.each([
    ["generator", { ...provenance, generator: "1.2.4" }],
    [
      "options",
      {
        ...provenance,
        options: { ...provenance.options, runtime: "vendored" as const },
      },
    ],
    [
      "sources",
      {
        ...provenance,
        sources: provenance.sources.map((source) => ({
          ...source,
          sha256: "1".repeat(64),
        })),
      },
    ],
  ])("fails for another provenance, with other %s", async (_, other) => {
    const out = temporary();
    await write(out, first);
    expect(upToDate(out, other)).toBeNull();
  });

  it("fails for a file that was edited", async () => {
    const out = temporary();
    await write(out, first);
    writeFileSync(join(out, "types.ts"), "mine");
    expect(upToDate(out, provenance)).toBeNull();
  });

  it("fails if an earlier run was interrupted", async () => {
    const out = temporary();
    await write(out, first);
    mkdirSync(join(out, ".mcpgen"));
    expect(upToDate(out, provenance)).toBeNull();
  });
});

describe("the plan of a dry run", () => {
  it("lists the state of every file, and changes nothing", async () => {
    const out = temporary();
    await write(out, {
      "a.ts": "export const a = 1;\n",
      "b.ts": "export const b = 1;\n",
      "c.ts": "c\n",
    });
    writeFileSync(join(out, "b.ts"), "export const b = 'mine';\n");
    const before = tree(out);
    const expected = [
      { path: "a.ts", text: "export const a = 2;\n" },
      { path: "b.ts", text: "export const b = 1;\n" },
      { path: "d.ts", text: "d\n" },
    ];
    const plan = await planFiles({ out, files: expected, provenance });
    expect(plan?.files.map(({ path, state }) => `${state} ${path}`)).toEqual([
      "outdated a.ts",
      "edited b.ts",
      "new d.ts",
      "outdated .mcpgen.json",
    ]);
    expect(
      plan?.leftovers.map(({ path, state }) => `${state} ${path}`),
    ).toEqual(["outdated c.ts"]);
    expect(tree(out)).toEqual(before);
  });
});
