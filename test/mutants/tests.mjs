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

/** What failed first in this run. */
let failure;
const reporter = {
  onTestCaseResult(test) {
    process.send({ kind: "alive" });
    if (test.result().state === "failed")
      failure ??= { file: test.module.relativeModuleId, title: test.fullName };
  },
  onTestModuleEnd(module) {
    process.send({ kind: "alive" });
    if (module.state() === "failed")
      failure ??= { file: module.relativeModuleId, title: "does not load" };
  },
};

const vitest = await createVitest("test", {
  root,
  config: join(root, "test/mutants/vitest.config.ts"),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  silent: true,
  reporters: [reporter],
  sequence: { sequencer: Given },
});

process.on("message", async ({ next, tests }) => {
  failure = undefined;
  const before = [...changed.keys()];
  changed.clear();
  if (next) changed.set(join(root, next.path), (text) => mutated(text, next));
  for (const path of [...before, ...changed.keys()])
    vitest.invalidateFile(path);
  order = tests.map((path) => join(root, path));
  const wanted = new Set(order);
  const all = await vitest.globTestSpecifications();
  const { unhandledErrors } = await vitest.runTestSpecifications(
    all.filter(({ moduleId }) => wanted.has(moduleId)),
  );
  for (const error of unhandledErrors)
    failure ??= { title: String(error?.message ?? error) };
  process.send({ kind: "done", failure });
});
process.send({ kind: "ready" });
