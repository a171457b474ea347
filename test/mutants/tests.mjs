// A process that runs test files with one mutant at a time. The module of the
// mutant is changed while Vitest loads it: no file of the checkout changes, and
// what the tests load besides is transformed once for all mutants.
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { mutated } from "./kinds.mjs";

const root = process.cwd();
let order = [];
/** The plugin of vitest.config.ts asks here for the text of a module. */
const changed = new Map();
globalThis.mcpgenChanged = changed;

/** Runs the files in the order that was asked for. */
class Given {
  shard(files) {
    return files;
  }
  sort(files) {
    const place = ({ moduleId }) => order.indexOf(moduleId);
    return [...files].sort((one, other) => place(one) - place(other));
  }
}

const alive = () => process.send({ kind: "alive" });

const vitest = await createVitest("test", {
  root,
  config: join(root, "test/mutants/vitest.config.ts"),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  silent: true,
  reporters: [{ onTestCaseResult: alive, onTestModuleEnd: alive }],
  sequence: { sequencer: Given },
});

/** What failed first, as a sentence; undefined if nothing did. */
function failureIn({ testModules, unhandledErrors }) {
  for (const module of testModules) {
    const [test] = module.children.allTests("failed");
    if (test) return { file: module.relativeModuleId, title: test.fullName };
    if (module.state() === "failed")
      return { file: module.relativeModuleId, title: "does not load" };
  }
  return unhandledErrors.length > 0
    ? { title: String(unhandledErrors[0]?.message ?? unhandledErrors[0]) }
    : undefined;
}

process.on("message", async ({ next, tests }) => {
  const before = [...changed.keys()];
  changed.clear();
  if (next) changed.set(join(root, next.path), (text) => mutated(text, next));
  for (const path of [...before, ...changed.keys()])
    vitest.invalidateFile(path);
  order = tests.map((path) => join(root, path));
  const wanted = new Set(order);
  const all = await vitest.globTestSpecifications();
  const result = await vitest.runTestSpecifications(
    all.filter(({ moduleId }) => wanted.has(moduleId)),
  );
  process.send({ kind: "done", failure: failureIn(result) });
});
process.send({ kind: "ready" });
