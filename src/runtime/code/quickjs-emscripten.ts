import type { QuickJSHandle, VmCallResult } from "quickjs-emscripten";
import { runIn, type RunGuest } from "./engine.js";

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
  const engine = {
    vm,
    valueOf,
    textOf: (value: QuickJSHandle) => vm.getString(value),
    proceed: () => {
      const { error } = runtime.executePendingJobs();
      if (error) throw thrownBy(error);
    },
  };
  return await runIn(engine, guest);
};
