import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import { extensionTags } from "../../ir/facts.js";
import type { Doc, Tag } from "../../ir/model.js";
import { locationIn, type ParseContext } from "./parse-context.js";

/**
 * Tags that mcpgen reads. Their text is one line; only the text of `deprecated`
 * is prose.
 */
const machineTags: ReadonlySet<string> = new Set([
  "format",
  "TJS-type",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
  "nullable",
  "deprecated",
  "internal",
  "category",
  ...Object.values(extensionTags),
]);

/** Tags for readers only: removed with their text. */
const proseTags: ReadonlySet<string> = new Set([
  "alpha",
  "author",
  "beta",
  "default",
  "defaultValue",
  "example",
  "experimental",
  "includeCode",
  "packageDocumentation",
  "privateRemarks",
  "public",
  "remarks",
  "see",
  "since",
  "todo",
  "version",
]);

const none: Doc = { text: "", tags: [] };

/**
 * The nearest doc comment before a node; line comments may be between the two.
 */
export function readDoc(
  parseContext: Pick<ParseContext, "file" | "source" | "ts">,
  node: ts.Node,
  scope: Scope,
): Doc {
  const text = parseContext.source.text;
  const above = parseContext.ts.getLeadingCommentRanges(text, node.pos) ?? [];
  // The compiler adds a comment after `{` or `;` to the previous node; on the
  // line of this node it belongs to this one.
  const start = node.getStart(parseContext.source);
  const beside = (
    parseContext.ts.getTrailingCommentRanges(text, node.pos) ?? []
  ).filter(({ end }) => !/[\n\r]/.test(text.slice(end, start)));
  const range = [...beside, ...above]
    .filter(({ pos, end }) => text.startsWith("/**", pos) && end - pos > 4)
    .at(-1);
  if (range === undefined) return none;
  const { doc, unknown } = parseDoc(text.slice(range.pos, range.end));
  for (const name of unknown) {
    scope.note(
      "MG113",
      locationIn(parseContext, range.pos),
      `the tag @${name} is unknown and ignored; known tags are ${[...machineTags].map((tag) => `@${tag}`).join(", ")}`,
    );
  }
  return doc;
}

/** Splits a comment, including its marks, into prose and tags. */
export function parseDoc(comment: string): { doc: Doc; unknown: string[] } {
  const lines = withoutMarks(comment);
  const prose: string[] = [];
  const tags: Tag[] = [];
  const unknown = new Set<string>();
  let block: { name: string; lines: string[] } | null = null;
  let isFenced = false;
  const close = (): void => {
    if (block === null) return;
    if (block.name === "description")
      for (const text of block.lines) prose.push(text);
    else if (machineTags.has(block.name))
      tags.push(toTag(block.name, block.lines));
    else if (!proseTags.has(block.name)) unknown.add(block.name);
    block = null;
  };
  for (const line of lines) {
    if (isFence(line)) isFenced = !isFenced;
    const start: RegExpExecArray | null = isFenced
      ? null
      : /^\s*@([A-Za-z][\w-]*)(?:\s([^]*))?$/.exec(line);
    if (start === null) {
      if (block === null) prose.push(line);
      else (block as { lines: string[] }).lines.push(line);
      continue;
    }
    close();
    block = { name: start[1] ?? "", lines: [start[2] ?? ""] };
  }
  close();
  return { doc: { text: joinLines(prose), tags }, unknown: [...unknown] };
}

/** Where code begins or ends. */
const isFence = (line: string): boolean => line.trimStart().startsWith("```");

function toTag(name: string, lines: readonly string[]): Tag {
  const text =
    name === "deprecated" ? joinLines(lines) : (lines[0] ?? "").trim();
  return { name, text };
}

function withoutMarks(comment: string): string[] {
  return comment
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split(/\r\n|[\n\r]/)
    .map((line, index) =>
      (index === 0 ? line : line.replace(/^\s*\*? ?/, "")).trimEnd(),
    );
}

/**
 * Joins the lines of each paragraph and list item; fenced code keeps its lines.
 */
function joinLines(lines: readonly string[]): string {
  const out: string[] = [];
  let isFenced = false;
  for (const line of lines) {
    const trimmed = line.trim();
    const last = out.at(-1) ?? "";
    if (isFenced || isFence(line)) {
      out.push(line);
      if (isFence(line)) isFenced = !isFenced;
    } else if (trimmed === "") {
      if (last !== "") out.push("");
    } else if (
      last !== "" &&
      !isFence(last) &&
      !/^([-*+]|\d+[.)])\s/.test(trimmed)
    ) {
      out[out.length - 1] = `${last} ${trimmed}`;
    } else {
      out.push(trimmed);
    }
  }
  return inlineTags(out.join("\n")).trim();
}

/**
 * `{@link X | words}` becomes its words, and `{@link X}` becomes `X`; other
 * inline tags are removed.
 */
function inlineTags(text: string): string {
  return text
    .replace(
      /\{@(?:link|linkcode|linkplain|code)\s([^{}]*)\}/g,
      (_, inside: string) => {
        const bar = inside.indexOf("|");
        if (bar >= 0) return inside.slice(bar + 1).trim();
        const [target = "", ...words] = inside.trim().split(/\s+/);
        return words.length > 0 ? words.join(" ") : target;
      },
    )
    .replace(/ ?\{@[A-Za-z][^{}]*\}/g, "");
}
