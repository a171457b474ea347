import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { JSValueHandle } from "quickjs-wasi";
import { runIn, type RunGuest } from "./engine.js";

/** The default engine: QuickJS-NG in WebAssembly, from the package quickjs-wasi. */
export const runGuest: RunGuest = async (guest) => {
  const { QuickJS } = await import("quickjs-wasi");
  const file = import.meta.resolve("quickjs-wasi/quickjs.wasm");
  const vm = await QuickJS.create({
    wasm: await readFile(fileURLToPath(file)),
    memoryLimit: guest.memory,
    timezoneOffset: 0,
    interruptHandler: () => guest.isOver(),
  });
  const engine = {
    vm,
    valueOf: (value: JSValueHandle) => value,
    textOf: (value: JSValueHandle) => value.toString(),
    proceed: () => vm.executePendingJobs(),
  };
  return await runIn(engine, guest);
};
