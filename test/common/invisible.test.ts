import { describe, expect, it } from "vitest";
import { visible } from "../../src/cli/terminal.js";
import { text } from "../../src/commands/docs/view/markdown.js";
import { prose } from "../../src/generator/ir/report/text.js";
import { literalText } from "../../src/generator/view/typescript/code.js";
import { docComment } from "../../src/generator/view/typescript/doc.js";

/** Everywhere that text of a server is shown, printed or emitted. */
const places: readonly (readonly [string, (words: string) => string])[] = [
  ["the terminal", visible],
  ["a page", text],
  ["a report in Markdown", (words) => prose(words, Infinity)],
  ["a literal", literalText],
  ["a comment", (words) => JSON.stringify(docComment([words])?.layout)],
];

const hidden = [
  ["a variation selector", "a\ufe00b"],
  ["a variation selector of the supplement", "a\u{e0100}b"],
  ["the selector of an emoji after a letter", "a\ufe0fb"],
  ["the selector of an emoji twice", "\u2764\ufe0f\ufe0f"],
  ["a Hangul filler", "a\u3164b"],
  ["a Hangul filler of half a width", "a\uffa0b"],
  ["the grapheme joiner", "a\u034fb"],
  ["the empty Braille pattern", "a\u2800b"],
  ["a joiner between letters", "a\u200db"],
  ["a tag", "a\u{e0041}b"],
] as const;

const seen = [
  ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  ["a heart on fire", "\u2764\ufe0f\u200d\u{1f525}"],
  ["a key of a telephone", "1\ufe0f\u20e3"],
  ["a person with a tone of skin", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"],
] as const;

describe.each(places)("in %s", (_, show) => {
  it.each(hidden)("%s does not stay invisible", (_, words) => {
    expect(show(words)).not.toContain(words);
    expect(show(words)).not.toMatch(
      /\u200d|\ufe00|\u{e0100}|\u3164|\uffa0|\u034f|\u2800|\u{e0041}|\ufe0f(?=b|\ufe0f)/u,
    );
  });

  it.each(seen)("%s stays an emoji", (_, words) => {
    expect(show(words)).toContain(words);
  });
});
