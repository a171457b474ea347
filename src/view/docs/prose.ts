import type { Doc } from "../../ir/model.js";
import type { Code } from "../code.js";
import { paragraphs } from "../doc.js";
import type { Anchors } from "./anchors.js";
import { html, joined, text } from "./html.js";

/** Untrusted prose as paragraphs; what stands between backticks is code, and a link where it names an entry. */
export function proseOf(prose: string, anchors: Anchors): Code[] {
  return paragraphs(prose.replace(/\r\n?/g, "\n")).map((paragraph) => inline(paragraph.trim(), anchors));
}

/** The paragraphs of a doc comment, its deprecation last. */
export function docProse(doc: Doc, anchors: Anchors): Code[] {
  const reason = doc.tags.find(({ name }) => name === "deprecated")?.text ?? "";
  const note = reason === "" ? [] : [html`<strong>Deprecated.</strong> ${inline(reason, anchors)}`];
  return [...proseOf(doc.text, anchors), ...note];
}

/** One line of prose. */
export function inline(line: string, anchors: Anchors): Code {
  const parts = line.split(/(`[^`\n]+`)/).filter((part) => part !== "");
  return joined(
    parts.map((part) =>
      /^`[^`\n]+`$/.test(part) ? html`<code>${anchors.linkAny(part.slice(1, -1))}</code>` : text(part),
    ),
  );
}
