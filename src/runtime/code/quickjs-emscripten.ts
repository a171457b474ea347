import type {
  QuickJSContext,
  QuickJSHandle,
  VmCallResult,
} from "quickjs-emscripten";
import {
  EngineError,
  functionOf,
  type Guest,
  programName,
  type RunGuest,
} from "./engine.js";

/**
 * The second engine: QuickJS from the package quickjs-emscripten. It ends a
 * program that needs too much memory, but not always with that name.
 */
export const runGuest: RunGuest = async (guest) => {
  const { getQuickJS } = await import("quickjs-emscripten");
  const runtime = (await getQuickJS()).newRuntime();
  runtime.setMemoryLimit(guest.memory);
  runtime.setInterruptHandler(() => guest.isOver());
  const context = runtime.newContext();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(faultOf(guest, error));
    try {
      start(context, guest, resolve, fail);
    } catch (error) {
      fail(error);
    }
  });
};

/** Starts a program, and watches it until it ends. */
function start(
  vm: QuickJSContext,
  guest: Guest,
  resolve: (text: string) => void,
  fail: (error: unknown) => void,
): void {
  /** How many calls of the host have no answer yet. */
  let open = 0;
  const call = vm.newFunction("call", (argument) => {
    const answer = vm.newPromise();
    open++;
    void guest.call(vm.getString(argument)).then((text) => {
      open--;
      attempt(() => {
        answer.resolve(vm.newString(text));
        proceed();
      });
    });
    return answer.handle;
  });
  const print = vm.newFunction("print", (argument) => {
    guest.print(vm.getString(argument));
    return vm.undefined;
  });
  const evaluate = (text: string, name: string): QuickJSHandle =>
    valueOf(vm, vm.evalCode(text, name));
  const prelude = evaluate(guest.prelude, "prelude.js");
  const run = valueOf(vm, vm.callFunction(prelude, vm.undefined, call, print));
  const program = evaluate(functionOf(guest.program), programName);
  const result = valueOf(vm, vm.callFunction(run, vm.undefined, program));

  /** Goes on in the guest until it waits for the host, or has ended. */
  function proceed(): void {
    const { error } = vm.runtime.executePendingJobs();
    if (error) throw thrownBy(vm, error);
    const state = vm.getPromiseState(result);
    if (state.type === "fulfilled") resolve(vm.getString(state.value));
    else if (state.type === "rejected") throw thrownBy(vm, state.error);
    else if (open === 0) throw new EngineError("stalled");
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

/** The value of a result, or its error. */
function valueOf(
  vm: QuickJSContext,
  result: VmCallResult<QuickJSHandle>,
): QuickJSHandle {
  if (result.error) throw thrownBy(vm, result.error);
  return result.value;
}

/** An error of the guest. Its members are read only if they are plain texts. */
function thrownBy(vm: QuickJSContext, handle: QuickJSHandle): Error {
  const textOf = (name: string): string => {
    const member = vm.getProp(handle, name);
    return vm.typeof(member) === "string" ? vm.getString(member) : "";
  };
  const error = new Error(textOf("message"));
  error.name = textOf("name");
  return error;
}

/** Tells the errors of the engine apart. */
function faultOf(guest: Guest, error: unknown): Error {
  if (error instanceof EngineError) return error;
  if (guest.isOver()) return new EngineError("stopped");
  const { name, message } = error as Error;
  if (/out of memory/.test(message)) return new EngineError("memory");
  if (name === "RuntimeError" || /call stack|stack overflow/.test(message))
    return new EngineError("stack");
  if (name === "SyntaxError") return new EngineError("syntax", message);
  if (name === "InternalError") return new EngineError("internal", message);
  return error instanceof Error ? error : new Error(String(error));
}
