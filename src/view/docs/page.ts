import type { Code } from "../typescript/code.js";
import type { Chapter, ContentsView, EntryView, FactView, SectionView } from "./entry.js";
import { attribute, markup, nameText, text } from "./html.js";

/** The content of a page before it is rendered. */
export interface Subjects<Entry = EntryView> {
  /** The kind of the subject, shown above the title. */
  readonly kind: string;
  readonly title: string;
  readonly paragraphs: readonly Code[];
  readonly facts: readonly FactView[];
  readonly chapters: readonly Chapter<Entry>[];
}

/** The whole page for `docs/page.html.hbs`. */
export interface PageView {
  readonly policy: Code;
  readonly title: Code;
  readonly kind: Code;
  readonly heading: Code;
  readonly style: Code;
  readonly script: Code;
  readonly paragraphs: readonly Code[];
  readonly facts: readonly FactView[];
  /** The rendered groups of the content list. */
  readonly contents: readonly Code[];
  readonly sections: readonly SectionView[];
  readonly sources: readonly Code[];
}

/** The common parts of all pages. */
export interface Frame {
  /** The style and the script, with the base64 sha256 of each text. */
  readonly style: Inline;
  readonly script: Inline;
  readonly sources: readonly { readonly name: string }[];
}

export interface Inline {
  readonly code: Code;
  readonly sha256: string;
}

/** The content list of the chapters. */
export function contentsOf({ chapters }: Subjects<Code>): ContentsView[] {
  return chapters.map(({ anchor, title, entries }) => ({
    anchor: attribute(anchor),
    title: text(title),
    links: entries.map(({ link }) => link),
  }));
}

/** Builds a page from chapters with rendered entries. */
export function pageView(
  subjects: Subjects<Code>,
  contents: readonly Code[],
  { style, script, sources }: Frame,
): PageView {
  const { kind, title, paragraphs, facts, chapters } = subjects;
  return {
    policy: policyOf(style, script),
    title: text(`${title} · ${kind}`),
    kind: text(kind),
    heading: nameText(title),
    style: style.code,
    script: script.code,
    paragraphs,
    facts,
    contents,
    sections: chapters.map(({ anchor, title: name, entries }) => ({
      anchor: attribute(anchor),
      title: text(name),
      entries: entries.map(({ view }) => view),
    })),
    sources: sources.map(({ name }) => markup`<code>${text(name)}</code>`),
  };
}

/** A content security policy that only allows the page's own style and script. */
function policyOf(style: Inline, script: Inline): Code {
  const rules = [
    "default-src 'none'",
    `style-src 'sha256-${style.sha256}'`,
    `script-src 'sha256-${script.sha256}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ];
  return attribute(rules.join("; "));
}
