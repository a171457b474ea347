import { Console } from "node:console";
import { Writable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { redirectConsole } from "../../../src/runtime/core/transport/console.js";

type Methods = Record<string, (...args: unknown[]) => void>;

const methods = console as unknown as Methods;
/** Where the method of a console that nothing redirects prints. */
function streamOf(name: string): "stdout" | "stderr" | "none" {
  let stream: ReturnType<typeof streamOf> = "none";
  const to = (kind: typeof stream): Writable =>
    new Writable({
      write: (_chunk, _encoding, done) => {
        stream = kind;
        done();
      },
    });
  const plain = new Console(to("stdout"), to("stderr"));
  (plain as unknown as Methods)[name]?.(false, ["text"]);
  return stream;
}

/** Each method that prints its arguments; `assert` does after `false`. */
const printing = Object.keys(console)
  .filter((name) => !/^(?:Console|countReset|time)/.test(name))
  .map((name) => [name, streamOf(name)] as const)
  .filter(([, stream]) => stream !== "none");

afterEach(() => vi.restoreAllMocks());

describe("the console of a server on stdio", () => {
  it.each(printing)(
    "writes what console.%s prints to stderr, and names it if it belongs to %s",
    (name, stream) => {
      const before = { ...methods };
      const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const found: string[] = [];
      const restore = redirectConsole((method) => found.push(method));
      methods[name]?.(false, ["text"]);
      methods[name]?.(false, ["text"]);
      restore();
      expect(write).toHaveBeenCalledTimes(2);
      expect(found).toEqual(stream === "stdout" ? [name] : []);
      expect({ ...methods }).toEqual(before);
    },
  );

  it("names only the first method that belongs to stdout", () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const found: string[] = [];
    const restore = redirectConsole((method) => found.push(method));
    for (const name of ["error", "info", "error", "log"])
      methods[name]?.("text");
    restore();
    expect(found).toEqual(["info"]);
  });
});
