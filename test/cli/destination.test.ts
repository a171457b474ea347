import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, put } from "../files.js";
import { revisions } from "../repository.js";
import { directory, mcpgen } from "./support.js";

const [oldest = ""] = revisions;

describe("output under a project's own configuration", () => {
  const configs: readonly (readonly [string, Readonly<Record<string, string>>, "js" | "ts"])[] = [
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
    it(`imports ./x.${ending} under ${what}`, async () => {
      const at = directory(files);
      await mcpgen(["--version", oldest, "--out", "src/gen", "--emit", "validators"], { directory: at });
      expect(filesIn(join(at, "src/gen"))["validators.ts"]).toContain(`from "./types.${ending}"`);
    });
  }

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

  it("is not formatted with that configuration if it ignores the output", async () => {
    const at = directory({ ".prettierrc": "semi: false\n", ".gitignore": "/gen/\n" });
    await mcpgen(["--version", oldest, "--out", "gen", "--emit", "types"], { directory: at });
    expect(filesIn(join(at, "gen"))["types.ts"]).toMatch(/^export .*;$/m);
  });
});
