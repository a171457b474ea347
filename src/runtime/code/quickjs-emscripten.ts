import type { QuickJSHandle, VmCallResult } from "quickjs-emscripten";
import { type Engine, runIn, type RunGuest } from "./engine.js";

/**
 * The second engine: QuickJS from the package quickjs-emscripten. It ends a
 * program that needs too much memory, but not always with that name.
 */
export const runGuest: RunGuest = async (guest) => {
  const { getQuickJS } = await import("quickjs-emscripten");
  const runtime = (await getQuickJS()).newRuntime();
  runtime.setMemoryLimit(guest.memory);
  runtime.setInterruptHandler(() => guest.isOver());
  const vm = runtime.newContext();

  /** An error of the guest. Its members are read only if they are plain texts. */
  const thrownBy = (handle: QuickJSHandle): Error => {
    const textOf = (name: string): string => {
      const member = vm.getProp(handle, name);
      return vm.typeof(member) === "string" ? vm.getString(member) : "";
    };
    const error = new Error(textOf("message"));
    error.name = textOf("name");
    return error;
  };
  /** The value of a result, or its error. */
  const valueOf = (result: VmCallResult<QuickJSHandle>): QuickJSHandle => {
    if (result.error) throw thrownBy(result.error);
    return result.value;
  };
  const evaluate = (text: string, name: string) =>
    valueOf(vm.evalCode(text, name));
  const apply = (run: QuickJSHandle, ...args: readonly QuickJSHandle[]) =>
    valueOf(vm.callFunction(run, vm.undefined, ...args));
  const define: Engine<QuickJSHandle>["define"] = (name, call) =>
    vm.newFunction(name, (text) => {
      const value = call(vm.getString(text));
      return value ?? vm.undefined;
    });
  const promise = () => {
    const made = vm.newPromise();
    const answer = (text: string): void => made.resolve(vm.newString(text));
    return [made.handle, answer] as const;
  };
  const proceed = (): void => {
    const { error } = runtime.executePendingJobs();
    if (error) throw thrownBy(error);
  };
  const engine = {
    evaluate,
    apply,
    define,
    promise,
    proceed,
  };
  return await runIn(engine, guest);
};
