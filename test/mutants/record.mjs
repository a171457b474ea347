// Which steps of the sources each test file comes to. Each runs once, without a
// fault, in a process of its own; what is known of it holds until something that
// it loads changes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marked } from "./marks.mjs";
import { programWith } from "./program.mjs";

/** In the program: it adds its steps to a file of the test that started it. */
const noting = `
import { appendFileSync as mcpgenAppend } from "node:fs";
if (globalThis.mcpgenMark === undefined) {
  const seen = new Set();
  const owner = process.env.MCPGEN_MARKS_OWNER ?? process.ppid;
  globalThis.mcpgenMark = (path, step) => {
    const line = path + " " + step + "\\n";
    if (seen.has(line)) return;
    seen.add(line);
    mcpgenAppend(FOLDER + "/" + owner + ".program", line);
  };
}`;

/** What a test file loads, directly or not, in one short text. */
function makeDigest(root, importers, starters) {
  const loads = new Map();
  for (const [path, others] of importers)
    for (const other of others)
      loads.set(other, [...(loads.get(other) ?? []), path]);
  const texts = new Map();
  const textOf = (path) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path)));
    return texts.get(path);
  };
  const sources = [...importers.keys()].filter((path) =>
    path.startsWith("src/"),
  );
  return (test) => {
    const all = new Set([test]);
    for (const path of all)
      for (const one of loads.get(path) ?? []) all.add(one);
    if (starters.has(test)) for (const path of sources) all.add(path);
    const hash = createHash("sha256");
    for (const path of [...all].sort()) hash.update(textOf(path));
    return hash.digest("hex");
  };
}

/** The steps that a program noted, by path. */
function stepsOfProgram(file) {
  const steps = {};
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [path, step] = line.split(" ");
    if (step) (steps[path] ??= []).push(Number(step));
  }
  return steps;
}

/** Runs test files, and reads what each has noted. */
async function record(root, tests, jobs) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-marks-"));
  const program = await programWith(
    root,
    marked,
    noting.replace("FOLDER", JSON.stringify(folder)),
  );
  try {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const options = [
      "--config=test/mutants/marks.config.ts",
      `--root=${root}`,
      `--maxWorkers=${jobs}`,
    ];
    const env = {
      ...process.env,
      MCPGEN_MARKS: folder,
      MCPGEN_PROGRAM: program.path,
    };
    // A test that fails has come to its steps, too.
    spawnSync(process.execPath, [vitest, "run", ...options, ...tests], {
      cwd: root,
      env,
      stdio: "ignore",
    });
    const files = new Set(readdirSync(folder));
    return [...files]
      .filter((name) => name.endsWith(".json"))
      .map((name) => {
        const noted = JSON.parse(readFileSync(join(folder, name), "utf8"));
        const own = name.replace(".json", ".program");
        const program = files.has(own) ? stepsOfProgram(join(folder, own)) : {};
        return { ...noted, program };
      });
  } finally {
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * By test file: `{ time, steps, program }`, the milliseconds that it takes and
 * the steps that it comes to, in its own process and in programs that it starts.
 */
export async function recorded({ root, tests, importers, starters, jobs }) {
  const cache = join(root, "node_modules/.mcpgen-marks.json");
  let known = {};
  try {
    known = JSON.parse(readFileSync(cache, "utf8"));
  } catch {
    // The first run has none.
  }
  const digest = makeDigest(root, importers, new Set(starters));
  const now = new Map(tests.map((test) => [test, digest(test)]));
  const stale = tests.filter((test) => known[test]?.digest !== now.get(test));
  if (stale.length > 0) {
    console.log(`runs ${stale.length} test files once without a fault`);
    for (const { test, ...noted } of await record(root, stale, jobs))
      known[test] = { ...noted, digest: now.get(test) };
    writeFileSync(cache, JSON.stringify(known));
  }
  return new Map(
    tests.filter((test) => known[test]).map((test) => [test, known[test]]),
  );
}
