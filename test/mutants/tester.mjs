// A process that runs tests with one mutant at a time, and is started again after
// a hang.
import { spawn } from "node:child_process";
import { join } from "node:path";

/** Without a finished test for so long, the tests hang. */
const patience = 180_000;

/** Starts it in the checkout, with these environment variables, when it is needed. */
export function makeTester(root, environment) {
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
      env: { ...process.env, ...environment },
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
