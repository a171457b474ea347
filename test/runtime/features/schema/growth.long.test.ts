import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { bundle } from "../../kit/bundle.js";

const program = bundle("tool-growth");

describe("a server that is called 5,000 times", () => {
  it.each([
    ["whose tools are a function that returns the same tool", "nothing"],
    [
      "whose function returns a new tool with an equal schema for each call",
      "tool",
    ],
    [
      "whose function returns a tool with a schema of its own for each call",
      "schema",
    ],
    ["that is created and closed for each call", "server"],
  ])(
    "keeps no memory of a call: %s",
    async (_, what) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--expose-gc",
        "--max-old-space-size=96",
        await program,
        what,
      ]);
      expect(Number(stdout)).toBeLessThan(300);
    },
    300_000,
  );
});
