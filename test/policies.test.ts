import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import ts from "typescript";
import { parse } from "yaml";
import { root } from "./repository.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const contributing = read("CONTRIBUTING.md");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
}
const manifests = [
  "package.json",
  "src/runtime/package.json",
  "src/auth/package.json",
].map((path) => JSON.parse(read(path)) as Manifest);

describe("the version of ajv", () => {
  it("is in each command and message that tells to install it, because ajv alone may resolve to version 6", () => {
    const files = execFileSync(
      "git",
      ["ls-files", "*.md", "*.hbs", "src/*.ts"],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    const lines = files
      .split("\n")
      .filter((path) => path !== "")
      .flatMap((path) =>
        read(path)
          .split("\n")
          .map((line) => `${path}: ${line}`),
      );
    const told = lines.filter((line) =>
      /\b(?:npm i|install|pnpm add|yarn add)\b.*\bajv\b/i.test(line),
    );
    expect(told.length).toBeGreaterThan(2);
    expect(
      told.filter((line) =>
        /\b(?:npm i|install|add)\b.*\bajv\b(?!@8)/i.test(line),
      ),
    ).toEqual([]);
  });
});

/**
 * The names of the interfaces of options, settings and limits in a file, with
 * their optional members.
 */
function optionsIn(path: string): [type: string, member: string][] {
  const found: [string, string][] = [];
  ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest).forEachChild(
    (node) => {
      if (
        !ts.isInterfaceDeclaration(node) ||
        !/(Options|Settings|Limits)$/.test(node.name.text)
      )
        return;
      for (const { name, questionToken } of node.members)
        if (name && questionToken && ts.isIdentifier(name))
          found.push([node.name.text, name.text]);
    },
  );
  return found;
}

describe("an option of the runtime", () => {
  it("is in code on one of its pages, which says what it means", () => {
    const files = execFileSync("git", ["ls-files", "src/runtime"], {
      cwd: root,
      encoding: "utf8",
    }).split("\n");
    const sources = files.filter((path) => path.endsWith(".ts"));
    const exported = sources
      .filter((path) => !posix.relative("src/runtime", path).includes("/"))
      .map(read)
      .join();
    const code = files
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) => read(path).match(/```[^]*?```|`[^`]+`/g) ?? [])
      .join();
    // A session sets `SendOptions`, not a user.
    const options = sources
      .flatMap(optionsIn)
      .filter(
        ([type]) =>
          type !== "SendOptions" && new RegExp(`\\b${type}\\b`).test(exported),
      );
    expect(options.length).toBeGreaterThan(80);
    const missing = options.filter(
      ([, name]) => !new RegExp(`\\b${name}\\b`).test(code),
    );
    expect(missing.map(([type, name]) => `${type}.${name}`)).toEqual([]);
  });
});

describe("the policies", () => {
  it("CONTRIBUTING.md gives each command and entry of the packages a status", () => {
    const rows = [
      ...contributing.matchAll(
        /^\| `([@\w./]*mcpgen[\w./-]*)`( \(command\))? +\| (\w+) /gm,
      ),
    ];
    const listed = rows.map(([, name = "", command = ""]) => name + command);
    const actual = manifests.flatMap(({ name, bin = {}, exports }) => [
      ...Object.keys(bin).map((command) => `${command} (command)`),
      ...Object.keys(exports).map((entry) => posix.join(name, entry)),
    ]);
    expect(listed.sort()).toEqual(actual.sort());
    expect(
      rows.filter(
        ([, , , status = ""]) =>
          !/^(stable|experimental|internal)$/.test(status),
      ),
    ).toEqual([]);
  });

  it("CONTRIBUTING.md names only commands of package.json", () => {
    const named = [...contributing.matchAll(/npm run ([\w:]+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(named.length).toBeGreaterThan(3);
    const scripts = Object.keys(manifests[0]?.scripts ?? {});
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it("CHANGELOG.md is one page, which a reader of a release reads to the end", () => {
    expect(Buffer.byteLength(read("CHANGELOG.md"))).toBeLessThanOrEqual(
      12 * 1024,
    );
  });

  it("all packages have the same version", () => {
    expect(new Set(manifests.map(({ version }) => version)).size).toBe(1);
  });
});

describe(".github", () => {
  interface Update {
    readonly "package-ecosystem": string;
    readonly directories?: readonly string[];
    readonly directory?: string;
  }
  const { updates } = parse(read(".github/dependabot.yml")) as {
    updates: readonly Update[];
  };

  it("has updates for every folder whose packages are installed on their own", () => {
    const files = execFileSync("git", ["ls-files", "*package.json"], {
      cwd: root,
      encoding: "utf8",
    })
      .trim()
      .split("\n");
    const { workspaces } = JSON.parse(read("package.json")) as {
      workspaces: readonly string[];
    };
    const folders = files
      .map((path) => posix.join("/", dirname(path)))
      .filter((folder) => !workspaces.includes(folder.slice(1)));
    const npm = updates.find((update) => update["package-ecosystem"] === "npm");
    expect([...(npm?.directories ?? [])].sort()).toEqual(folders.sort());
  });

  it("has updates for the actions of the workflows", () => {
    expect(
      updates.find((update) => update["package-ecosystem"] === "github-actions")
        ?.directory,
    ).toBe("/");
  });

  interface Step {
    readonly uses?: string;
    readonly run?: string;
  }
  interface Job {
    readonly permissions?: Readonly<Record<string, string>>;
    readonly strategy?: {
      readonly matrix: Readonly<Record<string, readonly unknown[]>>;
    };
    /** Absent if the job calls another workflow. */
    readonly steps?: readonly Step[];
    readonly uses?: string;
    readonly needs?: string | readonly string[];
  }
  interface Workflow {
    readonly permissions: Readonly<Record<string, string>>;
    readonly jobs: Readonly<Record<string, Job>>;
  }
  const names = readdirSync(join(root, ".github/workflows"));
  const workflows = new Map(
    names.map((name) => [
      name,
      parse(read(`.github/workflows/${name}`)) as Workflow,
    ]),
  );
  const jobsOf = (name: string): readonly Job[] =>
    Object.values(workflows.get(name)?.jobs ?? {});

  const actionsIn = (path: string) =>
    [...read(path).matchAll(/- uses: (.+)/g)].map(([, action]) => action);
  const known = ["check", "live", "update"].flatMap((one) =>
    actionsIn(`templates/init/${one}.yml`),
  );

  it("of mcpgen init --ci github use only actions by commit", () => {
    expect(known.length).toBeGreaterThan(0);
    for (const action of known)
      expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/);
  });

  it.each(names)(
    "%s uses only actions that mcpgen init --ci github writes too",
    (name) => {
      const used = actionsIn(`.github/workflows/${name}`);
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((action) => !known.includes(action))).toEqual([]);
    },
  );

  it.each(names)(
    "%s lets a job read the repository at most, and gives an identity or issues only to one without its code",
    (name) => {
      const granted = (
        permissions: Readonly<Record<string, string>> = {},
      ): string[] =>
        Object.entries(permissions).map(
          ([scope, level]) => `${scope}: ${level}`,
        );
      expect(
        granted(workflows.get(name)?.permissions).filter(
          (grant) => grant !== "contents: read",
        ),
      ).toEqual([]);
      for (const { permissions, steps = [] } of jobsOf(name)) {
        const more = granted(permissions).filter(
          (grant) => grant !== "contents: read",
        );
        const runsProject = steps.some(({ uses = "" }) =>
          uses.startsWith("actions/checkout@"),
        );
        const allowed = runsProject ? [] : ["id-token: write", "issues: write"];
        expect(more.filter((grant) => !allowed.includes(grant))).toEqual([]);
      }
    },
  );

  it("runs what a pull request waits for on one system", () => {
    expect(
      jobsOf("ci.yml").flatMap(({ steps = [] }) => steps.map(({ run }) => run)),
    ).toContain("bash .ci/run change");
  });

  it("runs everything on three systems with each supported major version of Node.js", () => {
    const [job] = jobsOf("everything.yml");
    expect(job?.strategy?.matrix["os"]).toEqual([
      "ubuntu-latest",
      "macos-latest",
      "windows-latest",
    ]);
    const { dependencies } = JSON.parse(read("test/node/package.json")) as {
      dependencies: object;
    };
    const majors = Object.keys(dependencies).map((name) =>
      Number(name.replace("node", "")),
    );
    expect(job?.strategy?.matrix["node"]).toEqual(majors);
    expect(job?.steps?.map(({ run }) => run)).toContain("bash .ci/run");
  });

  it("runs everything each night, on one system without samples, and reports what fails", () => {
    const [everything, whole, report] = jobsOf("nightly.yml");
    expect([everything?.uses, report?.needs]).toEqual([
      "./.github/workflows/everything.yml",
      ["everything", "whole"],
    ]);
    expect(whole?.steps?.map(({ run }) => run)).toContain("bash .ci/run all");
  });

  it("runs everything before a release", () => {
    const [before, pack] = jobsOf("publish.yml");
    expect([before?.uses, pack?.needs]).toEqual([
      "./.github/workflows/everything.yml",
      "everything",
    ]);
  });

  it("publishes the tarballs that the same run has rehearsed, with the tag of their manifests", () => {
    const commands = jobsOf("publish.yml").map(({ steps = [] }) =>
      steps.map(({ run = "" }) => run).join("\n"),
    );
    expect(commands).toHaveLength(3);
    expect(commands[1]).toContain(
      'npm run release -- --rehearse "$RUNNER_TEMP/packages"',
    );
    expect(commands[2]).toMatch(
      /tag=.* \.publishConfig\.tag [^]*npm publish ".*" --tag "\$tag"/,
    );
  });
});
