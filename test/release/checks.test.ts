import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { put } from "../files.js";
import { root } from "../repository.js";

interface Checks {
  readonly checkVersion: (checkout: string, tags?: string[]) => string;
  readonly checkChangelog: (checkout: string) => {
    readonly sentence: string;
    readonly isPrepared: boolean;
  };
  readonly checkProvenance: (checkout: string) => string;
  readonly checkLicences: (folder: string) => { readonly name: string }[];
  readonly distTag: (version: string, before?: string) => string;
}
interface Pages {
  readonly installsBy: string;
  readonly checkPages: (
    checkout: string,
    version: string,
    way?: string,
  ) => string;
  readonly installByName: (checkout: string, version: string) => Promise<void>;
  readonly switched: readonly string[];
}
const program = <T>(name: string): Promise<T> =>
  import(join(root, ".ci/release", name)) as Promise<T>;
const {
  checkVersion,
  checkChangelog,
  checkProvenance,
  checkLicences,
  distTag,
} = await program<Checks>("checks.mjs");
const { installsBy, checkPages, installByName, switched } =
  await program<Pages>("pages.mjs");

const { version, publishConfig } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as {
  readonly version: string;
  readonly publishConfig: { readonly tag: string };
};
const { tag } = publishConfig;
/** What no version of this kind has. */
const otherTag = version.includes("-") ? "latest" : "next";
const workflow = ".github/workflows/publish.yml";

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-checks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the checks read of this checkout, in a folder of its own. */
function copy(): string {
  const folder = temporary();
  const paths = [
    "package.json",
    "package-lock.json",
    "src/runtime/package.json",
    "src/auth/package.json",
    "generated/.mcpgen.json",
    workflow,
    ...switched,
  ];
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  // As it is before a release, whatever it is today.
  const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  put(
    join(folder, "CHANGELOG.md"),
    `# Changelog\n\n## Unreleased\n\n## ${version}\n\n${changelog.replaceAll(/^## .*\n/gm, "")}`,
  );
  return folder;
}

/** Replaces a text of a file, which must be there. */
function replace(folder: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(folder, path), text.replace(from, to));
}

describe("a rehearsal of a release", () => {
  it("finds nothing in this checkout", () => {
    expect(checkVersion(root, [`v${version}`, "vendored"])).toContain(version);
    expect(checkChangelog(root).sentence).toContain(version);
    expect(checkProvenance(root)).toContain("github.com/mcpgen/mcpgen");
    expect(checkPages(root, version)).toContain("install");
  });

  it.each([
    ["src/auth/package.json", `"version": "${version}"`],
    ["package-lock.json", `"version": "${version}"`],
    ["generated/.mcpgen.json", `mcpgen ${version}`],
  ])("refuses another version in %s", (path, from) => {
    const folder = copy();
    replace(folder, path, from, from.replace(version, "0.0.1"));
    expect(() => checkVersion(folder)).toThrow(
      `${path} has the version 0.0.1, and package.json has ${version}. npm run release -- <version> sets all of them.`,
    );
  });

  it("refuses a commit with the tag of another version", () => {
    expect(() => checkVersion(root, ["v0.0.1"])).toThrow(
      "the tag of the commit has the version 0.0.1",
    );
  });

  it.each([
    ["no section of the version", `## ${version}`, "## 0.0.1"],
    [
      "an empty section of the version",
      `## ${version}`,
      `## ${version}\n\n## 0.0.1`,
    ],
  ])("refuses a changelog with %s", (_, from, to) => {
    const folder = copy();
    replace(folder, "CHANGELOG.md", from, to);
    expect(() => checkChangelog(folder)).toThrow(
      `CHANGELOG.md says nothing about ${version}.`,
    );
  });

  it("takes rows that are not released until the version has its date, and refuses them then", () => {
    const folder = copy();
    const path = "CHANGELOG.md";
    replace(folder, path, "## Unreleased\n", "## Unreleased\n\n- A row.\n");
    expect(checkChangelog(folder).isPrepared).toBe(false);
    replace(folder, path, `## ${version}\n`, `## ${version} (2026-01-01)\n`);
    expect(() => checkChangelog(folder)).toThrow(
      'CHANGELOG.md has rows under "## Unreleased"',
    );
    replace(folder, path, "- A row.\n", "");
    expect(checkChangelog(folder).isPrepared).toBe(true);
  });

  it.each([
    ["package.json", '"provenance": true', '"provenance": false'],
    ["src/auth/package.json", '"access": "public"', '"access": "restricted"'],
    ["src/runtime/package.json", `"tag": "${tag}"`, `"tag": "${otherTag}"`],
    ["src/auth/package.json", '"directory": "src/auth"', '"directory": "auth"'],
    ["src/runtime/package.json", "mcpgen/mcpgen.git", "other/mcpgen.git"],
    ["package.json", "mcpgen/mcpgen/issues", "other/mcpgen/issues"],
  ])("refuses in %s, in place of %s: %s", (path, from, to) => {
    const folder = copy();
    replace(folder, path, from, to);
    expect(() => checkProvenance(folder)).toThrow(
      new RegExp(`^${path} has [\\w.]+ .*, expected .*\\.$`),
    );
  });

  it.each([
    ["publishConfig", /^package\.json has publishConfig\.access undefined, /],
    ["repository", /^package\.json has the repository undefined, /],
  ])("refuses a manifest without %s", (member, sentence) => {
    const folder = copy();
    const manifest = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as object;
    put(
      join(folder, "package.json"),
      JSON.stringify({ ...manifest, [member]: undefined }),
    );
    expect(() => checkProvenance(folder)).toThrow(sentence);
  });

  it.each([
    ["      id-token: write\n", "      contents: read\n", "id-token: write"],
    ["    environment: release\n", "", "is not in the environment release"],
    ["npm publish", "npm pack", "has 0 jobs that publish"],
    ["npm run release", "npm publish && npm run", "has 2 jobs that publish"],
  ])("refuses a workflow with %j replaced by %j", (from, to, sentence) => {
    const folder = copy();
    replace(folder, workflow, from, to);
    expect(() => checkProvenance(folder)).toThrow(sentence);
  });

  it.each([
    ["1.0.0-rc.1", "latest", "next"],
    ["1.0.0", "next", "latest"],
    ["1.0.0", undefined, "latest"],
    ["1.4.2", "v1", "v1"],
  ])(
    "gives the version %s the tag of its kind, and keeps that of an old line: %s becomes %s",
    (one, before, tag) => expect(distTag(one, before)).toBe(tag),
  );
});

describe("a package with others in its files", () => {
  const line = `\n${"-".repeat(80)}\n\n`;
  const head = "These packages are part of the files in this folder.\n";
  const text = "Copyright Ann. Permission is granted.\n";
  /** A package that bundles `left` and `@a/right`. */
  function made(licences: string): string {
    const folder = temporary();
    put(
      join(folder, "package.json"),
      JSON.stringify({ name: "made", license: "MIT" }),
    );
    put(join(folder, "LICENSE"), text);
    put(join(folder, "dist/LICENSES.txt"), licences);
    const sources = [
      "../src/index.ts",
      "../node_modules/left/index.js",
      "../node_modules/left/node_modules/@a/right/lib/index.js",
    ];
    put(join(folder, "dist/index.js.map"), JSON.stringify({ sources }));
    return folder;
  }
  const left = `left 1.0.0 (MIT)\n\n${text}`;
  const right = `@a/right 2.0.0 (ISC)\n\n${text}`;

  it("brings the licence of each along", () => {
    const found = checkLicences(made([head, left, right].join(line)));
    expect(found.map(({ name }) => name)).toEqual(["left", "@a/right"]);
  });

  it.each([
    [
      "one that no licence is listed for",
      [head, left],
      "@a/right is bundled in made (dist/index.js.map), but dist/LICENSES.txt does not list it.",
    ],
    [
      "a licence without its text",
      [head, left, "@a/right 2.0.0 (ISC)\n\n"],
      "@a/right is bundled in made without the text of its licence.",
    ],
    [
      "a licence that nobody has decided on",
      [head, left, right.replace("ISC", "GPL-3.0")],
      "@a/right is bundled in made and has the licence GPL-3.0, expected one of ",
    ],
    [
      "a package without a licence",
      [head, left, right.replace("ISC", "undefined")],
      "@a/right is bundled in made and has the licence undefined",
    ],
    [
      "a part that names no package",
      [head, left, right, "Some text"],
      "has a part that names no package: Some text",
    ],
  ])("is refused with %s", (_, parts, sentence) => {
    expect(() => checkLicences(made(parts.join(line)))).toThrow(sentence);
  });

  it("is refused without a licence of its own", () => {
    const folder = made([head, left, right].join(line));
    rmSync(join(folder, "LICENSE"));
    expect(() => checkLicences(folder)).toThrow(
      "made has the licence MIT and no file LICENSE, expected MIT with the file.",
    );
  });
});

describe("the pages", () => {
  it("install in the way that the one constant names", () => {
    expect(() => checkPages(root, version)).not.toThrow();
  });

  it("are refused if one says something else", () => {
    const folder = copy();
    const [from, to] =
      installsBy === "clone"
        ? [`../mcpgen/mcpgen-${version}.tgz`, "mcpgen"]
        : ["npm install -D mcpgen", `npm install -D ./mcpgen.tgz`];
    replace(folder, "README.md", from, to);
    expect(() => checkPages(folder, version)).toThrow(
      `README.md does not install by ${installsBy}, as installsBy in .ci/release/pages.mjs says.`,
    );
  });

  it("all install by name after a release, and none speaks of a clone", async () => {
    const folder = copy();
    await installByName(folder, version);
    const constant = readFileSync(
      join(folder, ".ci/release/pages.mjs"),
      "utf8",
    );
    expect(constant).toContain('export const installsBy = "name";');
    expect(checkPages(folder, version, "name")).toBe(
      "The pages install by name.",
    );
    expect(() => checkPages(folder, version, "clone")).toThrow(
      "does not install by clone",
    );
    const page = readFileSync(join(folder, "README.md"), "utf8");
    expect(page).toContain("npm install -D mcpgen typescript @types/node\n");
    writeFileSync(
      join(folder, "README.md"),
      `${page}\nThis is not on npm yet.\n`,
    );
    expect(() => checkPages(folder, version, "name")).toThrow(
      'README.md installs from a clone ("not on npm yet")',
    );
  });
});
