import { describe, expect, it } from "vitest";
import { loadCodes } from "../../src/generator/inputs/package.js";
import { runHere } from "./support.js";

describe("mcpgen explain", () => {
  it("prints what a code means and what to do, for several codes and in any case", async () => {
    const { code, out, err } = await runHere(["explain", "MG307", "mg301"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^MG307 a pattern that is not safe to run\n {4}what to do: simplify it, .+\nMG301 .+\n {4}what to do: .+\n$/,
    );
  });

  it("has an answer for every code of its page", async () => {
    const codes = (await loadCodes()).map((row) => row.code);
    expect(codes.length).toBeGreaterThan(150);
    const { code, out } = await runHere(["explain", ...codes]);
    expect(code).toBe(0);
    expect(out.match(/^MG\d{3}(?= \S)/gm)).toEqual(codes);
  });

  it.each(["MG999", "307", "__proto__", "MG30", "\u001b[2J"])(
    "exits with 2 for %j, which is not a code, and says what a code looks like",
    async (word) => {
      const { code, out, err } = await runHere(["explain", "MG307", word]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(
        /^MG703 there is no code ".*"\n {4}hint: a code is MG and three digits, such as MG307; .*explain\n$/,
      );
      expect(err).not.toContain("\u001b");
    },
  );

  it("completes the codes that begin with what is typed", async () => {
    const { out } = await runHere(["--complete", "explain", "MG95"]);
    expect(out).toBe("MG951\t\nMG952\t\nMG953\t\nMG954\t\nMG955\t\n");
  });
});
