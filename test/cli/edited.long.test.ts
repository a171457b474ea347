import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, put } from "../files.js";
import { root } from "../repository.js";
import { fixture } from "../stubs/project.js";
import { directory, mcpgen } from "./support.js";

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    skipLibCheck: true,
  },
  include: ["src"],
});
/** What a person added to a generated file, and a file that uses it. */
const added = "export const mine = 1;\n";
const use = `import { mine } from "./gen/types.js";\nexport const one: number = mine;\n`;

/** A project with TypeScript, whose generated types.ts a person has edited. */
async function edited(
  files: Readonly<Record<string, string>>,
  command: readonly string[] = stubs,
): Promise<string> {
  const at = directory({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": tsconfig,
    "weather.mcp.json": fixture("weather"),
    ...files,
  });
  put(join(at, "node_modules/.keep"), "");
  symlinkSync(
    join(root, "node_modules/typescript"),
    join(at, "node_modules/typescript"),
  );
  const { code, err } = await mcpgen(command, { directory: at });
  expect([code, err]).toEqual([0, expect.anything()]);
  const path = join(at, "src/gen/types.ts");
  put(path, readFileSync(path, "utf8") + added);
  return at;
}

const stubs = ["stubs", "weather.mcp.json", "--out", "src/gen"];
const configuration = {
  "mcpgen.config.json": JSON.stringify({
    servers: [{ snapshot: "weather.mcp.json", out: "src/gen" }],
  }),
};

/** The commands that write generated files over those of a person. */
const commands: readonly (readonly string[])[] = [
  stubs,
  ["--version", "2025-11-25", "--out", "src/gen"],
  [],
];

describe("--force over a file that a person edited", () => {
  it.each(commands.map((command) => [command.join(" ") || "mcpgen", command]))(
    "writes nothing while the program needs the edit, and names the places: %s",
    async (_, command) => {
      const at = await edited({ "src/use.ts": use, ...configuration }, command);
      rmSync(join(at, "src/gen/index.ts"));
      const before = filesIn(at);
      const { code, err } = await mcpgen([...command, "--force"], {
        directory: at,
      });
      expect(code).toBe(2);
      expect(err).toMatch(
        /^src\/use\.ts:1:10 MG813 this would not compile any more: TS2305 .*mine/m,
      );
      expect(err).toMatch(
        /^MG813 .*TypeScript \d\S* of the project\); nothing was written: types\.ts$/m,
      );
      expect(filesIn(at)).toEqual(before);
    },
  );

  it.each(commands.map((command) => [command.join(" ") || "mcpgen", command]))(
    "replaces it if the program compiles without the edit: %s",
    async (_, command) => {
      const at = await edited(
        { "src/use.ts": "export const one = 1;\n", ...configuration },
        command,
      );
      const { code, err } = await mcpgen([...command, "--force"], {
        directory: at,
      });
      expect([code, err]).toEqual([0, expect.not.stringContaining("MG813")]);
      expect(readFileSync(join(at, "src/gen/types.ts"), "utf8")).not.toContain(
        added,
      );
    },
  );

  it("says the same with --dry-run, and has the places in --json", async () => {
    const at = await edited({ "src/use.ts": use });
    const { code, out } = await mcpgen(
      [...stubs, "--force", "--dry-run", "--json"],
      { directory: at },
    );
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: "MG813",
          severity: "error",
          location: { file: "src/use.ts", line: 1, column: 10 },
        },
        { code: "MG813", location: null },
      ],
    });
  });

  it("does not count an error that the program has already", async () => {
    const at = await edited({ "src/use.ts": `export const one: 1 = 2;\n` });
    const { code } = await mcpgen([...stubs, "--force"], { directory: at });
    expect(code).toBe(0);
  });

  it("replaces a file that was deleted, whatever needs the edit", async () => {
    const at = await edited({ "src/use.ts": use });
    rmSync(join(at, "src/gen/types.ts"));
    const { code } = await mcpgen([...stubs, "--force"], { directory: at });
    expect([code, existsSync(join(at, "src/gen/types.ts"))]).toEqual([0, true]);
  });

  it("compiles a program that its tsconfig.json refers to", async () => {
    const at = await edited({
      "src/use.ts": use,
      "tsconfig.json": `{ "files": [], "references": [{ "path": "./other" }, { "path": "./tsconfig.app.json" }] }`,
      "other/tsconfig.json": `{ "files": ["./empty.ts"] }`,
      "other/empty.ts": "export {};\n",
      "tsconfig.app.json": tsconfig,
    });
    const { code, err } = await mcpgen([...stubs, "--force"], {
      directory: at,
    });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("src/use.ts:1:10"),
    ]);
  });

  it("says once that nothing was compiled in a project without TypeScript", async () => {
    const at = await edited({ "src/use.ts": use });
    rmSync(join(at, "node_modules/typescript"));
    const validators = join(at, "src/gen/validators.ts");
    put(validators, readFileSync(validators, "utf8") + added);
    const { code, err } = await mcpgen([...stubs, "--force"], {
      directory: at,
    });
    expect(code).toBe(0);
    expect(err.match(/MG813 .*/g)).toEqual([
      expect.stringMatching(
        /^MG813 note: types\.ts, validators\.ts: .* no TypeScript/,
      ),
    ]);
    expect(readFileSync(validators, "utf8")).not.toContain(added);
  });

  it.each([
    [false, "no generated file is edited", "", "--force"],
    [false, "an edited file is only compared", added, "--check"],
    [false, "a file was only formatted", "\n\n", "--force"],
    [true, "a file was edited", added, "--force"],
  ])("loads a compiler (%s) if %s", async (isLoaded, _, text, flag) => {
    const at = await edited({});
    rmSync(join(at, "node_modules/typescript"));
    put(
      join(at, "node_modules/typescript/package.json"),
      '{ "name": "typescript", "main": "index.js" }',
    );
    put(
      join(at, "node_modules/typescript/index.js"),
      'require("fs").writeFileSync(__dirname + "/loaded", "");\n',
    );
    const path = join(at, "src/gen/types.ts");
    put(path, readFileSync(path, "utf8").replace(added, text));
    await mcpgen([...stubs, flag], { directory: at });
    expect(existsSync(join(at, "node_modules/typescript/loaded"))).toBe(
      isLoaded,
    );
  });
});
