import { code, printable } from "./text.js";

/** Changes from one version of something to another, for people. A terminal, Markdown and a page show the same rows. */
export interface ChangeReport {
  readonly from: string;
  readonly to: string;
  /** Sentences on the whole. */
  readonly summary: readonly string[];
  readonly rows: readonly ChangeRow[];
  /** A sentence on what is not listed; empty if everything is. */
  readonly remark: string;
}

/** One change: where, what, and whom it breaks. */
export interface ChangeRow {
  readonly subject: { readonly kind: string; readonly name: string };
  /** The place inside the subject; empty for the subject itself. */
  readonly path: string;
  /** The kind of change, and a phrase for it. */
  readonly change: string;
  readonly phrase: string;
  /** The old and the new text; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  readonly impact: keyof typeof impacts;
  /** Whom it breaks, and whether a person should review it, as a clause; empty for neither. */
  readonly effect: string;
}

/** How severe a change is, the most severe first, with its mark in a terminal. */
export const impacts = {
  breaking: "!",
  safety: "?",
  compatible: "+",
  documentation: ".",
  "not on the wire": ".",
};

/** Formats a text of a schema inside a sentence: as code in Markdown, unchanged in a terminal. */
export type Quote = (text: string) => string;

/** The place of a change, its phrase and its values: `mode: narrowed: string became "a"`. */
export function changeText(
  { path, phrase, was, is }: Pick<ChangeRow, "path" | "phrase" | "was" | "is">,
  quote: Quote,
): string {
  const place = path === "" ? [] : [quote(path)];
  const values = [was, is].filter((value) => value !== null).map(quote);
  return [...place, phrase, ...(values.length === 0 ? [] : [values.join(" became ")])].join(": ");
}

/** A change as the text of an item of a list in Markdown. */
export function changeMarkdown(row: ChangeRow, quote: Quote): string {
  return `**${row.impact}** ${changeText(row, quote)}${row.effect === "" ? "" : ` (${row.effect})`}`;
}

/** The report for a terminal, without colours. Empty without changes. */
export function reportText({ from, to, summary, rows, remark }: ChangeReport): string {
  if (rows.length === 0 && remark === "") return "";
  const plain: Quote = (text) => printable(text, 100);
  const line = (row: ChangeRow): string =>
    `  ${impacts[row.impact]} ${changeText(row, plain)}${row.effect === "" ? "" : `\n      ${row.effect}`}`;
  const { lists, subjects } = partsOf(rows);
  return joined([
    [`${plain(from)} -> ${plain(to)}`, ...summary, legend(subjects.flatMap(([, own]) => own))],
    ...lists.map(([title, names]) => [
      `${title} (${names.length})`,
      ...names.map((name) => `  ${plain(name)}`),
    ]),
    ...subjects.map(([{ kind, name }, own]) => [plain(`${kind} ${name}`.trim()), ...own.map(line)]),
    [remark],
  ]);
}

/** What the marks of these rows mean, in a line; empty without rows. */
function legend(rows: readonly ChangeRow[]): string {
  const used = Object.entries(impacts).filter(([impact]) => rows.some((row) => row.impact === impact));
  return used.length === 0 ? "" : `Marks: ${used.map(([impact, mark]) => `${mark} ${impact}`).join(", ")}.`;
}

/** The report as Markdown for a pull request or a changelog. Empty without changes. */
export function reportMarkdown({ from, to, summary, rows, remark }: ChangeReport): string {
  if (rows.length === 0 && remark === "") return "";
  const { lists, subjects } = partsOf(rows);
  return joined([
    [`## ${code(from)} to ${code(to)}`],
    [summary.join(" ")],
    ...lists.map(([title, names]) => [
      `**${capitalized(title)} (${names.length}):** ${names.map(code).join(", ")}`,
    ]),
    ...subjects.map(([{ kind, name }, own]) => [
      `### ${capitalized(kind)}${name === "" ? "" : ` ${code(name)}`}\n`,
      ...own.map((row) => `- ${changeMarkdown(row, code)}`),
    ]),
    [remark],
  ]);
}

/** The names of new, former and renamed types and constants, by title; and all other rows by their subjects. */
function partsOf(rows: readonly ChangeRow[]) {
  const listed = /^(type|constant)-(added|removed|renamed)$/;
  const lists = groupsOf(
    rows.filter(({ change }) => listed.test(change)),
    ({ change }) => change.replace("-", "s "),
  );
  const subjects = groupsOf(
    rows.filter(({ change }) => !listed.test(change)),
    ({ subject: { kind, name } }) => `${kind} ${name}`,
  );
  const nameIn = ({ change, subject, was }: ChangeRow): string =>
    change.endsWith("-renamed") ? `${was ?? ""} -> ${subject.name}` : subject.name;
  return {
    lists: [...lists].map(([title, own]) => [title, own.map(nameIn)] as const),
    subjects: [...subjects.values()].map((own) => [own[0].subject, own] as const),
  };
}

/** Items with the same key, in the order of their first items. */
export function groupsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function joined(blocks: readonly (readonly string[])[]): string {
  const texts = blocks
    .map((lines) => lines.filter((line) => line !== "").join("\n"))
    .filter((text) => text !== "");
  return `${texts.join("\n\n")}\n`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
