import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { filesIn } from "../files.js";
import { directory, mcpgen, type Ended } from "./support.js";

const files = [
  ".github/workflows/mcpgen-check.yml",
  ".github/workflows/mcpgen-update.yml",
] as const;
const config = {
  "mcpgen.config.json":
    '{ "generate": [{ "version": "latest", "out": "src/mcp" }] }',
};

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly defaults?: {
    readonly run: { readonly "working-directory": string };
  };
  readonly jobs: Readonly<Record<string, Job>>;
}

const init = (place: string, ...args: string[]): Promise<Ended> =>
  mcpgen(["init", "--ci", "github", ...args, "--no-color"], {
    directory: place,
  });

const read = (root: string, file: string): Workflow =>
  parse(readFileSync(join(root, file), "utf8")) as Workflow;

const commandsOf = (workflow: Workflow): string =>
  Object.values(workflow.jobs)
    .flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run))
    .join("\n");

/** A repository with a project in it. */
function repository(contents: Readonly<Record<string, string>>): string {
  const root = directory(contents);
  mkdirSync(join(root, ".git"));
  return root;
}

describe("mcpgen init --ci github", () => {
  it("adds a workflow that checks every push and one that brings schemas weekly to a project with a configuration", async () => {
    const root = repository(config);
    const { code, out, err } = await init(root);
    expect([code, out, err]).toEqual([
      0,
      "",
      files.map((file) => `${file}: written\n`).join(""),
    ]);
    expect(readFileSync(join(root, "mcpgen.config.json"), "utf8")).toBe(
      config["mcpgen.config.json"],
    );
    const [check, update] = files.map((file) => read(root, file));
    expect(check?.on).toEqual({ push: null, pull_request: null });
    expect(commandsOf(check as Workflow)).toContain("mcpgen check");
    expect(update?.on).toEqual({
      schedule: [{ cron: "17 5 * * 1" }],
      workflow_dispatch: null,
    });
    for (const command of [
      "mcpgen update --markdown",
      "npm test",
      "gh pr create",
    ])
      expect(commandsOf(update as Workflow)).toContain(command);
  });

  it("adds a workflow that compares the servers once a day, with the differences in its summary, if the configuration says where one is", async () => {
    const root = repository({
      "mcpgen.config.json": JSON.stringify({
        servers: [
          {
            snapshot: "desk.mcp.json",
            source: { stdio: "node desk.mjs" },
          },
        ],
      }),
    });
    await init(root);
    const live = read(root, ".github/workflows/mcpgen-live.yml");
    expect(live.on).toEqual({
      schedule: [{ cron: "43 4 * * *" }],
      workflow_dispatch: null,
    });
    expect(live.permissions).toEqual({ contents: "read" });
    expect(commandsOf(live)).toContain(
      'mcpgen check --live --fail-on breaking --markdown >> "$GITHUB_STEP_SUMMARY"',
    );
  });

  it("gives write permission to no job that runs code of the project, and pins each action by its commit", async () => {
    const root = repository(config);
    await init(root);
    for (const file of files) {
      const { permissions, jobs } = read(root, file);
      for (const [name, job] of Object.entries(jobs)) {
        const granted = Object.values(job.permissions ?? permissions);
        const runsProject = /npm|npx/.test(
          job.steps.map(({ run = "" }) => run).join("\n"),
        );
        expect([file, name, runsProject && granted.includes("write")]).toEqual([
          file,
          name,
          false,
        ]);
        for (const { uses, with: options } of job.steps) {
          if (uses !== undefined)
            expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
          if (runsProject && uses?.startsWith("actions/checkout"))
            expect(options).toEqual({ "persist-credentials": false });
        }
        // An expression in a command would be replaced before the shell reads
        // it.
        expect(job.steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
      }
    }
    expect(read(root, files[1]).permissions).toEqual({});
  });

  it("writes a configuration first if there is none", async () => {
    const root = repository({});
    const { code, err } = await init(root, "--yes");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("mcpgen.config.ts: written\n"),
    ]);
    expect(Object.keys(filesIn(root)).sort()).toEqual([
      ...files,
      "mcpgen.config.ts",
    ]);
  });

  it("writes at the root of the repository, for the folder of the configuration", async () => {
    const root = repository({
      "packages/it's/mcpgen.config.json": config["mcpgen.config.json"],
    });
    expect((await init(join(root, "packages/it's"))).code).toBe(0);
    for (const name of ["check", "update"])
      expect(
        read(root, `.github/workflows/mcpgen-${name}-packages--it_s.yml`)
          .defaults?.run["working-directory"],
      ).toBe("packages/it's");
  });

  it.each([
    ["package-lock.json", "npm ci", "npx --no mcpgen check"],
    [
      "pnpm-lock.yaml",
      "pnpm install --frozen-lockfile",
      "pnpm exec mcpgen check",
    ],
    ["yarn.lock", "yarn install --frozen-lockfile", "yarn run mcpgen check"],
    ["no lock file", "npm install --no-package-lock", "npx --no mcpgen check"],
  ])("uses the package manager of %s", async (lockFile, install, check) => {
    const root = repository({
      "packages/app/mcpgen.config.json": config["mcpgen.config.json"],
      [lockFile]: "",
    });
    await init(join(root, "packages/app"));
    const commands = commandsOf(
      read(root, ".github/workflows/mcpgen-check-packages--app.yml"),
    ).split("\n");
    expect(commands).toContain(install);
    expect(commands.at(-1)).toBe(check);
  });

  it("names a configuration with an unusual name in every command", async () => {
    const root = repository({ "tool's.json": config["mcpgen.config.json"] });
    expect((await init(root, "--config", "tool's.json")).code).toBe(0);
    const check = read(root, ".github/workflows/mcpgen-check-tool_s_json.yml");
    expect(commandsOf(check)).toContain(
      "mcpgen check --config 'tool'\\''s.json'",
    );
  });

  it("gives each configuration of a repository workflows, branches and pull requests of its own", async () => {
    const text = config["mcpgen.config.json"];
    const root = repository({
      "packages/a/mcpgen.config.json": text,
      "packages/a-b/mcpgen.config.json": text,
      "packages/a/b/mcpgen.config.json": text,
      "packages/a/other.json": text,
      "mcpgen.config.json": text,
    });
    const expected = [
      ["packages/a/mcpgen.config.json", "-packages--a", "packages/a", ""],
      ["packages/a-b/mcpgen.config.json", "-packages--a-b", "packages/a-b", ""],
      [
        "packages/a/b/mcpgen.config.json",
        "-packages--a--b",
        "packages/a/b",
        "",
      ],
      [
        "packages/a/other.json",
        "-packages--a--other_json",
        "packages/a",
        " --config other.json",
      ],
      ["mcpgen.config.json", "", undefined, ""],
    ] as const;
    for (const state of ["written", "exists, not changed"]) {
      for (const [path, suffix, folder, flag] of expected) {
        const [check, update] = ["check", "update"].map(
          (name) => `.github/workflows/mcpgen-${name}${suffix}.yml`,
        ) as [string, string];
        const { code, err } = await init(root, "--config", path);
        expect([code, err]).toEqual([
          0,
          `${check}: ${state}\n${update}: ${state}\n`,
        ]);
        for (const file of [check, update])
          expect(read(root, file).defaults?.run["working-directory"]).toBe(
            folder,
          );
        const commands = `${commandsOf(read(root, check))}\n${commandsOf(read(root, update))}`;
        expect(commands.match(/mcpgen (?:check|update)\b[^\n/]*$/gm)?.[0]).toBe(
          `mcpgen check${flag}`,
        );
        expect(commands).toContain(
          `git push --force origin mcpgen/update${suffix}\n`,
        );
      }
    }
    expect(Object.keys(filesIn(join(root, ".github/workflows"))).length).toBe(
      10,
    );
  });

  it("keeps a workflow that exists, and overwrites it with --force", async () => {
    const root = repository({ ...config, [files[0]]: "name: mine\n" });
    const { code, err } = await init(root);
    expect([code, err]).toEqual([
      0,
      `${files[0]}: exists, not changed\n${files[1]}: written\n`,
    ]);
    expect(readFileSync(join(root, files[0]), "utf8")).toBe("name: mine\n");
    expect((await init(root, "--force")).err).toContain(
      `${files[0]}: written\n`,
    );
    expect(read(root, files[0]).jobs).toHaveProperty("check");
  });

  it("ends with a finished sentence if a file is in the place of the folder", async () => {
    const root = repository(config);
    writeFileSync(join(root, ".github"), "");
    const { code, err } = await init(root);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG810 mcpgen-check\.yml cannot be written into /),
    ]);
  });
});
