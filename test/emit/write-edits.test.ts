import {
  mkdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/generator/emit/write.js";
import {
  files,
  temporary,
  tree,
  write,
  type WriteResult,
} from "./write-support.js";

const first = {
  "types.ts": "export type A = 1;\n",
  "deep/er/index.ts": 'export * from "../../types.js";\n',
};

describe("writing into a directory that the user changed", () => {
  it("names every edited file and writes nothing", async () => {
    const out = temporary();
    await write(out, {
      "a.ts": "export const a = 1;\n",
      "b.ts": "export const b = 1;\n",
    });
    writeFileSync(join(out, "a.ts"), "export const a = 7; // mine\n");
    const before = tree(out);
    const { outcome, messages } = await write(out, {
      "a.ts": "export const a = 2;\n",
      "b.ts": "export const b = 2;\n",
    });
    expect(outcome).toBeNull();
    expect(messages).toEqual([
      "MG804 a.ts was edited after it was generated; nothing was written\n" +
        "    hint: move your change out of the generated file, or overwrite it with --force",
    ]);
    expect(tree(out)).toEqual(before);
  });

  it("overwrites an edited file with force", async () => {
    const out = temporary();
    await write(out, first);
    writeFileSync(join(out, "types.ts"), "mine\n");
    const { messages } = await write(out, first, { force: true });
    expect(messages).toEqual([]);
    expect(files(out)).toMatchObject(first);
  });

  it("writes a deleted file again", async () => {
    const out = temporary();
    await write(out, first);
    unlinkSync(join(out, "types.ts"));
    expect((await write(out, first)).messages).toEqual([]);
    expect(files(out)).toMatchObject(first);
  });

  const long =
    'export const long = { alpha: "one", beta: "two", gamma: ["three", "four"], delta: (x: number) => x };\n';
  for (const [what, change] of [
    ["line ends", (text: string) => text.replaceAll("\n", "\r\n")],
    [
      "a narrower width",
      (text: string) => format(text, { parser: "typescript", printWidth: 40 }),
    ],
    [
      "quotes, semicolons and commas",
      (text: string) =>
        format(text, {
          parser: "typescript",
          singleQuote: true,
          semi: false,
          trailingComma: "none",
          useTabs: true,
        }),
    ],
  ] as const) {
    it(`leaves a file as it is that was only formatted, and restores it with force: ${what}`, async () => {
      const out = temporary();
      await write(out, { "long.ts": long });
      const formatted = await change(long);
      writeFileSync(join(out, "long.ts"), formatted);
      const { outcome, messages } = await write(out, { "long.ts": long });
      expect([messages, outcome?.files.map(({ state }) => state)]).toEqual([
        [],
        ["unchanged", "unchanged"],
      ]);
      expect(files(out)).toEqual({ "long.ts": formatted });
      await write(out, { "long.ts": long }, { force: true });
      expect(files(out)).toEqual({ "long.ts": long });
    });
  }

  it("treats a changed word in reformatted text as an edit", async () => {
    const out = temporary();
    await write(out, { "long.ts": long });
    const mine = await format(long.replace("three", "3"), {
      parser: "typescript",
      printWidth: 40,
    });
    writeFileSync(join(out, "long.ts"), mine);
    expect((await write(out, { "long.ts": long })).outcome).toBeNull();
    expect(files(out)).toEqual({ "long.ts": mine });
  });

  it("treats text that no longer parses as an edit", async () => {
    const out = temporary();
    await write(out, { "long.ts": long });
    writeFileSync(join(out, "long.ts"), "export const = ;\n");
    expect((await write(out, { "long.ts": long })).messages).toEqual([
      expect.stringContaining("long.ts was edited"),
    ]);
  });

  it("writes next to the files that systems put into folders", async () => {
    const out = temporary();
    for (const name of [".DS_Store", "Thumbs.db", ".gitkeep"])
      writeFileSync(join(out, name), "");
    expect((await write(out, first)).messages).toEqual([]);
  });

  const foreign = () => {
    const out = temporary();
    for (const name of ["d.ts", "b.ts", "a.ts", "c.ts"])
      writeFileSync(join(out, name), "mine");
    return out;
  };

  it("refuses a directory with foreign files and no manifest, and names some of them", async () => {
    const out = foreign();
    const { outcome, messages } = await write(out, first);
    expect(outcome).toBeNull();
    expect(messages).toEqual([
      "MG802 the output directory contains files that mcpgen did not write (a.ts, b.ts, c.ts and 1 more) and no .mcpgen.json\n" +
        "    hint: choose an empty directory, or write next to these files with --force",
    ]);
    expect(Object.keys(tree(out))).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"]);
  });

  it("refuses a directory with three foreign files, and names each", async () => {
    const out = foreign();
    unlinkSync(join(out, "d.ts"));
    expect((await write(out, first)).messages).toEqual([
      expect.stringContaining("did not write (a.ts, b.ts, c.ts) and no"),
    ]);
  });

  it.each(["desk", "mcp/desk", "a/b/c/desk"])(
    "writes beside the output of another job in %s, and not into it",
    async (other) => {
      const out = temporary();
      await write(join(out, other), first);
      const before = tree(out);
      expect((await write(out, first)).messages).toEqual([]);
      expect(tree(out)).toMatchObject(before);
      const inside = temporary();
      await write(join(inside, other), first);
      const [name = ""] = Object.keys(first);
      const same = { [`${other}/${name}`]: "export const other = 1;\n" };
      expect((await write(inside, same)).outcome).toBeNull();
      expect(tree(inside)).toMatchObject(before);
    },
  );

  it.each(["mine.ts", "mcp/mine.ts", "a/b/c/mine.ts"])(
    "refuses a directory with %s beside the output of another job",
    async (mine) => {
      const out = temporary();
      await write(join(out, "mcp/desk"), first);
      mkdirSync(dirname(join(out, mine)), { recursive: true });
      writeFileSync(join(out, mine), "mine");
      const { outcome, messages } = await write(out, first);
      const [top = ""] = mine.split("/");
      expect([outcome, messages]).toEqual([
        null,
        [expect.stringContaining(`did not write (${top})`)],
      ]);
    },
  );

  it("writes next to foreign files with force", async () => {
    const out = foreign();
    expect((await write(out, first, { force: true })).messages).toEqual([]);
    expect(files(out)).toMatchObject({ ...first, "a.ts": "mine" });
  });

  it("does not overwrite a file of the same name that mcpgen did not write", async () => {
    const out = temporary();
    await write(out, first);
    writeFileSync(join(out, "client.ts"), "mine\n");
    const { messages } = await write(out, {
      ...first,
      "client.ts": "generated\n",
    });
    expect(messages).toEqual([
      "MG804 client.ts was not written by mcpgen, but has the name of a generated file; nothing was written\n    hint: move it away, or overwrite it with --force",
    ]);
    expect(files(out)["client.ts"]).toBe("mine\n");
  });

  it("refuses a manifest that cannot be read, with the reason", async () => {
    const out = temporary();
    writeFileSync(join(out, ".mcpgen.json"), '{"format":2}');
    expect((await write(out, first)).messages).toEqual([
      "MG803 .mcpgen.json in the output directory cannot be used: its format is 2, but this version of mcpgen reads format 1\n    hint: update mcpgen",
    ]);
    writeFileSync(join(out, ".mcpgen.json"), "<<<<<<< HEAD");
    expect((await write(out, first)).messages).toEqual([
      "MG803 .mcpgen.json in the output directory cannot be used: it is not JSON\n    hint: restore it from version control, or overwrite the generated files with --force",
    ]);
    expect((await write(out, first, { force: true })).messages).toEqual([]);
  });
});

describe("files that are written once", () => {
  const once = [
    { path: "handlers/a.ts", text: "export const a = 1;\n" },
    { path: "handlers/b.ts", text: "export const b = 1;\n" },
  ];
  const [a, b] = ["handlers/a.ts", "handlers/b.ts"] as const;
  const states = ({ outcome }: WriteResult): string[] =>
    (outcome?.files ?? [])
      .map(({ path, state }) => `${state} ${path}`)
      .filter((line) => line.includes("handlers"));
  const manifestIn = (out: string) =>
    JSON.parse(readFileSync(join(out, ".mcpgen.json"), "utf8")) as {
      once?: unknown;
    };

  it.each([
    ["as it was written", "export const a = 1;\n"],
    ["in another layout", "export const a =\n  1\n"],
    ["with CR LF", "export const a = 1;\r\n"],
  ])(
    "are removed with their folder if they have no use and a file is %s",
    async (_, text) => {
      const out = temporary();
      await write(out, {}, { once: once.slice(0, 1) });
      writeFileSync(join(out, a), text);
      expect(states(await write(out, {}, { unused: [a] }))).toEqual([
        `removed ${a}`,
      ]);
      expect(Object.keys(tree(out))).toEqual([".mcpgen.json"]);
      expect(manifestIn(out).once).toBeUndefined();
    },
  );

  it("stay if they have no use and were edited, and if the manifest does not say what was written", async () => {
    const out = temporary();
    await write(out, {}, { once });
    writeFileSync(join(out, a), "export const a = 2;\n");
    const manifest = manifestIn(out);
    writeFileSync(
      join(out, ".mcpgen.json"),
      JSON.stringify({ ...manifest, once: [b] }),
    );
    expect(states(await write(out, {}, { unused: [a, b] }))).toEqual([]);
    expect(Object.keys(files(out))).toEqual(["handlers/", a, b]);
  });

  it.each([
    ["would write something else now", false],
    ["has a manifest of paths", true],
  ])("are known as unedited after a run that %s", async (_, list) => {
    const out = temporary();
    await write(out, {}, { once });
    if (list)
      writeFileSync(
        join(out, ".mcpgen.json"),
        JSON.stringify({ ...manifestIn(out), once: [a, b] }),
      );
    await write(out, {}, { once });
    await write(
      out,
      {},
      { once: once.map((file) => ({ ...file, text: "export {};\n" })) },
    );
    expect(
      states(await write(out, {}, { once: once.slice(1), unused: [a] })),
    ).toEqual([`removed ${a}`]);
  });

  it("are known with the text of the run that wrote them again", async () => {
    const out = temporary();
    await write(out, {}, { once });
    rmSync(join(out, a));
    await write(
      out,
      {},
      { once: [{ path: a, text: "export {};\n" }, ...once.slice(1)] },
    );
    expect(states(await write(out, {}, { unused: [a, b] }))).toEqual([
      `removed ${a}`,
      `removed ${b}`,
    ]);
  });

  it("are not removed if their path in the manifest leads outside the directory", async () => {
    const parent = temporary();
    const out = join(parent, "gen");
    writeFileSync(join(parent, "victim.txt"), "precious");
    await write(out, {}, { once });
    const manifest = {
      ...manifestIn(out),
      once: { "../victim.txt": sha256("precious") },
    };
    writeFileSync(join(out, ".mcpgen.json"), JSON.stringify(manifest));
    await write(out, {}, { unused: ["../victim.txt"] });
    expect(readFileSync(join(parent, "victim.txt"), "utf8")).toBe("precious");
  });
});

describe("files that are no longer generated", () => {
  const two = { "a.ts": "export {};\n", "old/b.ts": "export {};\n" };

  it("are kept, listed, and still in the manifest", async () => {
    const out = temporary();
    await write(out, two);
    const { outcome } = await write(out, { "a.ts": "export {};\n" });
    expect(
      outcome?.files.map(({ path, state }) => `${state} ${path}`),
    ).toContain("leftover old/b.ts");
    expect(files(out)).toMatchObject(two);
    const again = await write(out, { "a.ts": "export {};\n" }, { clean: true });
    expect(
      again.outcome?.files.map(({ path, state }) => `${state} ${path}`),
    ).toContain("removed old/b.ts");
    expect(Object.keys(tree(out))).toEqual([".mcpgen.json", "a.ts"]);
  });

  it("are removed with clean only if the user did not edit them", async () => {
    const out = temporary();
    await write(out, two);
    writeFileSync(join(out, "old/b.ts"), "mine\n");
    await write(out, { "a.ts": "export {};\n" }, { clean: true });
    expect(files(out)["old/b.ts"]).toBe("mine\n");
  });

  it("are not removed with clean if their path in the manifest leads outside the directory", async () => {
    const parent = temporary();
    const out = join(parent, "gen");
    writeFileSync(join(parent, "victim.txt"), "precious");
    await write(out, two);
    const manifest = JSON.parse(
      readFileSync(join(out, ".mcpgen.json"), "utf8"),
    ) as {
      files: Record<string, string>;
    };
    manifest.files["../victim.txt"] = sha256("precious");
    writeFileSync(join(out, ".mcpgen.json"), JSON.stringify(manifest));
    await write(out, { "a.ts": "export {};\n" }, { clean: true });
    expect(readFileSync(join(parent, "victim.txt"), "utf8")).toBe("precious");
  });
});
