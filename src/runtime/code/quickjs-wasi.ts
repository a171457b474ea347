import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { QuickJS } from "quickjs-wasi";
import {
  EngineError,
  functionOf,
  type Guest,
  programName,
  type RunGuest,
} from "./engine.js";

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
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(faultOf(guest, error));
    try {
      start(vm, guest, resolve, fail);
    } catch (error) {
      fail(error);
    }
  });
};

/** Starts a program, and watches it until it ends. */
function start(
  vm: QuickJS,
  guest: Guest,
  resolve: (text: string) => void,
  fail: (error: unknown) => void,
): void {
  /** How many calls of the host have no answer yet. */
  let open = 0;
  const call = vm.newFunction("call", (argument) => {
    const answer = vm.newPromise();
    open++;
    void guest.call(argument?.toString() ?? "").then((text) => {
      open--;
      attempt(() => answer.resolve(vm.newString(text)));
      attempt(proceed);
    });
    return answer.handle;
  });
  const print = vm.newFunction("print", (argument) => {
    guest.print(argument?.toString() ?? "");
    return vm.undefined;
  });
  const prelude = vm.evalCode(guest.prelude, "prelude.js");
  const run = vm.callFunction(prelude, vm.undefined, call, print);
  const program = vm.evalCode(functionOf(guest.program), programName);
  const result = vm.callFunction(run, vm.undefined, program);

  /** Goes on in the guest until it waits for the host, or has ended. */
  function proceed(): void {
    vm.executePendingJobs();
    const isPending = result.promiseState === 0;
    if (isPending && open === 0) throw new EngineError("stalled");
    if (isPending) return;
    void vm.resolvePromise(result).then((settled) => {
      if ("value" in settled) resolve(settled.value.toString());
      else fail(new Error("The prelude rejected."));
    }, fail);
  }

  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      fail(error);
    }
  }
  proceed();
}

/** Tells the errors of the engine apart. */
function faultOf(guest: Guest, error: unknown): Error {
  if (error instanceof EngineError) return error;
  if (guest.isOver()) return new EngineError("stopped");
  const { name, message } = error as Error;
  if (message === "out of memory") return new EngineError("memory");
  // A trap of WebAssembly: its stack is full.
  if (name === "RuntimeError" || /call stack/.test(message))
    return new EngineError("stack");
  if (name === "SyntaxError") return new EngineError("syntax", message);
  if (name === "InternalError") return new EngineError("internal", message);
  return error instanceof Error ? error : new Error(String(error));
}
