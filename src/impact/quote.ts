import { printable } from "../ir/diff/render/groups.js";

const maxLength = 120;

/** Text of a schema as code inside a sentence. The text itself has no backticks, so that a renderer can find it again. */
export function quote(text: string): string {
  return `\`${plain(text, maxLength)}\``;
}

/** Text on one line, without control characters and backticks. */
export function plain(text: string, max: number): string {
  return printable(text, max).replaceAll("`", "'");
}

/** A sentence in parts: fixed words, and quoted code. */
export function partsOf(sentence: string): { readonly text: string; readonly isCode: boolean }[] {
  return sentence.split("`").map((text, i) => ({ text, isCode: i % 2 === 1 }));
}
