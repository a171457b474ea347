import type { Code } from "../typescript/code.js";

/** How every entry of a page begins. */
export interface HeadView {
  readonly anchor: Code;
  /** The heading: a name as the wire knows it, in code. */
  readonly name: Code;
  readonly badges: readonly BadgeView[];
  readonly paragraphs: readonly Code[];
}

/** What a page says of one thing: a method, a type, a tool. The template lays it out and decides nothing. */
export interface EntryView extends HeadView {
  /** What people call it, beside the name; null when that is all. */
  readonly title: Code | null;
  readonly facts: readonly FactView[];
  readonly tables: readonly TableView[];
  readonly examples: readonly ExampleView[];
}

export interface BadgeView {
  readonly label: Code;
  /** A class of the style: `calm`, `good`, `warn` or `bad`. */
  readonly tone: Code;
}

export interface FactView {
  readonly term: Code;
  readonly value: Code;
}

/** The members of an object. */
export interface TableView {
  readonly title: Code;
  /** The object's own type; null when it has no name. */
  readonly type: Code | null;
  readonly rows: readonly RowView[];
  /** What to say in the place of rows. */
  readonly empty: Code | null;
}

export interface RowView {
  /** A class of the style that tells how deep the member lies: `d0`, `d1`, … */
  readonly depth: Code;
  readonly name: Code;
  readonly type: Code;
  readonly badges: readonly BadgeView[];
  readonly paragraphs: readonly Code[];
}

export interface ExampleView {
  readonly title: Code;
  readonly code: Code;
}

/** A part of the page with a heading of its own. */
export interface SectionView {
  readonly anchor: Code;
  readonly title: Code;
  /** Entries as they were laid out, in order. */
  readonly entries: readonly Code[];
}

/** What the contents list of a section. */
export interface ContentsView {
  readonly anchor: Code;
  readonly title: Code;
  readonly links: readonly LinkView[];
}

export interface LinkView {
  readonly anchor: Code;
  readonly name: Code;
  readonly isDeprecated: boolean;
}

/** A section before its entries are laid out: what both the contents and the body are made of. */
export interface Chapter<Entry = EntryView> {
  readonly anchor: string;
  readonly title: string;
  readonly entries: readonly { readonly link: LinkView; readonly view: Entry }[];
}
