import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { patternSafety } from "../../src/generator/read/json-schema/pattern/safety.js";
import { directory, runHere } from "../cli/support.js";

interface Row {
  readonly names: readonly string[];
  readonly pattern: string;
}

// `formats.mjs` reads these from the libraries.
const { rows } = JSON.parse(
  readFileSync(new URL("formats.json", import.meta.url), "utf8"),
) as { readonly rows: readonly Row[] };

/** Why a pattern is not checked, by the formats that have it. */
const unsafe: Readonly<Record<string, string>> = {
  "valibot emoji":
    "repeats, without a limit, a part that can match in several ways",
  "arktype string.date.iso": "contains a backreference",
  "arktype string.ip": "may take too long",
  "arktype string.ip.v6": "may take too long",
};

describe("a pattern that zod, Valibot, ArkType or TypeBox writes for a format", () => {
  const cases = rows.map(
    ({ names, pattern }) => [names.join(", "), names, pattern] as const,
  );

  it.each(cases)(
    "is checked in texts of any length, or has a known reason: %s",
    (_, names, pattern) => {
      // An address of version 4 has a pattern of its own, which is checked.
      const isSafe = names.includes("arktype string.ip.v4");
      const reasons = names.flatMap((name) =>
        isSafe ? [] : (unsafe[name] ?? []),
      );
      const safety = patternSafety(pattern);
      const [reason] = reasons;
      if (reason === undefined)
        expect(safety).toEqual({ kind: "safe", maxLength: null });
      else expect(safety).toEqual({ kind: "unsafe", reason });
    },
  );

  it("stops no server: a tool with z.iso.duration() has one", async () => {
    const { pattern } =
      rows.find(({ names }) => names.includes("zod duration")) ?? {};
    expect(pattern).toBeDefined();
    const tool = {
      name: "wait",
      description: "Waits.",
      inputSchema: {
        type: "object",
        properties: { time: { type: "string", pattern } },
      },
    };
    const snapshot = {
      server: { name: "clock", version: "1" },
      revision: "2025-11-25",
      tools: [tool],
    };
    const at = directory({ "clock.mcp.json": JSON.stringify(snapshot) });
    const words = ["stubs", "clock.mcp.json", "--out", "gen"];
    const { code, err } = await runHere([...words, "--emit", "server"], at);
    expect([code, err]).toEqual([0, expect.not.stringContaining("MG316")]);
  });
});

describe("a look of a pattern", () => {
  it.each([
    ["after fixed characters of an anchored pattern", "^P(?!.*W)\\d+$", true],
    ["in an alternative", "^P(?:\\d+W|(?!.*W)(?=\\d|T\\d)\\d*)$", true],
    ["behind a repetition", "^\\d+(?!.*W)\\d+$", false],
    ["in a repetition", "^(?:\\d(?!.*W))+$", false],
    ["of a pattern that starts anywhere", "P(?!.*W)\\d", false],
    ["that is itself slow", "^P(?!(?:a+)+$)\\d", false],
  ])(
    "is a search of its own only if it is tried once: %s",
    (_, pattern, isSafe) => {
      const safety = patternSafety(pattern);
      const isUnlimited = safety.kind === "safe" && safety.maxLength === null;
      expect(isUnlimited).toBe(isSafe);
    },
  );
});
