import type { Code } from "../typescript/code.js";
import type { Chapter, ContentsView, EntryView, FactView, SectionView } from "./entry.js";
import { attribute, markup, nameText, text } from "./html.js";

/** What a page is about, before it is laid out. */
export interface Subjects<Entry = EntryView> {
  /** What kind of thing it is, above the title. */
  readonly kind: string;
  readonly title: string;
  readonly paragraphs: readonly Code[];
  readonly facts: readonly FactView[];
  readonly chapters: readonly Chapter<Entry>[];
}

/** The page as a whole, as `docs/page.html.hbs` places it. */
export interface PageView {
  readonly policy: Code;
  readonly title: Code;
  readonly kind: Code;
  readonly heading: Code;
  readonly style: Code;
  readonly script: Code;
  readonly paragraphs: readonly Code[];
  readonly facts: readonly FactView[];
  /** The groups of the contents, as they were laid out. */
  readonly contents: readonly Code[];
  readonly sections: readonly SectionView[];
  readonly sources: readonly Code[];
}

/** What a page is made with. */
export interface Frame {
  /** The style and the script, and the base64 sha256 of the text of each. */
  readonly style: Inline;
  readonly script: Inline;
  readonly sources: readonly { readonly name: string }[];
}

export interface Inline {
  readonly code: Code;
  readonly sha256: string;
}

/** What the contents say of each chapter. */
export function contentsOf({ chapters }: Subjects<Code>): ContentsView[] {
  return chapters.map(({ anchor, title, entries }) => ({
    anchor: attribute(anchor),
    title: text(title),
    links: entries.map(({ link }) => link),
  }));
}

/** Puts chapters whose entries are laid out into a page. */
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

/** Nothing is loaded, and nothing runs but the style and the script that the page was made with. */
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
