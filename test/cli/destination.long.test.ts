import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, put } from "../files.js";
import { revisions } from "../repository.js";
import { fixture } from "../stubs/project.js";
import { directory, type Ended, mcpgen } from "./support.js";

const [oldest = ""] = revisions;

describe("output under a project's own configuration", () => {
  const configs: readonly (readonly [
    string,
    Readonly<Record<string, string>>,
    "js" | "ts" | "none",
  ])[] = [
    ["no tsconfig", {}, "js"],
    [
      "a tsconfig without the option",
      { "tsconfig.json": '{"compilerOptions":{}}' },
      "js",
    ],
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
        "base/two.json":
          '{"compilerOptions":{"allowImportingTsExtensions":true}}',
      },
      "ts",
    ],
    [
      "a tsconfig that extends a package and overrides its option",
      {
        "tsconfig.json":
          '{"extends":"strictest/tsconfig.json","compilerOptions":{"allowImportingTsExtensions":false}}',
        "node_modules/strictest/tsconfig.json":
          '{"compilerOptions":{"allowImportingTsExtensions":true}}',
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
      {
        "tsconfig.json":
          '{"compilerOptions":{"module":"preserve","moduleResolution":"nodenext"}}',
      },
      "js",
    ],
    [
      "a tsconfig that extends itself",
      { "tsconfig.json": '{"extends":"./tsconfig.json"}' },
      "js",
    ],
    ["a broken tsconfig", { "tsconfig.json": "{" }, "js"],
    [
      "a nearer tsconfig",
      {
        "tsconfig.json":
          '{"compilerOptions":{"allowImportingTsExtensions":true}}',
        "src/tsconfig.json": "{}",
      },
      "js",
    ],
  ];
  for (const [what, files, ending] of configs) {
    const path = ending === "none" ? "./types" : `./types.${ending}`;
    it(`imports ${path} under ${what}`, async () => {
      const at = directory(files);
      await mcpgen(
        ["--version", oldest, "--out", "src/gen", "--emit", "validators"],
        { directory: at },
      );
      expect(filesIn(join(at, "src/gen"))["validators.ts"]).toContain(
        `from "${path}"`,
      );
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
      mcpgen(["stubs", "weather.mcp.json", "--no-color", ...args], {
        directory: place,
      });
    expect(await stubs("--out", "gen")).toMatchObject({
      code: 0,
      err: expect.stringMatching(note),
    });
    for (const args of [
      ["--out", "copied", "--runtime", "vendored"],
      // Without a line that is written there is nothing to say.
      ["--out", "gen"],
    ])
      expect(await stubs(...args)).toMatchObject({
        code: 0,
        err: expect.not.stringContaining("MG762"),
      });
    put(
      join(place, "node_modules/@mcpgen/runtime/package.json"),
      '{ "exports": { "import": "./index.js" } }',
    );
    expect(await stubs("--out", "other")).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("MG762"),
    });
  });

  it.each([
    [
      "Prettier",
      { "package.json": '{"prettier":{"useTabs":true,"semi":false}}' },
    ],
    [
      "an .editorconfig",
      { ".editorconfig": "root = true\n\n[*]\nindent_style = tab\n" },
    ],
    [
      "a Prettier configuration that cannot be read",
      { ".prettierrc": "{ semi: [\n" },
    ],
  ])("has the layout of mcpgen beside the rules of %s", async (_, rules) => {
    const at = directory(rules);
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    const { code, err } = await mcpgen(run, { directory: at });
    expect([code, err]).toEqual([0, expect.stringContaining("written")]);
    const bare = directory();
    await mcpgen(run, { directory: bare });
    expect(filesIn(join(at, "gen"))).toEqual(filesIn(join(bare, "gen")));
  });
});

describe("a note on the package of the written files", () => {
  const snapshot = { "a.mcp.json": fixture("weather"), "package.json": "{}" };
  const server = ["stubs", "a.mcp.json", "--out", "gen", "--emit", "server"];
  const client = ["stubs", "a.mcp.json", "--out", "gen", "--emit", "client"];
  const schemas = ["--version", oldest, "--out", "gen", "--emit", "types"];
  const docs = ["docs", "a.mcp.json", "--out", "gen"];
  it.each<
    [
      what: string,
      args: readonly string[],
      files: Readonly<Record<string, string>>,
      codes: readonly string[],
    ]
  >([
    ["a server", server, {}, ["MG713", "MG762"]],
    ["types of a revision", schemas, {}, ["MG713"]],
    ["a client", client, {}, ["MG713", "MG762"]],
    [
      "a client with a copy of what it imports",
      [...client, "--runtime", "vendored"],
      {},
      ["MG713"],
    ],
    [
      "a client in a package of ES modules",
      client,
      { "package.json": '{"type":"module"}' },
      ["MG762"],
    ],
    ["a page", docs, {}, []],
    ["a client that is only compared", [...client, "--dry-run"], {}, []],
  ])(
    "is printed once, for modules that are written: %s",
    async (_, args, files, codes) => {
      const at = directory({ ...snapshot, ...files });
      const codesOf = async (): Promise<readonly string[]> => {
        const { out, err } = await mcpgen([...args, "--json"], {
          directory: at,
        });
        const { diagnostics } = JSON.parse(out) as {
          readonly diagnostics: readonly { readonly code: string }[];
        };
        expect(err).not.toContain(" error");
        return diagnostics
          .map(({ code }) => code)
          .filter((code) => /^MG7(?:13|62)$/.test(code));
      };
      expect(await codesOf()).toEqual(codes);
      // Nothing is written again.
      expect(await codesOf()).toEqual([]);
    },
  );
});
