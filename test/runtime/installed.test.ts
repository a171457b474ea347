import { afterEach, describe, expect, it, vi } from "vitest";
import { checkInstalled } from "../../src/runtime/core/installed.js";

const own = "@mcpgen/no-such-package";
/** A function that imports the package, as text. */
const load = `() => import("${own}")`;
const check = (name: string): void =>
  checkInstalled(name, load, "Install the package.");

describe("a package that is optional", () => {
  const { prepareStackTrace } = Error;
  afterEach(() => {
    Object.defineProperty(Error, "prepareStackTrace", {
      value: prepareStackTrace,
      writable: true,
      configurable: true,
    });
    vi.unstubAllGlobals();
  });

  it("is missed before its first use, and the stacks of errors stay as they are", () => {
    expect(() => check(own)).toThrow(new Error("Install the package."));
    expect(Error.prepareStackTrace).toBe(prepareStackTrace);
  });

  it("is not looked for if a bundler has rewritten its import", () => {
    expect(() => check("another")).not.toThrow();
  });

  it("is not looked for on a platform that is not Node", () => {
    vi.stubGlobal("Deno", {});
    expect(() => check(own)).not.toThrow();
  });

  it("is not looked for in a process whose objects are frozen", () => {
    Object.defineProperty(Error, "prepareStackTrace", {
      value: prepareStackTrace,
      writable: false,
      configurable: true,
    });
    expect(() => check(own)).not.toThrow();
  });
});
