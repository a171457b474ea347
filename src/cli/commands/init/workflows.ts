import { join, relative } from "node:path";
import { exists, readText, upwards } from "../../destination/find.js";
import { replaceMissing } from "../../replace.js";

/** A workflow of GitHub Actions that `mcpgen init --ci github` wrote or kept. */
export interface Workflow {
  /** Relative to the root of the repository, with forward slashes. */
  readonly file: string;
  readonly isWritten: boolean;
}

/** What the texts of the workflows depend on. */
interface Project {
  /** The folder of the configuration, relative to the root of the repository; empty for the root. */
  readonly folder: string;
  readonly manager: Manager;
  /** The flag that names the configuration; empty if it is found without. */
  readonly config: string;
  /** Distinguishes the names of files and branches from those of another configuration of the repository; empty for the first one. */
  readonly suffix: string;
}

/** The commands of a package manager. */
interface Manager {
  /** Installs what the lock file has, and nothing else. */
  readonly install: readonly string[];
  /** Starts an installed program. */
  readonly start: string;
  readonly test: string;
}

const npm: Manager = { install: ["npm ci"], start: "npx --no", test: "npm test --if-present" };

/** Package managers by their lock files. */
const managers: readonly (readonly [lockFile: string, manager: Manager])[] = [
  ["package-lock.json", npm],
  [
    "pnpm-lock.yaml",
    {
      install: ["corepack enable", "pnpm install --frozen-lockfile"],
      start: "pnpm exec",
      test: "pnpm run --if-present test",
    },
  ],
  [
    "yarn.lock",
    {
      install: ["corepack enable", "yarn install --frozen-lockfile"],
      start: "yarn run",
      test: "yarn run test",
    },
  ],
];

/** Actions by commit, because a tag can be moved. The comment is the tag. */
const actions = {
  checkout: "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0",
  node: "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0",
  upload: "actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0",
  download: "actions/download-artifact@37930b1c2abaa49bbe596cd826c3c89aef350131 # v7.0.0",
} as const;

/**
 * Writes two workflows of GitHub Actions: one that checks the generated files on every push, and one that fetches new schemas once a week. A file
 * that exists is kept without `force`, and one of another configuration always. `directory` is that of the configuration, `config` its name
 * if mcpgen does not find it by itself.
 */
export async function writeWorkflows(
  directory: string,
  config: string | null,
  force: boolean,
): Promise<readonly Workflow[]> {
  const root = await rootOf(directory);
  const folder = relative(root, directory).replaceAll("\\", "/");
  const flag = config === null ? "" : ` --config ${quoted(config)}`;
  const project: Project = {
    folder,
    manager: await managerOf(directory),
    config: flag,
    suffix: await suffixOf(join(root, ".github/workflows"), folder, flag, config),
  };
  const workflows: Workflow[] = [];
  for (const [name, text] of [
    [`mcpgen-check${project.suffix}.yml`, checkText(project)],
    [`mcpgen-update${project.suffix}.yml`, updateText(project)],
  ] as const) {
    const file = `.github/workflows/${name}`;
    workflows.push({ file, isWritten: await replaceMissing(join(root, file), text, force) });
  }
  return workflows;
}

/** The first suffix whose files do not exist, or run mcpgen for this configuration. */
async function suffixOf(
  workflows: string,
  folder: string,
  flag: string,
  config: string | null,
): Promise<string> {
  const words = [folder, config ?? ""]
    .join("-")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  for (let count = 0; ; count++) {
    const suffix = count === 0 ? "" : `-${words || "root"}${count === 1 ? "" : `-${count}`}`;
    const files = ["check", "update"].map((name) => join(workflows, `mcpgen-${name}${suffix}.yml`));
    const texts = await Promise.all(files.map((file) => readText(file)));
    if (texts.every((text) => text === null || isFor(text, folder, flag))) return suffix;
  }
}

/** True if a workflow runs in this folder, and with this configuration. */
function isFor(text: string, folder: string, flag: string): boolean {
  const [, place = '""'] = /^ +working-directory: (.*)$/m.exec(text) ?? [];
  const [own = ""] = / --config (?:'[^']*'|\\'|[\w./-])+/.exec(text) ?? [];
  return place === JSON.stringify(folder) && own === flag;
}

/** The words in a title that name the folder of the configuration; empty for the root. */
const placeOf = ({ folder, suffix }: Project): string =>
  suffix === "" ? "" : ` (${folder || suffix.slice(1)})`;

function checkText(project: Project): string {
  const { folder, manager, config } = project;
  return `# Fails if the files that mcpgen generates are out of date.
name: ${JSON.stringify(`mcpgen check${placeOf(project)}`)}

on:
  push:
  pull_request:

permissions:
  contents: read
${folderText(folder)}
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
${setUp(manager)}
      - run: ${manager.start} mcpgen check${config}
`;
}

/*
 * Only the first job runs code of the project and of its dependencies, and it may only read. The second one may write, and runs git and gh only.
 * The tests are in the first job because a pull request that a workflow opens starts no other workflow.
 */
function updateText(project: Project): string {
  const { folder, manager, config, suffix } = project;
  const mcpgen = `${manager.start} mcpgen`;
  return `# Once a week, fetches new schemas of the Model Context Protocol, and opens a pull request that lists what breaks and what to change.
# The repository must allow it: Settings, Actions, General, "Allow GitHub Actions to create and approve pull requests".
name: ${JSON.stringify(`mcpgen update${placeOf(project)}`)}

on:
  schedule:
    - cron: "17 5 * * 1"
  workflow_dispatch:

permissions: {}

concurrency:
  group: mcpgen-update${suffix}
${folderText(folder)}
jobs:
  update:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read
    outputs:
      changed: \${{ steps.changes.outputs.changed }}
    steps:
${setUp(manager)}
      - name: Fetch new schemas
        run: ${mcpgen} update${config} --markdown > "$RUNNER_TEMP/report.md"
      - name: Regenerate
        run: ${mcpgen}${config} --clean
      - name: Compare
        id: changes
        run: |
          git add --all
          git diff --cached --binary > "$RUNNER_TEMP/changes.patch"
          if test -s "$RUNNER_TEMP/changes.patch"; then echo "changed=true" >> "$GITHUB_OUTPUT"; fi
      - name: Run the tests
        id: tests
        if: steps.changes.outputs.changed
        continue-on-error: true
        run: ${manager.test}
      - name: Finish the report
        if: steps.changes.outputs.changed
        env:
          OUTCOME: \${{ steps.tests.outcome }}
          RUN: \${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_id }}
        run: |
          # The text of a pull request has at most 65,536 characters.
          head --bytes 60000 "$RUNNER_TEMP/report.md" > "$RUNNER_TEMP/body.md"
          printf '\\n\\nResult of the tests with these changes: **%s** ([log](%s)).\\n' "$OUTCOME" "$RUN" >> "$RUNNER_TEMP/body.md"
      - uses: ${actions.upload}
        if: steps.changes.outputs.changed
        with:
          name: mcpgen-update
          path: |
            \${{ runner.temp }}/changes.patch
            \${{ runner.temp }}/body.md
          retention-days: 7

  pull-request:
    needs: update
    if: needs.update.outputs.changed
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: write
      pull-requests: write
${folder === "" ? "" : "    defaults:\n      run:\n        working-directory: .\n"}    steps:
      - uses: ${actions.checkout}
      - uses: ${actions.download}
        with:
          name: mcpgen-update
          path: \${{ runner.temp }}
      - name: Open or update the pull request
        env:
          GH_TOKEN: \${{ github.token }}
          TITLE: ${JSON.stringify(`Update the schemas of the Model Context Protocol${placeOf(project)}`)}
        run: |
          git switch --create mcpgen/update${suffix}
          git apply --index "$RUNNER_TEMP/changes.patch"
          git config user.name "github-actions[bot]"
          git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
          git commit --message "$TITLE"
          git push --force origin mcpgen/update${suffix}
          number=$(gh pr list --head mcpgen/update${suffix} --state open --json number --jq '.[].number')
          if test -n "$number"; then
            gh pr edit "$number" --body-file "$RUNNER_TEMP/body.md"
          else
            gh pr create --head mcpgen/update${suffix} --title "$TITLE" --body-file "$RUNNER_TEMP/body.md"
          fi
`;
}

function setUp({ install }: Manager): string {
  return `      - uses: ${actions.checkout}
        with:
          persist-credentials: false
      - uses: ${actions.node}
        with:
          node-version: 24
${install.map((line) => `      - run: ${line}`).join("\n")}`;
}

/** The folder that the commands of a workflow run in, as a literal: a name of a folder may have any character. */
function folderText(folder: string): string {
  if (folder === "") return "";
  return `
defaults:
  run:
    working-directory: ${JSON.stringify(folder)}
`;
}

/** The commands of the package manager with the nearest lock file. Without a lock file, npm installs and writes none: a new one would be a change in every pull request. */
async function managerOf(directory: string): Promise<Manager> {
  for (const folder of upwards(directory))
    for (const [lockFile, manager] of managers) if (await exists(join(folder, lockFile))) return manager;
  return { ...npm, install: ["npm install --no-package-lock"] };
}

/** The nearest folder, this one or one above, that has a repository; this one without any. */
async function rootOf(directory: string): Promise<string> {
  for (const folder of upwards(directory)) if (await exists(join(folder, ".git"))) return folder;
  return directory;
}

/** A word of a command of a POSIX shell. */
const quoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
