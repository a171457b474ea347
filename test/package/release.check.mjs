import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addRelease, compareVersions } from "../../.ci/release/changelog.mjs";
import { badgeTo } from "../../.ci/release/pages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shell = process.platform === "win32";
let clone = "";

const git = (...args) =>
  execFileSync("git", args, { cwd: clone, encoding: "utf8" }).trimEnd();
const read = (path) => readFileSync(join(clone, path), "utf8");
const release = (...args) =>
  spawnSync("npm", ["run", "--silent", "release", "--", ...args], {
    cwd: clone,
    encoding: "utf8",
    shell,
  });

/** Changes a manifest of the clone and commits it. */
function change(path, change, subject) {
  writeFileSync(
    join(clone, path),
    `${JSON.stringify(change(JSON.parse(read(path))), null, 2)}\n`,
  );
  git("commit", "--quiet", "--all", "--message", subject);
}

/**
 * Replaces scripts of the clone, for a release that shall fail, or that need
 * not repeat what the package suite has just done.
 */
function setScripts(scripts) {
  change(
    "package.json",
    (manifest) => ({
      ...manifest,
      scripts: { ...manifest.scripts, ...scripts },
    }),
    "test: replace scripts",
  );
}

const state = () => [
  git("rev-parse", "HEAD"),
  git("status", "--porcelain"),
  git("tag"),
  JSON.parse(read("package.json")).version,
  read("CHANGELOG.md"),
  read("README.md"),
  read(".ci/release/pages.mjs"),
];

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "mcpgen-release-"));
  const tracked = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  for (const path of new Set(tracked.trim().split("\n")))
    cpSync(join(root, path), join(clone, path));
  for (const path of [
    "node_modules",
    "dist",
    "src/runtime/dist",
    "src/auth/dist",
  ])
    cpSync(join(root, path), join(clone, path), {
      recursive: true,
      verbatimSymlinks: true,
    });
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Release test");
  git("config", "user.email", "release@example.org");
  git("config", "core.autocrlf", "false");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Import the working tree");
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

describe("npm run release", () => {
  it.each([
    ["without the remote origin", undefined, "not set"],
    [
      "from another repository",
      "https://example.org/fork/mcpgen.git",
      "example.org/fork/mcpgen",
    ],
  ])("refuses to start, and changes nothing, %s", (_, url, found) => {
    if (url !== undefined) git("remote", "add", "origin", url);
    const before = state();
    const { status, stderr } = release("9.0.0");
    expect(stderr).toBe(
      `release: package.json names the repository github.com/mcpgen/mcpgen, but the remote origin is ${found}. Release from that repository, or change repository, homepage and bugs in all manifests.\n`,
    );
    expect(status).toBe(1);
    expect(state()).toEqual(before);
  });

  it.each([
    "https://github.com/mcpgen/mcpgen",
    "ssh://git@github.com/mcpgen/mcpgen.git",
    "git@github.com:mcpgen/mcpgen.git",
  ])("accepts the remote %s", (url) => {
    git("remote", "set-url", "origin", url);
    writeFileSync(join(clone, "draft.txt"), "draft");
    expect(release("9.0.0").stderr).toContain(
      "release: the working tree is not clean.",
    );
    rmSync(join(clone, "draft.txt"));
  });

  it.each([
    [[], "run npm run release -- <version>, such as 1.2.0, or "],
    [["--rehearsal"], "run npm run release -- <version>, such as 1.2.0, or "],
    [["--rehearse", "-v"], "run npm run release -- <version>, "],
    [["9.0.0", "9.0.1"], "run npm run release -- <version>, "],
    [
      ["next"],
      'the version is "next", expected one such as 1.2.0 or 1.2.0-rc.1',
    ],
    [["0.0.1"], "the version 0.0.1 is lower than "],
  ])("refuses the version %j and says why", (args, sentence) => {
    const { status, stderr } = release(...args);
    expect(stderr).toContain(`release: ${sentence}`);
    expect(status).toBe(1);
  });

  it("refuses a working tree with changes and names the files", () => {
    writeFileSync(join(clone, "draft.txt"), "draft");
    const { status, stderr } = release("9.0.0");
    expect(stderr).toContain("release: the working tree is not clean.");
    expect(stderr).toContain("?? draft.txt");
    expect(status).toBe(1);
    rmSync(join(clone, "draft.txt"));
  });

  it("restores every file if the test of the packed packages fails", () => {
    setScripts({
      build: "node -e 0",
      generate: "node -e 0",
      "test:tarballs": "node -e process.exit(1)",
    });
    const before = state();
    const { status, stdout, stderr } = release("9.0.0");
    expect(stdout).toContain("CHANGELOG.md has a section for 9.0.0");
    expect(stderr).toContain("release: npm run test:tarballs failed.");
    expect(stderr).toContain(
      "release: all files are restored. There is no commit and no tag.",
    );
    expect(status).toBe(1);
    expect(state()).toEqual(before);
  });

  it("restores every file and removes the commit if the tag cannot be made", () => {
    setScripts({ "test:tarballs": "git tag v9.0.0" });
    const before = state();
    const { status, stderr } = release("9.0.0");
    expect(stderr).toContain("release: git tag --annotate v9.0.0");
    git("tag", "--delete", "v9.0.0");
    expect(status).toBe(1);
    expect(state()).toEqual(before);
  });

  it("sets the version of all packages, writes the changelog, commits and tags, and says what comes next", () => {
    const { build, generate } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    ).scripts;
    setScripts({ build, generate, "test:tarballs": "node -e 0" });
    const { status, stdout, stderr } = release("9.0.0-rc.1");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      "The working tree is clean, and v9.0.0-rc.1 is a new version.",
      "All packages have the version 9.0.0-rc.1.",
      "The pages install the packages by name.",
      "The packages are built, and generated/ is up to date.",
      "CHANGELOG.md has a section for 9.0.0-rc.1.",
      "The packed packages work in empty projects.",
      "The release is committed and has the tag v9.0.0-rc.1. Nothing is published.",
      "Next: npm run release -- --rehearse, which ends with what a person must sign. Then git push --follow-tags: the workflow publish publishes all packages.",
    ]);
    for (const path of [
      "package.json",
      "src/runtime/package.json",
      "src/auth/package.json",
    ])
      expect(JSON.parse(read(path)).version).toBe("9.0.0-rc.1");
    const { packages } = JSON.parse(read("package-lock.json"));
    for (const folder of ["", "src/runtime", "src/auth"])
      expect(packages[folder].version).toBe("9.0.0-rc.1");
    expect(JSON.parse(read("generated/.mcpgen.json")).generator).toBe(
      "mcpgen 9.0.0-rc.1",
    );
    expect(read("CHANGELOG.md")).toMatch(
      /^# Changelog\n\n.*\n\n## Unreleased\n\n## 9\.0\.0-rc\.1 \(\d{4}-\d\d-\d\d\)\n/,
    );
    expect(read("README.md")).toContain("\nnpm install @mcpgen/runtime zod\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("describe", "--exact-match")).toBe("v9.0.0-rc.1");
    expect(git("log", "-1", "--format=%s")).toBe("release: 9.0.0-rc.1");
    expect(release("9.0.0-rc.1").stderr).toContain(
      "release: the tag v9.0.0-rc.1 exists",
    );
  });

  it("rehearses in a clean clone of the commit, and ends with a sentence and exit code 1 at the first step that fails", () => {
    git("tag", "v9.9.9");
    writeFileSync(join(clone, "CHANGELOG.md"), "");
    const { status, stdout, stderr } = release("--rehearse");
    git("tag", "--delete", "v9.9.9");
    git("restore", "CHANGELOG.md");
    expect(stdout).toMatch(
      /^A clean clone of [0-9a-f]{8} is installed and built\.\n$/,
    );
    expect(stderr).toBe(
      "rehearsal: the tag of the commit has the version 9.9.9, and package.json has 9.0.0-rc.1. npm run release -- <version> sets all of them.\n",
    );
    expect(status).toBe(1);
  });
});

describe("the main page of a release", () => {
  it("leads to the site by a badge that the repository has, once the site has an address", () => {
    const { homepage } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    expect(badgeTo(homepage)).toBe("");
    const badge = badgeTo("https://docs.example.com/");
    const [, picture, link] = /^\[!\[.*\]\((.*)\)\]\((.*)\) · $/.exec(badge);
    expect(link).toBe("https://docs.example.com/");
    const svg = readFileSync(join(root, picture), "utf8");
    expect(svg).toContain('aria-label="Documentation: the site"');
  });
});

describe("the changelog of a release", () => {
  const release = { version: "1.1.0", date: "2026-02-01" };

  it("keeps what is above and below the section", () => {
    const changelog =
      "# Changelog\n\nAbout.\n\n## Unreleased\n\n- x\n\n## 1.0.0 (2026-01-01)\n\n- first\n\n## 0.9.0 (2025-01-01)\n";
    expect(addRelease(changelog, release)).toBe(
      "# Changelog\n\nAbout.\n\n## Unreleased\n\n## 1.1.0 (2026-02-01)\n\n- x\n\n## 1.0.0 (2026-01-01)\n\n- first\n\n## 0.9.0 (2025-01-01)\n",
    );
  });

  it.each([
    ["", ""],
    ["- x\n\n", "- x\n\n"],
  ])(
    "dates a section that describes the version, and puts the rows %j before the description",
    (rows, moved) => {
      const changelog = `# Changelog\n\n## Unreleased\n\n${rows}## 1.1.0\n\nWhat it has.\n\n### a\n\n## 1.0.0 (2026-01-01)\n`;
      expect(addRelease(changelog, release)).toBe(
        `# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-02-01)\n\n${moved}What it has.\n\n### a\n\n## 1.0.0 (2026-01-01)\n`,
      );
    },
  );

  it("needs a section for what is not released", () => {
    expect(() =>
      addRelease("# Changelog\n", { version: "1.0.0", date: "" }),
    ).toThrow('CHANGELOG.md has no section "## Unreleased".');
  });

  it("compares versions by number, and a candidate is lower than its release", () => {
    const sorted = [
      "0.9.0",
      "0.10.0",
      "1.0.0-alpha",
      "1.0.0-rc.2",
      "1.0.0-rc.10",
      "1.0.0",
      "1.0.1-rc.1",
    ];
    expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
    expect(compareVersions("1.0.0", "1.0.0")).toBe(0);
  });
});
