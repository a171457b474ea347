import type { Doc } from "../../ir/model.js";
import type { Code } from "../typescript/code.js";
import { paragraphs } from "../typescript/doc.js";
import type { Anchors } from "./anchors.js";
import { markup, joined, text } from "./html.js";

/** Typographic spaces. */
const SPACE = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
/** The zero-width joiner inside an emoji; elsewhere it is invisible and therefore shown. */
const JOINER = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;

/** Untrusted prose as paragraphs. Text between backticks is code, with a link if it names an entry. */
export function proseOf(prose: string, anchors: Anchors): Code[] {
  const plain = prose.replace(/\r\n?/g, "\n").replace(SPACE, " ").replace(JOINER, "");
  return paragraphs(plain).map((paragraph) => inline(paragraph.trim(), anchors));
}

/** The paragraphs of a doc comment, with the deprecation last. */
export function docProse(doc: Doc, anchors: Anchors): Code[] {
  const reason = doc.tags.find(({ name }) => name === "deprecated")?.text ?? "";
  const note = reason === "" ? [] : [markup`<strong>Deprecated.</strong> ${inline(reason, anchors)}`];
  return [...proseOf(doc.text, anchors), ...note];
}

/** One line of prose. */
export function inline(line: string, anchors: Anchors): Code {
  const parts = line.split(/(`[^`\n]+`)/).filter((part) => part !== "");
  return joined(
    parts.map((part) =>
      /^`[^`\n]+`$/.test(part) ? markup`<code>${anchors.linkAny(part.slice(1, -1))}</code>` : text(part),
    ),
  );
}
