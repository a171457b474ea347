import type { Code } from "../typescript/code.js";

/** The head of an entry. */
export interface HeadView {
  readonly anchor: Code;
  /** The heading: the wire name, as code. */
  readonly name: Code;
  readonly badges: readonly BadgeView[];
  readonly paragraphs: readonly Code[];
}

/** The content of an entry about a method, a type or a tool; the template makes no decisions. */
export interface EntryView extends HeadView {
  /** A readable title beside the name; null without one. */
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
  /** The object's own type; null if it is anonymous. */
  readonly type: Code | null;
  readonly rows: readonly RowView[];
  /** The text to show instead of rows. */
  readonly empty: Code | null;
}

export interface RowView {
  /** A class of the style with the nesting of the member: `d0`, `d1`, … */
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

/** A part of the page with its own heading. */
export interface SectionView {
  readonly anchor: Code;
  readonly title: Code;
  /** Rendered entries, in order. */
  readonly entries: readonly Code[];
}

/** The content list of a section. */
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

/** A section before its entries are rendered; the content list and the body are made from it. */
export interface Chapter<Entry = EntryView> {
  readonly anchor: string;
  readonly title: string;
  readonly entries: readonly { readonly link: LinkView; readonly view: Entry }[];
}
