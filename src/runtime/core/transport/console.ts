import { Console } from "node:console";

/** The methods of the console that do not write to stdout. */
const toStderr = new Set(["assert", "error", "trace", "warn"]);

/**
 * Lets all methods of the console write to stderr. `onFirst` is called with the
 * name of the first method that would have written to stdout. Returns a
 * function that restores the console.
 */
export function redirectConsole(onFirst: (method: string) => void): () => void {
  const redirected = new Console(
    process.stderr,
    process.stderr,
  ) as unknown as Record<string, unknown>;
  const methods = console as unknown as Record<string, unknown>;
  const before = { ...methods };
  let isFirst = true;
  for (const name of Object.keys(before)) {
    const method = redirected[name];
    if (typeof method !== "function") continue;
    const print = (...args: unknown[]): void => {
      if (isFirst && !toStderr.has(name)) {
        isFirst = false;
        onFirst(name);
      }
      method.apply(redirected, args);
    };
    methods[name] = print;
  }
  return () => void Object.assign(methods, before);
}
