import { code, printable } from "./text.js";

/** Changes from one version of something to another, for people. A terminal and a page show the same. */
export interface ChangeReport {
  readonly from: string;
  readonly to: string;
  /** Sentences on the whole. */
  readonly summary: readonly string[];
  /** Names without further facts, such as those of new types. */
  readonly lists: readonly { readonly title: string; readonly names: readonly string[] }[];
  readonly rows: readonly ChangeRow[];
  /** The titles of the cells of a row. */
  readonly columns: readonly string[];
  /** A sentence on what is not listed; empty if everything is. */
  readonly remark: string;
}

/** One change: where, what, and whom it breaks. */
export interface ChangeRow {
  readonly subject: { readonly kind: string; readonly name: string };
  /** The place inside the subject; empty for the subject itself. */
  readonly path: string;
  readonly phrase: string;
  /** The old and the new text; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /** How severe the change is, as a character. */
  readonly mark: "!" | "?" | "+" | ".";
  /** Whom it breaks, as a clause; empty for nobody. */
  readonly effect: string;
  /** The same for a table. */
  readonly cells: readonly string[];
  /** True if a person should review it. */
  readonly review: boolean;
}

/** Formats a text of a schema inside a sentence: as code in Markdown, unchanged in a terminal. */
export type Quote = (text: string) => string;

/** A phrase with the old and new values: `narrowed: string became "a"`. */
export function withValues(
  { phrase, was, is }: Pick<ChangeRow, "phrase" | "was" | "is">,
  quote: Quote,
): string {
  if (was !== null && is !== null) return `${phrase}: ${quote(was)} became ${quote(is)}`;
  const only = was ?? is;
  return only === null ? phrase : `${phrase}: ${quote(only)}`;
}

/** The phrase for a kind of change: its own one, or the words of its name without "changed". */
export function phraseFor(change: string, own: Readonly<Record<string, string>>): string {
  return own[change] ?? change.replace(/-changed$/, "").replaceAll("-", " ");
}

/** The report for a terminal, without colours. */
export function reportText({ from, to, summary, lists, rows, remark }: ChangeReport): string {
  const plain: Quote = (text) => printable(text, 100);
  const line = (row: ChangeRow): string => {
    const place = row.path === "" ? "" : `${plain(row.path)}: `;
    const effects = [row.effect, row.review ? "to be reviewed" : ""].filter((effect) => effect !== "");
    const effect = effects.length === 0 ? "" : `\n      ${effects.join(", ")}`;
    return `  ${row.mark} ${place}${withValues(row, plain)}${effect}`;
  };
  const blocks = [
    [`${plain(from)} -> ${plain(to)}`, ...summary],
    ...lists.map(({ title, names }) => {
      return [`${title} (${names.length})`, ...names.map((name) => `  ${plain(name)}`)];
    }),
    ...bySubject(rows).map(([{ kind, name }, own]) => [plain(`${kind} ${name}`.trim()), ...own.map(line)]),
    ...(remark === "" ? [] : [[remark]]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The report as Markdown for a pull request or a changelog. */
export function reportMarkdown({ from, to, summary, lists, rows, columns, remark }: ChangeReport): string {
  const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = ["where", "change", ...columns];
  const line = (row: ChangeRow): string => {
    const what = `${withValues(row, code)}${row.review ? " (to be reviewed)" : ""}`;
    return tableRow([row.path === "" ? "" : code(row.path), what, ...row.cells]);
  };
  const blocks = [
    `## ${code(from)} to ${code(to)}`,
    summary.map(capitalized).join(" "),
    ...lists.map(({ title, names }) => {
      return `**${capitalized(title)} (${names.length}):** ${names.map(code).join(", ")}`;
    }),
    ...bySubject(rows).map(([{ kind, name }, own]) => {
      const title = `### ${capitalized(kind)}${name === "" ? "" : ` ${code(name)}`}`;
      return [title, "", tableRow(head), tableRow(head.map(() => "---")), ...own.map(line)].join("\n");
    }),
    ...(remark === "" ? [] : [remark]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function bySubject(rows: readonly ChangeRow[]): (readonly [ChangeRow["subject"], readonly ChangeRow[]])[] {
  const groups = new Map<string, [ChangeRow["subject"], ChangeRow[]]>();
  for (const row of rows) {
    const key = `${row.subject.kind} ${row.subject.name}`;
    const group = groups.get(key) ?? [row.subject, []];
    groups.set(key, group);
    group[1].push(row);
  }
  return [...groups.values()];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
