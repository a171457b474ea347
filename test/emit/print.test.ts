import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { printFile } from "../../src/generator/emit/print.js";
import { jsonCode } from "../../src/generator/view/typescript/code.js";
import {
  commentLines,
  group,
  hardline,
  indent,
  join,
  type Layout,
  line,
  softline,
} from "../../src/generator/view/typescript/layout.js";
import { runs } from "../whole.js";

/** A list that counts how often its parts are read. */
function counted(
  list: readonly Layout[],
  counter: { reads: number },
): readonly Layout[] {
  return new Proxy(list, {
    get(target, key, receiver): unknown {
      if (typeof key === "string" && /^\d+$/.test(key)) counter.reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
}

/** The number of reads per part. */
function readsPerPart(
  count: number,
  layout: (parts: readonly Layout[]) => Layout,
  part: Layout,
): number {
  const counter = { reads: 0 };
  const parts = Array.from({ length: count }, () => part);
  printFile(["const list = ", layout(counted(parts, counter)), ";\n"]);
  return counter.reads / count;
}

const shapes: readonly (readonly [
  name: string,
  layout: (parts: readonly Layout[]) => Layout,
  part: Layout,
])[] = [
  [
    "lines of a comment",
    (parts) => ["/**", parts, hardline, " */"],
    [hardline, " * some words"],
  ],
  [
    "members of a group that breaks",
    (parts) => group(["[", indent([softline, parts]), softline, "]"]),
    ["a,", line],
  ],
  [
    "groups after each other",
    (parts) => ["[", indent([hardline, parts]), "]"],
    group(["f(", softline, "x", softline, ")"]),
  ],
  [
    "values below their names",
    (parts) => ["x", parts],
    { kind: "below", of: group(["[", softline, "1", softline, "]"]) },
  ],
  ["words of one line", (parts) => parts, "word "],
];

describe("the printer", () => {
  it.each(shapes)(
    "reads each part as often in a list of 20,000 parts as in one of 2,000: %s",
    (_, layout, part) => {
      const [few, many] = [
        readsPerPart(2_000, layout, part),
        readsPerPart(20_000, layout, part),
      ];
      expect(many).toBeLessThan(few * 1.1 + 0.1);
      expect(many).toBeLessThan(100);
    },
  );

  it("leaves no space at the end of a line, and keeps the order of the text", () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `w${i}`);
    const text = printFile([
      group(["[", indent([line, join([",", line], words)]), line, "]"]),
      "  \n",
    ]);
    expect(text).not.toMatch(/[ \t]$/m);
    expect(text).toBe(
      `[\n${words.map((word) => `  ${word}`).join(",\n")}\n]\n`,
    );
  });

  it("gives each line of a comment the indentation of the first, and continues after the last", () => {
    const comment = commentLines([["a"], ["b"]]);
    const text = printFile([
      "  {",
      indent([hardline, comment, hardline, "x: 1"]),
      hardline,
      "}\n",
      comment,
      " y\n",
    ]);
    expect(text).toBe(
      "  {\n    /**\n     * a\n     *\n     * b\n     */\n    x: 1\n  }\n/**\n * a\n *\n * b\n */ y\n",
    );
  });

  it("breaks a group around a comment of several lines, and measures the rest of a line after it", () => {
    const list = (words: number): Layout =>
      group([
        "[",
        indent([
          softline,
          join([",", line], Array<string>(words).fill("word")),
        ]),
        softline,
        "]",
      ]);
    expect(
      printFile([
        group(["[", indent([line, commentLines([["a"]]), " x"]), line, "]"]),
      ]),
    ).toBe("[\n  /**\n   * a\n   */ x\n]");
    expect(
      printFile([commentLines([["a"]]), " ", list(12)]).split("\n"),
    ).toHaveLength(3);
    expect(
      printFile([commentLines([["a"]]), " ", list(13)]).split("\n"),
    ).toHaveLength(15 + 2);
  });

  it("fills lines with the numbers of a list, as Prettier does", async () => {
    const numbers = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const list = fc.array(numbers, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(list, async (values) => {
        const text = printFile([
          "const list = ",
          jsonCode(values).layout,
          ";\n",
        ]);
        expect(
          await format(text, { parser: "typescript", printWidth: 80 }),
        ).toBe(text);
      }),
      { numRuns: runs(300) },
    );
  });
});
