import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageTypeNote } from "../../src/cli/destination/package-type.js";
import {
  bareJson,
  importExtensionFor,
} from "../../src/cli/destination/tsconfig.js";
import { workspaceIn } from "../../src/cli/destination/workspace.js";
import { directory } from "./support.js";

const options = (compilerOptions: object, more: object = {}): string =>
  JSON.stringify({ compilerOptions, ...more });
const ts = { allowImportingTsExtensions: true };

describe("the extension of relative imports", () => {
  it.each<[what: string, files: Record<string, string>, extension: string]>([
    ["no tsconfig", {}, "js"],
    ["one without options", { "tsconfig.json": "{}" }, "js"],
    ["no JSON", { "tsconfig.json": "[" }, "js"],
    ["a list", { "tsconfig.json": "[]" }, "js"],
    ["imports of .ts", { "tsconfig.json": options(ts) }, "ts"],
    [
      "imports that are rewritten",
      { "tsconfig.json": options({ rewriteRelativeImportExtensions: true }) },
      "ts",
    ],
    [
      "neither",
      {
        "tsconfig.json": options({
          allowImportingTsExtensions: false,
          rewriteRelativeImportExtensions: "x",
        }),
      },
      "js",
    ],
    [
      "a bundler",
      { "tsconfig.json": options({ moduleResolution: "Bundler" }) },
      "none",
    ],
    [
      "a module kind of bundlers",
      { "tsconfig.json": options({ module: "preserve" }) },
      "none",
    ],
    [
      "a resolution before a module kind",
      {
        "tsconfig.json": options({
          module: "preserve",
          moduleResolution: "node16",
        }),
      },
      "js",
    ],
    ["Node", { "tsconfig.json": options({ module: "nodenext" }) }, "js"],
    [
      "comments and commas",
      {
        "tsconfig.json":
          '\ufeff// a\n{ /* b */ "compilerOptions": { "allowImportingTsExtensions": true, }, }',
      },
      "ts",
    ],
    [
      "a base",
      {
        "tsconfig.json": '{ "extends": "./base.json" }',
        "base.json": options(ts),
      },
      "ts",
    ],
    [
      "a base without its ending",
      { "tsconfig.json": '{ "extends": "./base" }', "base.json": options(ts) },
      "ts",
    ],
    [
      "an own option before a base",
      {
        "tsconfig.json": options(
          { allowImportingTsExtensions: false },
          { extends: "./base" },
        ),
        "base.json": options(ts),
      },
      "js",
    ],
    [
      "other options beside a base",
      {
        "tsconfig.json": options({ strict: true }, { extends: "./base" }),
        "base.json": options(ts),
      },
      "ts",
    ],
    [
      "a later base",
      {
        "tsconfig.json": '{ "extends": ["./a", "./b"] }',
        "a.json": options(ts),
        "b.json": options({ allowImportingTsExtensions: false }),
      },
      "js",
    ],
    [
      "an earlier base",
      {
        "tsconfig.json": '{ "extends": ["./b", "./a", "./none", 1] }',
        "a.json": options(ts),
        "b.json": options({ allowImportingTsExtensions: false }),
      },
      "ts",
    ],
    [
      "a base of a package",
      {
        "tsconfig.json": '{ "extends": "base" }',
        "node_modules/base/tsconfig.json": options(ts),
      },
      "ts",
    ],
    [
      "a base of a package that is a program, too",
      {
        "tsconfig.json": '{ "extends": "base" }',
        "node_modules/base/package.json": '{ "main": "index.js" }',
        "node_modules/base/index.js": "exports.a = 1;\n",
        "node_modules/base/tsconfig.json": options(ts),
      },
      "ts",
    ],
    [
      "the file that a package names before its tsconfig.json",
      {
        "tsconfig.json": '{ "extends": "base" }',
        "node_modules/base/package.json": '{ "main": "own.json" }',
        "node_modules/base/own.json": options(ts),
        "node_modules/base/tsconfig.json": options({
          allowImportingTsExtensions: false,
        }),
      },
      "ts",
    ],
    [
      "a file of a package",
      {
        "tsconfig.json": '{ "extends": "base/strict" }',
        "node_modules/base/strict.json": options(ts),
      },
      "ts",
    ],
    [
      "a base that is itself",
      { "tsconfig.json": '{ "extends": "./tsconfig.json" }' },
      "js",
    ],
    [
      "the nearest one",
      { "tsconfig.json": options(ts), "src/tsconfig.json": "{}" },
      "js",
    ],
  ])("follows %s", async (_, files, extension) => {
    const place = directory({ ...files, "src/a.ts": "" });
    expect(await importExtensionFor(join(place, "src"))).toBe(extension);
  });

  /** A chain of bases, of which the last one has the option. */
  const chain = (length: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => [
        i === 0 ? "tsconfig.json" : `base${i}.json`,
        i === length - 1 ? options(ts) : `{ "extends": "./base${i + 1}" }`,
      ]),
    );
  it.each([
    [16, "ts"],
    [17, "js"],
  ])("follows %i configurations: %s", async (length, extension) => {
    expect(await importExtensionFor(directory(chain(length)))).toBe(extension);
  });
});

describe("JSON with comments", () => {
  it.each([
    ['{"a": 1}', '{"a": 1}'],
    ["\ufeff{}", " {}"],
    ["[1, // a, b\n2]", "[1,        \n2]"],
    ["[1, /* a\nb */ 2]", "[1,     \n     2]"],
    ['["// a", "/* b */", "\\"//"]', '["// a", "/* b */", "\\"//"]'],
    ["[1, ]", "[1  ]"],
    ['{"a": ",}", \n}', '{"a": ",}"  \n}'],
    ['["a,]', '["a,]'],
    ["[1] /* open", "[1] /* open"],
  ])("is JSON with each place where it was: %j", (text, json) => {
    expect(bareJson(text)).toBe(json);
  });
});

describe("a folder", () => {
  it.each<[files: Record<string, string>, manager: string | null]>([
    [{}, null],
    [{ "package.json": "{}" }, null],
    [{ "package.json": "[]" }, null],
    [{ "package.json": '{ "workspaces": ["a"] }' }, "npm or Yarn"],
    [{ "pnpm-workspace.yaml": "packages:\n  - a\n" }, "pnpm"],
    [{ "pnpm-workspace.yaml": "a: 1\npackages :\n" }, "pnpm"],
    [
      { "pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - packages: a\n" },
      null,
    ],
  ])("is the root of a workspace or not: %j", async (files, manager) => {
    expect(await workspaceIn(directory(files))).toBe(manager);
  });

  it.each<[manifest: string, isNoted: boolean]>([
    ["{}", true],
    ['{ "type": "commonjs" }', true],
    ['{ "type": "module" }', false],
    ["[]", false],
    ["no JSON", false],
  ])(
    "with the package.json %s has ES modules or a note: %s",
    async (manifest, isNoted) => {
      const place = directory({ "package.json": manifest, "src/a.ts": "" });
      const note = await packageTypeNote(join(place, "src"));
      expect(note?.code).toBe(isNoted ? "MG713" : undefined);
      if (note !== null) {
        expect(note.severity).toBe("note");
        expect(note.message).toMatch(
          /package\.json makes this a CommonJS package, but the generated files are ES modules$/,
        );
        expect(note.hint).toBe(
          'add "type": "module" to it, or compile with TypeScript 5.8 or later and run on Node.js 20.19 or later; Jest needs --runtime vendored',
        );
      }
    },
  );
});
