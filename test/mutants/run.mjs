// npm run test:mutants [folder of src] [-- --seed N --count 40 --jobs N --files N]:
// makes small faults in the sources, one at a time, and runs the tests that load
// the source. What no test finds is printed with its line.
import { deepStrictEqual as equal } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { mutantsIn, mutated } from "./kinds.mjs";
import { programWith } from "./program.mjs";
import { filesBelow, importersIn, startersIn, testsOf } from "./reach.mjs";
import { makeChecker } from "./types.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Without a finished test for so long, the tests hang. */
const patience = 180_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    count: { type: "string", default: "40" },
    jobs: { type: "string", default: String(availableParallelism()) },
    files: { type: "string", default: "10000" },
  },
});
const folder = `src/${(positionals[0] ?? "").replace(/^src\/?/, "")}`;
const [seed, count, jobs, files] = [
  values.seed,
  values.count,
  values.jobs,
  values.files,
].map(Number);

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomBy(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Mutants in random order. Each kind is as likely as another, because half of
 * all are strings.
 */
function* drawn(all, random) {
  const byKind = {};
  for (const one of all) (byKind[one.kind] ??= []).push(one);
  const kinds = Object.values(byKind);
  const pick = (list) => Math.floor(random() * list.length);
  while (kinds.length > 0) {
    const at = pick(kinds);
    yield kinds[at].splice(pick(kinds[at]), 1)[0];
    if (kinds[at].length === 0) kinds.splice(at, 1);
  }
}

/** A process that runs tests, and is started again after a hang. */
function makeTester(environment = {}) {
  let running;
  const stop = () => {
    if (running === undefined) return;
    // The group has the process of the tests, which may be in an endless loop.
    process.kill(-running.pid, "SIGKILL");
    running = undefined;
  };
  const start = () => {
    running = spawn(process.execPath, [join(root, "test/mutants/tests.mjs")], {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary, ...environment },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      detached: true,
    });
    return waitFor("ready");
  };
  const waitFor = (kind) =>
    new Promise((resolve) => {
      const { pid } = running;
      const isOver = (reason) => {
        running?.removeAllListeners();
        if (running?.pid === pid) stop();
        resolve({ failure: { title: reason } });
      };
      const later = () => setTimeout(() => isOver("the tests hang"), patience);
      let timer = later();
      running.removeAllListeners();
      running.on("exit", () => {
        clearTimeout(timer);
        isOver("the process of the tests ends");
      });
      running.on("message", (message) => {
        clearTimeout(timer);
        if (message.kind === kind) resolve(message);
        else timer = later();
      });
    });
  return {
    stop,
    /** What fails with a mutant, or without one. */
    run: async (next, tests) => {
      if (running === undefined) await start();
      const done = waitFor("done");
      running?.send({ next, tests });
      return (await done).failure;
    },
  };
}

/** Test files that fail on this machine without a mutant, and those that do not. */
const sound = new Map();

/** The example that shows what is changed. */
function checkItself() {
  const text = [
    'import { a } from "a";',
    "async function f(b: { c?: string[] }): Promise<boolean> {",
    "  if (b.c?.length === 1) return true;",
    "  await a(b.c ?? ['x'], [await a()]);",
    "  return await a();",
    "}",
  ].join("\n");
  equal(
    mutantsIn("one.ts", text).map((one) =>
      mutated(text, one).split("\n")[one.line - 1].trim(),
    ),
    [
      "if (!(b.c?.length === 1)) return true;",
      "if (b.c?.length !== 1) return true;",
      "if (b.c!.length === 1) return true;",
      "if (b.c?.length === 1) ;",
      "if (b.c?.length === 1) return false;",
      ";",
      'await a(b.c ?? [""], [await a()]);',
      "await a(b.c ?? ['x'], [a()]);",
    ],
  );
}

/**
 * What finds a mutant; undefined if it survives. `plain` runs a test without it.
 */
async function finderOf(mutant, tests, tester, plain = tester) {
  for (;;) {
    const usable = tests.filter((path) => sound.get(path) !== false);
    if (usable.length === 0) return undefined;
    const failure = await tester.run(mutant, usable.slice(0, files));
    const { file } = failure ?? {};
    if (file === undefined || sound.get(file)) return failure;
    sound.set(file, (await plain.run(undefined, [file])) === undefined);
    if (sound.get(file)) return failure;
  }
}

const shown = (text) =>
  JSON.stringify(text.replaceAll(/\s+/g, " ").slice(0, 70));

/** A line about a mutant. */
function lineOf({ path, line, kind, original, replacement }) {
  return `${path}:${line} ${kind}: ${shown(original)} → ${shown(replacement)}`;
}

// What is copied is compared with generated/, letter by letter.
const paths = filesBelow(root, "src").filter(
  (path) =>
    path.startsWith(folder.endsWith(".ts") ? folder : join(folder, "/")) &&
    !path.startsWith("src/generator/copied/"),
);
const texts = new Map(
  paths.map((path) => [path, readFileSync(join(root, path), "utf8")]),
);
checkItself();
const all = [...texts].flatMap(([path, text]) => mutantsIn(path, text));
if (all.length === 0) throw new Error(`${folder} has nothing to change`);
console.log(`seed ${seed}: ${count} of ${all.length} mutants of ${folder}`);

execFileSync(process.execPath, [".ci/build.mjs", "--if-stale", "--no-types"], {
  cwd: root,
  stdio: "inherit",
});
const temporary = mkdtempSync(join(tmpdir(), "mcpgen-mutants-"));
const compiles = makeChecker(root);
const importers = importersIn(root);
const starters = startersIn(root);
const waiting = drawn(all, randomBy(seed));
const results = [];

/** The next mutant that only a test can find. */
function draw() {
  for (;;) {
    const { value: mutant } = waiting.next();
    if (mutant === undefined) return undefined;
    const text = texts.get(mutant.path);
    if (compiles(mutant.path, mutated(text, mutant)))
      return { ...mutant, original: text.slice(mutant.start, mutant.end) };
  }
}

/** What finds a mutant of a source that only the started program loads. */
async function finderInProgram(mutant, plain) {
  const program = await programWith(root, mutant);
  const tester = makeTester({ MCPGEN_PROGRAM: program.path });
  try {
    return await finderOf(undefined, starters, tester, plain);
  } finally {
    tester.stop();
    program.remove();
  }
}

let left = count;
async function work() {
  const tester = makeTester();
  while (left > 0) {
    left -= 1;
    const mutant = draw();
    if (mutant === undefined) break;
    const loading = testsOf(mutant.path, importers, root);
    const isOfProgram =
      loading.length === 0 && /^src\/(?:cli|commands)\//.test(mutant.path);
    const tests = isOfProgram ? starters : loading;
    const begin = performance.now();
    const finder = isOfProgram
      ? await finderInProgram(mutant, tester)
      : await finderOf(mutant, tests, tester);
    results.push({ ...mutant, finder });
    const time = Math.round((performance.now() - begin) / 1000);
    console.log(
      finder
        ? `found    ${lineOf(mutant)}\n           ${finder.file ?? ""} ${finder.title} ${time} s`
        : `SURVIVES ${lineOf(mutant)} (${tests.length} files) ${time} s`,
    );
  }
  tester.stop();
}

/** The folder whose numbers are printed: two levels of the sources. */
const roomOf = ({ path }) => path.split("/").slice(1, -1).slice(0, 2).join("/");

/** The numbers by folder, and the survivors. */
function report() {
  const rooms = {};
  for (const one of results) (rooms[roomOf(one)] ??= []).push(one);
  const share = (list) =>
    `${list.filter(({ finder }) => finder).length} of ${list.length}`;
  const survivors = results.filter(({ finder }) => !finder);
  return [
    `Mutants of seed ${seed}: the tests found ${share(results)}.`,
    "",
    ...Object.keys(rooms)
      .sort()
      .map((room) => `- ${room}: ${share(rooms[room])}`),
    "",
    ...survivors.map((one) => `- survives: \`${lineOf(one)}\``),
  ].join("\n");
}

try {
  await Promise.all(Array.from({ length: jobs }, work));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
console.log(`\n${report()}`);
const summary = process.env.GITHUB_STEP_SUMMARY;
if (summary) appendFileSync(summary, `${report()}\n`);
