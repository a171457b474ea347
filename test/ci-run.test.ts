import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.js";

/** Notes each call, and fails the first calls of one script as Vitest does. */
const npm = `#!/bin/bash
echo "$*" >> "$CALLS"
test "$2" = "$SCRIPT" || exit 0
test "$(cut -d ' ' -f 2 "$CALLS" | grep -cFx -- "$SCRIPT")" -le "$TIMES" || exit 0
printf '⎯⎯ Failed Tests 1 ⎯⎯\\n FAIL  a.test.ts > a title\\n Duration  1s\\nthe last line\\n'
exit 1
`;

/** Runs `.ci/run` of a copy in which a script fails a number of times. */
function ciRun(mode: string[], script: string, times: number) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-ci-run-"));
  const bin = join(folder, "bin");
  mkdirSync(join(folder, ".ci"));
  mkdirSync(bin);
  copyFileSync(join(root, ".ci/run"), join(folder, ".ci/run"));
  writeFileSync(join(bin, "npm"), npm, { mode: 0o755 });
  writeFileSync(join(bin, "npx"), "#!/bin/sh\necho a.test.ts\n", {
    mode: 0o755,
  });
  for (const name of ["node", "redis-server", "haproxy", "initdb"])
    writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  const git = [
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "commit",
    "-qm",
    "a",
  ];
  spawnSync("git", ["init", "-q"], { cwd: folder });
  spawnSync("git", [...git, "--allow-empty"], { cwd: folder });
  const calls = join(folder, "calls");
  const failed = join(folder, "failed.txt");
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--norc", ".ci/run", ...mode],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: `${bin}${delimiter}${process.env["PATH"]}`,
        CALLS: calls,
        SCRIPT: script,
        TIMES: String(times),
        MCPGEN_FAILED: failed,
      },
    },
  );
  const tries = readFileSync(calls, "utf8")
    .split("\n")
    .filter((line) => line.split(" ")[1] === script);
  return {
    status,
    stderr,
    tries: tries.length,
    end: stdout.slice(Math.max(0, stdout.indexOf("\n== how"))),
    failed: existsSync(failed) ? readFileSync(failed, "utf8") : "",
  };
}

describe.skipIf(process.platform === "win32")("a script that fails", () => {
  it.each([
    [[], "test"],
    [[], "test:addons"],
    [[], "test:long"],
    [[], "test:node"],
    [[], "test:cluster"],
    [["change"], "test:platforms"],
  ])(
    "once is a suite that runs once more, and whose failure stands at the end: .ci/run %j, %s",
    (mode, script) => {
      const { status, tries, end, failed } = ciRun(mode, script, 1);
      expect([status, tries, failed]).toEqual([0, 2, ""]);
      expect(end).toMatch(
        new RegExp(
          `== how npm run ${script} failed\\n⎯⎯ Failed Tests 1[^]* FAIL {2}a.test.ts > a title[^]*the last line\\n$`,
        ),
      );
    },
  );

  it.each([
    [[], "test", 2, 2],
    [[], "test:node", 2, 2],
    [[], "test:auth", 2, 2],
    [["change"], "test:package", 2, 2],
    [["all"], "test:long", 1, 1],
    [["all"], "test:node", 1, 1],
    [["all"], "test:mutants", 1, 1],
    [[], "check:types", 1, 1],
    [[], "generate", 1, 1],
  ])(
    "at its last try fails the run, which names the command: .ci/run %j, %s",
    (mode, script, times, expected) => {
      const { status, tries, stderr, failed } = ciRun(mode, script, times);
      expect([status, tries]).toEqual([1, expected]);
      expect(failed).toMatch(new RegExp(`^npm run ${script}[^\\n]*\\n$`));
      expect(stderr.trimEnd().split("\n").at(-1)).toBe(
        `Failed: ${failed.trimEnd()}`,
      );
    },
  );
});
