import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { triesPerCharacter } from "../../../src/generator/read/json-schema/pattern/automaton.js";
import { parsePattern } from "../../../src/generator/ir/constraint/pattern.js";
import { patternSafety } from "../../../src/generator/read/json-schema/pattern/safety.js";
import { project, snapshotOf } from "../../stubs/project.js";
import { load } from "../../view/generated.js";
import { arms, countSteps, type Expression, sourceOf } from "./backtracking.js";
import { runs, sampled } from "../../whole.js";

const { raw } = String;

/** The pattern of an e-mail address in zod. */
const email = raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`;
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

/** A letter in so many groups. */
const nested = (open: string, depth: number): string =>
  `${open.repeat(depth)}a${")".repeat(depth)}`;

/** Patterns that are checked for texts of any length. */
const linear = [
  raw`^\d+(?:;\d+)*$`,
  "^[a-z]+(:[a-z]+)*$",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^[A-Za-z_][A-Za-z0-9_]*(?:[.][A-Za-z_][A-Za-z0-9_]*)*$",
  raw`^\w+(?:\.\w+)*$`,
  raw`^[^,]+(?:,[^,]+)*$`,
  raw`^\s*\d+(?:,\d+)*$`,
  `^${label}(?:[.]${label})*$`,
  raw`^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+[a-z]{2,}$`,
  email,
  raw`^\p{L}+(?: \p{L}+)*$`,
  raw`^(?:"[^"\\]*(?:\\.[^"\\]*)*")$`,
  raw`^(?:\d{3}-)?\d{4}$`,
  raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$`,
  "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
  "^(?=.*[A-Z])(?=.*[0-9]).{8,}$",
  "^.{1,5000}$",
  // Those of the schemas in the tests.
  "^🐲*$",
  "^abc$",
  "^a+$",
  "^a*$",
  raw`^\w$`,
  raw`^\cc$`,
  raw`^\p{Letter}+$`,
  raw`\p{Letter}cole`,
  "[a-z]cole",
  "^[A-Z]{2}-[0-9]{1,3}$",
  "^[a-c]+$",
  "x|y",
  "^x",
  "y$",
  "a",
  nested("(", 29),
  "^a?a?a?a?a?a?a?a?a?a?a?",
  "^(?:a|a){9}$",
  // As many characters, ways and positions as are allowed.
  "a{1000}",
  "a{999}b",
  "^a{0,1000}$",
  "^(?:x+y)*a{498}$",
];

/**
 * Patterns that are checked up to a length, because the time grows with its
 * square or faster.
 */
const limited: readonly (readonly [source: string, maxLength: number])[] = [
  [raw`^\d+\d+$`, 3162],
  [raw`^\d*\d*\d*$`, 215],
  [raw`^.*,.*,.*,.*$`, 56],
  [raw`\d+x`, 3162],
  ["a+", 3162],
  ["(?=.*a)b", 3162],
  ["[a-z]+:", 3162],
  // A long part of a fixed length is tried again at each character.
  ["^a+a{1000000}$", 3162],
  ["a{1001}", 3162],
  ["a{1000}b", 3162],
  ["a{500}b{501}", 3162],
  ["^a*a*a*a{0,299}$", 32],
  ["a{1000000}b", 3162],
  ["^a+(?:a{1000}){1000}$", 215],
  ["a".repeat(2000), 3162],
  ["^(?:a|b)*(?:b|c)*$", 3162],
  ["^a*a*a*a*$", 56],
  // A search that starts at each character takes longer.
  ["(?:^a|^b)a*a*", 2236],
  ["(?:^a|b)a*a*", 170],
];

/** Patterns that are not checked, by the reason. */
const refused = {
  "repeats, without a limit, a part that can match in several ways": [
    "^(x+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(a*)*$",
    "^((ab)*)*$",
    "^(?:|a)+$",
    "^(a|b?)+$",
    "^([a-zA-Z]+)*$",
    "^(?:.*,)*$",
    raw`^(\w+\s?)*$`,
    raw`^([a-z]+)+\.com$`,
    raw`^(?:\uD83D\uDC09*)*$`,
    raw`^(?:\p{L}|é)+$`,
    raw`^(?:[^a]|[\u0100-\u0200])+$`,
    "^(?:(?=a*b)a)+$",
    "^(?:a{2,3}){2,}$",
    // What is repeated may match nothing.
    raw`^(?:\b)+$`,
    "^(?:(?=a)(?=b))*$",
    raw`^(?:(?:\b){2})+$`,
    "^(?:a{0})*$",
    "^(?:x+y)*a{499}$",
    "^(?:(?:a|b){0})+$",
    "^(?:)+$",
  ],
  "may take too long": [
    "^(?:a?){40}b$",
    `^${"(?:|)".repeat(20)}a$`,
    "^a?a?a?a?a?a?a?a?a?a?a?a?",
    "^(?:a|a){10}$",
    "(?:a|a){10}$",
    "^a*a*a*a{0,309}$",
    "^a*a*a*a*a*$",
  ],
  "contains a backreference": [raw`^(a)(\1)*$`, raw`^(?<n>a+)\k<n>$`],
  "contains a modifier such as (?i:)": ["^(?i:a|A)+$", "(?i-m:a)"],
  "nests groups too deeply": ["(", "(?=", "b|(?:"].map((open) =>
    nested(open, 30),
  ),
  "is longer than 2,000 characters": ["a".repeat(2001)],
  "is not a valid regular expression with the flag u": ["(", raw`\a`],
};

describe("a pattern of a schema", () => {
  it.each(linear)(
    "is checked for every length if the next character decides the next step: %s",
    (source) => {
      expect(patternSafety(source)).toEqual({ kind: "safe", maxLength: null });
    },
  );

  it.each(limited)(
    "is checked up to a length if several parts can match a text: %s",
    (source, maxLength) => {
      expect(patternSafety(source)).toEqual({ kind: "safe", maxLength });
    },
  );

  it.each(
    Object.entries(refused).flatMap(([reason, sources]) =>
      sources.map((source) => [reason, source]),
    ),
  )("is not checked if it %s: %s", (reason, source) => {
    expect(patternSafety(source)).toEqual({ kind: "unsafe", reason });
  });

  it("rejects a path where a list of names is expected", async () => {
    const inputSchema = {
      properties: { a: { type: "string", pattern: "^[a-z]+(:[a-z]+)*$" } },
    };
    const snapshot = snapshotOf({ tools: [{ name: "x", inputSchema }] });
    const { files, reports } = await project(snapshot, { emit: ["client"] });
    const guards = (await load(files, "validators.ts")) as Record<
      string,
      (value: unknown) => boolean
    >;
    expect(reports).toEqual([]);
    expect(
      ["ab:c", "../../etc/passwd"].map((a) => guards["isXInput"]?.({ a })),
    ).toEqual([true, false]);
  });
});

describe("a guard with a pattern", () => {
  const repeated = ["^(?:a|b)*$", "^((((a)))|b)+$", "^(?:a{2}|b){1,}$"];
  it.each(sampled(repeated, (pattern) => pattern === repeated[0]))(
    "refuses a text that is too long for the engine, and does not throw: %s",
    async (pattern) => {
      const inputSchema = {
        properties: {
          a: { type: "string", pattern },
          b: { patternProperties: { [pattern]: { type: "null" } } },
        },
      };
      const snapshot = snapshotOf({ tools: [{ name: "x", inputSchema }] });
      const { files } = await project(snapshot, { emit: ["client"] });
      const guards = (await load(files, "validators.ts")) as Record<
        string,
        (value: unknown) => boolean
      >;
      const long = "a".repeat(20_000_000);
      expect(() => new RegExp(pattern, "u").test(long)).toThrow(RangeError);
      expect(
        ["aab", "aabc", long].map((a) => guards["isXInput"]?.({ a })),
      ).toEqual([true, false, false]);
      expect(
        [{ aab: 5 }, { [long]: 5 }].map((b) => guards["isXInput"]?.({ b })),
      ).toEqual([false, true]);
    },
  );
});

describe("the number of characters that a search tries at each one of a text", () => {
  const either = (letter: string, times: number): string =>
    `(?:${Array.from({ length: times }, () => letter).join("|")})`;

  it.each<[source: string, tries: number | null]>([
    ["^a", 2],
    ["^(?:|a)b", 3],
    ["^(?:|a)(?:b|)c", 4],
    ["^a?b", 3],
    // A look is a search of its own, or is repeated with what is around it.
    ["^(?=a)b", 4],
    ["^(?:a(?!b))+$", 4],
    ["^(?:a(?!bc|$))+$", 8],
    ["^(?:a(?!b*))+$", null],
    [`^${either("a", 8)}${either("b", 124)}$`, 1000],
    [`^${either("a", 7)}${either("b", 142)}$`, null],
  ])("is known for %s: %j", (source, tries) => {
    const pattern = parsePattern(source);
    expect(pattern && triesPerCharacter(pattern, true)).toBe(tries);
  });
});

describe("a random pattern", () => {
  it("takes at most the computed number of steps for each character of a text", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "-"),
      maxLength: 4,
    });
    const pumped = fc.tuple(text, text, fc.integer({ min: 0, max: 25 }), text);
    const counts = { linear: 0, other: 0 };
    fc.assert(
      fc.property(
        arms,
        fc.boolean(),
        fc.array(pumped, { minLength: 6, maxLength: 6 }),
        (of, isAnchored, texts) => {
          const pattern: Expression = isAnchored
            ? { kind: "sequence", items: [{ kind: "start" }, of] }
            : of;
          const parsed = parsePattern(sourceOf(pattern));
          const tries =
            parsed === null ? null : triesPerCharacter(parsed, isAnchored);
          counts[tries === null ? "other" : "linear"] += 1;
          if (tries === null) return;
          for (const [before, unit, times, after] of texts) {
            const subject = before + unit.repeat(times) + after;
            const limit = tries * (subject.length + 1);
            expect(
              countSteps(pattern, subject, limit),
              `${sourceOf(pattern)} ${subject}`,
            ).toBeLessThanOrEqual(limit);
          }
        },
      ),
      { numRuns: runs(1500) },
    );
    expect(Math.min(counts.linear, counts.other)).toBeGreaterThan(runs(100));
  });
});
