// npm run test:mutants [folder of src] [-- --seed N --count 40 --jobs N]: makes
// small faults in the sources, one at a time, and runs the tests that come to the
// changed step. What no test finds is printed with its line.
import { deepStrictEqual as equal } from "node:assert";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { mutantsIn, mutated } from "./kinds.mjs";
import { marked } from "./marks.mjs";
import { codeWith, isOfCode, programWith } from "./program.mjs";
import { filesBelow, importersIn, startersIn, testsOf } from "./reach.mjs";
import { makeReach } from "./reached.mjs";
import { recorded } from "./record.mjs";
import { makeTester } from "./tester.mjs";
import { makeChecker } from "./types.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    count: { type: "string", default: "40" },
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});
const folder = `src/${(positionals[0] ?? "").replace(/^src\/?/, "")}`;
const [seed, count, jobs] = [values.seed, values.count, values.jobs].map(
  Number,
);

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
      "if (b.c.length === 1) return true;",
      "if (b.c?.length === 1) ;",
      "if (b.c?.length === 1) return false;",
      ";",
      'await a(b.c ?? [""], [await a()]);',
      "await a(b.c ?? ['x'], [a()]);",
    ],
  );
  const mark = (step) => `globalThis.mcpgenMark?.("one.ts",${step})`;
  equal(
    marked("one.ts", "function f(a) { if (a) return a.b ?? 1; }"),
    `function f(a) { ${mark(0)};if (a) {${mark(1)};return a.b ?? (${mark(2)},1);} }`,
  );
}

/**
 * What finds a mutant; undefined if it survives. `plain` runs a test without it.
 */
async function finderOf(mutant, tests, tester, plain = tester) {
  for (;;) {
    const usable = tests.filter((path) => sound.get(path) !== false);
    if (usable.length === 0) return undefined;
    const failure = await tester.run(mutant, usable);
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
const texts = new Map(
  filesBelow(root, "src")
    .filter((path) => !path.startsWith("src/generator/copied/"))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);
checkItself();
const all = [...texts]
  .filter(([path]) =>
    path.startsWith(folder.endsWith(".ts") ? folder : join(folder, "/")),
  )
  .flatMap(([path, text]) => mutantsIn(path, text));
if (all.length === 0) throw new Error(`${folder} has nothing to change`);
console.log(`seed ${seed}: ${count} of ${all.length} mutants of ${folder}`);

execFileSync(process.execPath, [".ci/build.mjs", "--if-stale", "--no-types"], {
  cwd: root,
  stdio: "inherit",
});
const compiles = makeChecker(root);

/** The mutants that only a test can find. */
function chosen() {
  const mutants = [];
  for (const mutant of drawn(all, randomBy(seed))) {
    if (mutants.length === count) break;
    const text = texts.get(mutant.path);
    const original = text.slice(mutant.start, mutant.end);
    if (compiles(mutant.path, mutated(text, mutant)))
      mutants.push({ ...mutant, original });
  }
  return mutants;
}

const waiting = chosen();
const importers = importersIn(root);
const starters = startersIn(root);
/** The tests that start the program, for a source of the command line. */
const startersOf = (path) =>
  /^src\/(?:cli|commands)\//.test(path) ? starters : [];
/** The tests of built code mode. Which steps they come to is not noted. */
const checksOfCode = ["run", "serve", "hostile"].map(
  (name) => `test/code/${name}.check.ts`,
);
const related = new Set(
  waiting.flatMap(({ path }) => [
    ...testsOf(path, importers, root),
    ...startersOf(path),
  ]),
);
const tests = [...related].sort();
const notes = await recorded({ root, tests, importers, starters, jobs });
const others = ["test", "generated"]
  .flatMap((below) => filesBelow(root, below))
  .map((path) => [path, readFileSync(join(root, path), "utf8")]);
const reached = makeReach(texts, others, notes);
const temporary = mkdtempSync(join(tmpdir(), "mcpgen-mutants-"));
const environment = { TMPDIR: temporary };
const results = [];

/** What finds a mutant in a program that tests start, or in built code mode. */
async function finderInBuilt(mutant, tests, plain) {
  const change = (path, text) =>
    path === mutant.path ? mutated(text, mutant) : text;
  const built = isOfCode(mutant.path)
    ? await codeWith(root, change)
    : await programWith(root, change);
  const tester = makeTester(root, {
    ...environment,
    ...(built.path
      ? { MCPGEN_PROGRAM: built.path }
      : { MCPGEN_CODE: built.folder }),
  });
  try {
    return await finderOf(undefined, tests, tester, plain);
  } finally {
    tester.stop();
    built.remove();
  }
}

async function work() {
  const tester = makeTester(root, environment);
  for (;;) {
    const mutant = waiting.shift();
    if (mutant === undefined) break;
    const begin = performance.now();
    const loading = reached(mutant, testsOf(mutant.path, importers, root));
    const started = isOfCode(mutant.path)
      ? checksOfCode
      : reached(mutant, startersOf(mutant.path), "program");
    let finder = await finderOf(mutant, loading, tester);
    if (!finder && started.length > 0)
      finder = await finderInBuilt(mutant, started, tester);
    results.push({ ...mutant, finder });
    const time = Math.round((performance.now() - begin) / 1000);
    console.log(
      finder
        ? `found    ${lineOf(mutant)}\n           ${finder.file ?? ""} ${finder.title} ${time} s`
        : `SURVIVES ${lineOf(mutant)} (${loading.length + started.length} files) ${time} s`,
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
