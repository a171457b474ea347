import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, put } from "../files.js";
import { revisions } from "../repository.js";
import { fixture } from "../stubs/project.js";
import { directory, type Ended, mcpgen } from "./support.js";

const [oldest = ""] = revisions;

describe("output under a project's own configuration", () => {
  const configs: readonly (readonly [string, Readonly<Record<string, string>>, "js" | "ts" | "none"])[] = [
    ["no tsconfig", {}, "js"],
    ["a tsconfig without the option", { "tsconfig.json": '{"compilerOptions":{}}' }, "js"],
    [
      "a tsconfig with comments and trailing commas",
      {
        "tsconfig.json":
          '{ // yes\n "compilerOptions": { /* "//" */ "rewriteRelativeImportExtensions": true, }, }',
      },
      "ts",
    ],
    [
      "a tsconfig that extends another",
      {
        "tsconfig.json": '{"extends":"./base/one"}',
        "base/one.json": '{"extends":["./two.json"]}',
        "base/two.json": '{"compilerOptions":{"allowImportingTsExtensions":true}}',
      },
      "ts",
    ],
    [
      "a tsconfig that extends a package and overrides its option",
      {
        "tsconfig.json":
          '{"extends":"strictest/tsconfig.json","compilerOptions":{"allowImportingTsExtensions":false}}',
        "node_modules/strictest/tsconfig.json": '{"compilerOptions":{"allowImportingTsExtensions":true}}',
      },
      "js",
    ],
    [
      "a tsconfig for a bundler",
      { "tsconfig.json": '{"compilerOptions":{"moduleResolution":"Bundler"}}' },
      "none",
    ],
    [
      "a tsconfig that extends one for a bundler",
      {
        "tsconfig.json": '{"extends":"./base.json"}',
        "base.json": '{"compilerOptions":{"module":"preserve"}}',
      },
      "none",
    ],
    [
      "a tsconfig for a bundler that allows the extension",
      {
        "tsconfig.json":
          '{"compilerOptions":{"moduleResolution":"bundler","allowImportingTsExtensions":true}}',
      },
      "ts",
    ],
    [
      "a tsconfig that keeps modules and resolves as Node.js does",
      { "tsconfig.json": '{"compilerOptions":{"module":"preserve","moduleResolution":"nodenext"}}' },
      "js",
    ],
    ["a tsconfig that extends itself", { "tsconfig.json": '{"extends":"./tsconfig.json"}' }, "js"],
    ["a broken tsconfig", { "tsconfig.json": "{" }, "js"],
    [
      "a nearer tsconfig",
      {
        "tsconfig.json": '{"compilerOptions":{"allowImportingTsExtensions":true}}',
        "src/tsconfig.json": "{}",
      },
      "js",
    ],
  ];
  for (const [what, files, ending] of configs) {
    const path = ending === "none" ? "./types" : `./types.${ending}`;
    it(`imports ${path} under ${what}`, async () => {
      const at = directory(files);
      await mcpgen(["--version", oldest, "--out", "src/gen", "--emit", "validators"], { directory: at });
      expect(filesIn(join(at, "src/gen"))["validators.ts"]).toContain(`from "${path}"`);
    });
  }

  it("that imports the runtime says so in a project that does not have it", async () => {
    const note =
      /^MG762 note: the generated files import @mcpgen\/runtime, which is not installed\n {4}hint: run npm install/m;
    const place = directory({
      "package.json": '{ "type": "module" }',
      "weather.mcp.json": fixture("weather"),
    });
    const stubs = (...args: string[]): Promise<Ended> =>
      mcpgen(["stubs", "weather.mcp.json", "--no-color", ...args], { directory: place });
    expect(await stubs("--out", "gen")).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    for (const args of [
      ["--out", "copied", "--runtime", "vendored"],
      // Without a line that is written there is nothing to say.
      ["--out", "gen"],
    ])
      expect(await stubs(...args)).toMatchObject({ code: 0, err: expect.not.stringContaining("MG762") });
    put(
      join(place, "node_modules/@mcpgen/runtime/package.json"),
      '{ "exports": { "import": "./index.js" } }',
    );
    expect(await stubs("--out", "other")).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("MG762"),
    });
  });

  it("is formatted with the project's Prettier configuration, and again when that changes", async () => {
    const at = directory({ "package.json": '{"prettier":{"useTabs":true,"semi":false}}' });
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    await mcpgen(run, { directory: at });
    const text = filesIn(join(at, "gen"))["types.ts"] ?? "";
    expect(text).toMatch(/^\t\w/m);
    expect(text).not.toMatch(/^export .*;$/m);
    expect((await mcpgen(run, { directory: at })).err).toContain("gen is up to date");
    put(join(at, "package.json"), '{"prettier":{"semi":true}}');
    expect((await mcpgen(run, { directory: at })).err).toMatch(/written {4}types\.ts/);
    expect(filesIn(join(at, "gen"))["types.ts"]).toMatch(/^export .*;$/m);
  });

  it("is up to date after a change of the rules that leaves the options of TypeScript as they are", async () => {
    const files = { ".prettierrc": "printWidth: 100\n", ".editorconfig": "[*]\nindent_style = tab\n" };
    const at = directory({ ...files, ".gitignore": "node_modules\n" });
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    await mcpgen(run, { directory: at });
    put(join(at, ".prettierrc"), "# Wide.\nprintWidth: 100\n");
    put(join(at, ".editorconfig"), `${files[".editorconfig"]}[*.md]\nindent_size = 7\n`);
    put(join(at, ".gitignore"), "node_modules\ndist\n");
    put(join(at, ".prettierignore"), "*.md\n");
    const { code, err } = await mcpgen([...run, "--check"], { directory: at });
    expect([code, err]).toEqual([0, expect.stringContaining("gen is up to date")]);
    put(join(at, ".editorconfig"), "[*]\nindent_style = space\n");
    expect((await mcpgen([...run, "--check"], { directory: at })).code).toBe(1);
  });

  it("is formatted with an .editorconfig alone, as Prettier does", async () => {
    const at = directory({ ".editorconfig": "root = true\n\n[*.ts]\nindent_style = tab\n" });
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    await mcpgen(run, { directory: at });
    expect(filesIn(join(at, "gen"))["types.ts"]).toMatch(/^\t\w/m);
  });

  it("has no formatting of its own with an .editorconfig that says what Prettier does by default", async () => {
    const at = directory({
      ".editorconfig": "[*]\nindent_style = space\nindent_size = 2\nend_of_line = crlf\n",
    });
    await mcpgen(["--version", oldest, "--out", "gen", "--emit", "types"], { directory: at });
    expect(filesIn(join(at, "gen"))[".mcpgen.json"]).toContain('"formatting": null');
  });

  it("is formatted by plugins beside the configuration, wherever the command runs", async () => {
    const plugin = "packages/a/node_modules/prettier-plugin-bare";
    const at = directory({
      "packages/a/.prettierrc": '{ "plugins": ["prettier-plugin-bare"], "parser": "bare" }',
      "packages/a/mcpgen.config.json": JSON.stringify({
        generate: [{ version: oldest, out: "gen", emit: ["types"] }],
      }),
      [`${plugin}/package.json`]: '{ "type": "module", "exports": { "import": "./plugin.js" } }',
      [`${plugin}/plugin.js`]: `
        export const parsers = { bare: { parse: (text) => ({ text }), astFormat: "bare", locStart: () => 0, locEnd: () => 0 } };
        export const printers = { bare: { print: ({ node }) => "// By the plugin.\\n" + node.text } };
      `,
    });
    const run = await mcpgen(["--config", "packages/a/mcpgen.config.json"], { directory: at });
    expect([run.code, run.err]).toEqual([0, expect.stringContaining("written")]);
    const output = filesIn(join(at, "packages/a/gen"));
    expect(output["types.ts"]).toMatch(/^\/\/ By the plugin\.\n/);
    const again = await mcpgen([], { directory: join(at, "packages/a") });
    expect(again.err).toContain("gen is up to date");
  });

  it("is not written if the rules cannot be read, and the message says why", async () => {
    const at = directory({ ".prettierrc": "{ semi: [\n" });
    const { code, err } = await mcpgen(["--version", oldest, "--out", "gen"], { directory: at });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG710 the formatting rules of the destination cannot be read: .*prettierrc/),
    ]);
  });

  it("is not formatted with that configuration if it ignores the output", async () => {
    const at = directory({ ".prettierrc": "semi: false\n", ".gitignore": "/gen/\n" });
    await mcpgen(["--version", oldest, "--out", "gen", "--emit", "types"], { directory: at });
    expect(filesIn(join(at, "gen"))["types.ts"]).toMatch(/^export .*;$/m);
  });
});
