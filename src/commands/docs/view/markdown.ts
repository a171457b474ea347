import {
  codeSpan,
  longestRun,
  printable,
  prose,
} from "../../../generator/ir/report/text.js";
import { escapeUnit, unclear } from "../../../common/invisible.js";

declare const isSafe: unique symbol;

/**
 * Markdown that is safe to publish. Untrusted text becomes `text`, `code` or
 * `example` and composes only through `markup` and `joined`, whose fixed parts
 * are our own. Links lead only to anchors on the same page.
 */
export type Markdown = string & { readonly [isSafe]: true };

/** Composes Markdown: the fixed parts are ours. */
export function markup(
  fixed: TemplateStringsArray,
  ...parts: readonly (Markdown | number)[]
): Markdown {
  return String.raw({ raw: fixed }, ...parts) as Markdown;
}

/** What stands between parts. */
type Separator = "" | " " | ", " | ". " | " or " | "\n" | "\n\n" | "\\\n";

export function joined(
  parts: readonly Markdown[],
  separator: Separator,
): Markdown {
  return parts.join(separator) as Markdown;
}

/** Typographic spaces. */
const spaces = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/** Untrusted text on one line. */
export function text(value: string): Markdown {
  const plain = value.replace(/[\n\t]/g, " ").replace(spaces, " ");
  return prose(plain, Infinity) as Markdown;
}

/** Untrusted text as code. */
export function code(value: string): Markdown {
  if (value.trim() === "") return markup`_without a name_`;
  return codeSpan(printable(value, Infinity)) as Markdown;
}

/** Unclear characters, and what starts a comment or code of a template. */
const unsafe = new RegExp(
  `(?!\\n)(?:${unclear.source})|<(?=!--)|(?<=\\{)[{%#]`,
  "gu",
);

/**
 * A JSON value as a block of code, below a title. What is unsafe is written as
 * in a string of JSON.
 */
export function example(title: string, value: unknown): Markdown[] {
  const content = JSON.stringify(value, null, 2).replace(unsafe, escapeUnit);
  // No line of the content ends the block.
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return [
    markup`**${text(title)}**`,
    `${fence}json\n${content}\n${fence}` as Markdown,
  ];
}

export type Fact = readonly [term: string, value: Markdown];

/** A list; no block without items. */
export function listOf(items: readonly Markdown[]): Markdown[] {
  const rows = items.map((item) => markup`- ${item}`);
  return rows.length === 0 ? [] : [joined(rows, "\n")];
}

export function factList(facts: readonly Fact[]): Markdown[] {
  return listOf(facts.map(([term, value]) => markup`${text(term)}: ${value}`));
}

/** A fact with parts separated by commas; no fact without parts. */
export function listFact(term: string, parts: readonly Markdown[]): Fact[] {
  return parts.length === 0 ? [] : [[term, joined(parts, ", ")]];
}

export function namesFact(term: string, names: readonly string[]): Fact[] {
  return listFact(term, names.map(code));
}
