import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { JSValueHandle } from "quickjs-wasi";
import { type Engine, runIn, type RunGuest } from "./engine.js";

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
  const evaluate = (text: string, name: string) => vm.evalCode(text, name);
  const apply = (run: JSValueHandle, ...args: readonly JSValueHandle[]) =>
    vm.callFunction(run, vm.undefined, ...args);
  const define: Engine<JSValueHandle>["define"] = (name, call) =>
    vm.newFunction(
      name,
      (text) => call(text?.toString() ?? "") ?? vm.undefined,
    );
  const promise = () => {
    const made = vm.newPromise();
    const answer = (text: string): void => made.resolve(vm.newString(text));
    return [made.handle, answer] as const;
  };
  const proceed = (): void => void vm.executePendingJobs();
  const engine = {
    evaluate,
    apply,
    define,
    promise,
    proceed,
  };
  return await runIn(engine, guest);
};
