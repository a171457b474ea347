import { readFileSync } from "node:fs";
import { format, type Options } from "prettier";
import { describe, expect, it } from "vitest";
import { withoutLayout } from "../../src/common/tokens.js";

/** Rules of formatters, with the options of which Prettier knows all. */
const rules: readonly Options[] = [
  { printWidth: 40 },
  { printWidth: 160, useTabs: true, objectWrap: "collapse" },
  {
    semi: false,
    singleQuote: true,
    trailingComma: "none",
    arrowParens: "avoid",
  },
  {
    quoteProps: "consistent",
    bracketSpacing: false,
    experimentalOperatorPosition: "start",
  },
  { quoteProps: "preserve", printWidth: 60, tabWidth: 8 },
];

const modules = [
  ...["client", "dispatch", "server", "types", "validators"].map(
    (name) => `generated/2025-11-25/${name}.ts`,
  ),
  ...["uri", "validate"].map((name) => `src/generator/copied/${name}.ts`),
  "test/golden/stubs/out/client.ts",
];

describe.each(modules)("the tokens of %s", (path) => {
  const text = readFileSync(path, "utf8");

  it.each(rules)(
    "are the same after a formatter changed its layout: %j",
    async (rule) => {
      const formatted = await format(text, { ...rule, parser: "typescript" });
      expect(withoutLayout(formatted)).toBe(withoutLayout(text));
    },
  );

  it("are the same with Windows line ends", () => {
    expect(withoutLayout(text.replaceAll("\n", "\r\n"))).toEqual(
      withoutLayout(text),
    );
  });
});
