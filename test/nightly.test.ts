import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "./repository.js";

/** The script of the job that reports a night. */
const { jobs } = parse(
  readFileSync(join(root, ".github/workflows/nightly.yml"), "utf8"),
) as { jobs: { report: { steps: readonly { run?: string }[] } } };
const script = jobs.report.steps.map(({ run = "" }) => run).join("");

/** Notes how it is called, and has one open issue. */
const gh = `#!/bin/sh
if test "$2" = list; then
  test "$TITLE" != "nightly: npm run test:old fails" || echo 7
else
  printf '%s\\n' "$@" >> calls
fi
`;

/** Runs the script after these commands have failed in these places. */
function report(failed: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-nightly-"));
  writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
  for (const [place, commands] of Object.entries(failed)) {
    mkdirSync(join(folder, `failed/failed-${place}`), { recursive: true });
    writeFileSync(join(folder, `failed/failed-${place}/failed.txt`), commands);
  }
  const { status, stderr } = spawnSync("bash", ["--norc", "-e", "-c", script], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: `${folder}${delimiter}${process.env["PATH"]}`,
      RUN: "https://example.com/1",
      COMMIT: "abc",
    },
  });
  expect([status, stderr]).toEqual([0, ""]);
  return readFileSync(join(folder, "calls"), "utf8");
}

describe.skipIf(process.platform === "win32")("the report of a night", () => {
  it("opens an issue for each command that failed, with the places and the line that repeats it", () => {
    const calls = report({
      "ubuntu-latest-20": "npm test\n",
      whole: "npm test\nnpm run test:new -- --seed 1\n",
    });
    expect(calls).toBe(`issue
create
--title
nightly: npm run test:new -- --seed 1 fails
--body
On whole at abc (https://example.com/1):

    CI=1 npm run test:new -- --seed 1
issue
create
--title
nightly: npm test fails
--body
On ubuntu-latest-20 whole at abc (https://example.com/1):

    CI=1 npm test
`);
  });

  it("comments on the open issue with the same title", () => {
    const calls = report({ whole: "npm run test:old\n" });
    expect(calls.split("\n").slice(0, 3)).toEqual(["issue", "comment", "7"]);
  });
});
