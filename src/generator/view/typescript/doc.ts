import { invisible } from "../../../common/invisible.js";
import type { Doc, Tag } from "../../ir/model.js";
import type { Code } from "./code.js";
import { valueSentences, valueTags } from "./described.js";
import { commentLines } from "./layout.js";

/** The maximum length of a comment line, regardless of its indentation. */
const lineWidth = 74;

/**
 * A schema's doc comment: its prose, what it says about values, then its
 * deprecation. Null without any.
 */
export function docOf(
  { text, tags }: Doc,
  before: readonly string[] = [],
): Code | null {
  const sentences = [...before, ...paragraphs(text), valueSentences(tags)];
  return docComment(sentences, [...valueTags(tags), ...deprecationOf(tags)]);
}

/** The line `@deprecated …`; none without that tag. */
export function deprecationOf(tags: readonly Tag[]): string[] {
  const deprecated = tags.find(({ name }) => name === "deprecated");
  if (deprecated === undefined) return [];
  return [`@deprecated ${deprecated.text}`.trim()];
}

/** Untrusted text inside a comment of a template. */
export function prose(text: string): Code {
  return { kind: "doc", layout: clean(text, false) };
}

/** The paragraphs of a prose text. */
export function paragraphs(text: string): string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
}

/**
 * A comment from untrusted prose. The prose cannot end the comment, start a tag
 * or hide text.
 *
 * @param tags lines such as `@deprecated …`; their first word is ours, and
 *   their text is as untrusted as the prose
 */
export function docComment(
  prose: readonly string[],
  tags: readonly string[] = [],
): Code | null {
  const blocks = prose.map((paragraph) => {
    const parts = paragraph.split(beforeItem);
    return parts.flatMap(partLines);
  });
  for (const tag of tags) {
    blocks.push(wrap(clean(tag, true)));
  }
  const paragraphs = blocks.filter((block) => block.length > 0);
  const [first, ...others] = paragraphs.flat();
  if (first === undefined) return null;
  const layout =
    others.length === 0 ? `/** ${first} */` : commentLines(paragraphs);
  return { kind: "doc", layout };
}

/** The start of a line that is an item of a list. */
const listItem = /^([ \t]*)((?:[-*+]|\d{1,3}[.)])[ \t]+)(?=\S)/;
const beforeItem = /\n(?=[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\S)/;

/**
 * The lines of a text without lists, or of one item with its further lines
 * below its text.
 */
function partLines(part: string): string[] {
  const [, margin = "", marker = ""] = listItem.exec(part) ?? [];
  const indent = " ".repeat(Math.min(margin.length, 8));
  const hang = marker === "" ? "" : " ".repeat(marker.trim().length + 1);
  const further = indent + hang;
  const lines = wrap(clean(part, false), lineWidth - further.length);
  return lines.map((line, i) => {
    const start = i === 0 ? indent : further;
    return start + line;
  });
}

function clean(text: string, isTag: boolean): string {
  const visible = text
    .replace(/\s+/g, " ")
    .replace(invisible, "")
    .replace(/ +/g, " ")
    .replaceAll("*/", "*\\/")
    .replaceAll("/*", "/\\*")
    .trim();
  const [head = ""] = isTag ? (/^@\w+/.exec(visible) ?? []) : [];
  const rest = visible
    .slice(head.length)
    .replaceAll("@", "\\@")
    .replaceAll("{\\@", "{ \\@");
  return head + rest;
}

function wrap(text: string, columns = lineWidth): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += 1) {
    let end = text.length;
    if (end - start > columns) {
      end = text.lastIndexOf(" ", start + columns);
    }
    // A word that is longer than a line gets its own line.
    if (end <= start) {
      end = text.indexOf(" ", start);
    }
    if (end === -1) {
      end = text.length;
    }
    lines.push(text.slice(start, end).trimEnd());
    start = end;
  }
  return lines;
}
