import { groupsOf } from "../groups.js";
import { changes } from "../change/kinds.js";
import {
  parties,
  severities,
  type Audience,
  type Comparison,
  type Difference,
} from "../change/model.js";
import { code, printable } from "./text.js";

/**
 * How severe a change is, the most severe first, with its mark and its colour
 * in a terminal.
 */
const impacts = {
  breaking: ["!", "red"],
  safety: ["?", "yellow"],
  compatible: ["+", "green"],
  documentation: [".", "dim"],
  "not on the wire": [".", "dim"],
} as const;

type Impact = keyof typeof impacts;

/** Colours a text for a terminal. */
type Paint = (text: string, colour: (typeof impacts)[Impact][1]) => string;

/**
 * Formats a text of a schema inside a sentence: as code in Markdown, unchanged
 * in a terminal.
 */
type Quote = (text: string) => string;

/** The most severe effect of these changes; of a server, on one side. */
export function impactOf(
  differences: readonly Difference[],
  audience: Audience,
): Impact {
  const other: Audience = audience === "callers" ? "implementers" : "callers";
  const effects = differences
    .flatMap((row) => row.effects)
    .filter(({ who }) => who !== other);
  return (
    severities.find((severity) =>
      effects.some(({ what }) => what === severity),
    ) ?? "not on the wire"
  );
}

/** True if a change breaks anybody. */
export function isBreaking({ effects }: Difference): boolean {
  return effects.some(({ what }) => what === "breaking");
}

/** True if a person should review a change, whatever it breaks. */
export function needsReview({ change, effects }: Difference): boolean {
  return effects.some(({ what }) => what === "safety" || change === "restated");
}

/**
 * A comparison as JSON, ending with a line feed. Equal comparisons always give
 * the same text.
 */
export function renderJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}

/**
 * A comparison for a terminal: "!" marks what breaks (of a server: what breaks
 * this audience), "?" what is less safe, "+" what is compatible, and "." what
 * changes only documentation or no message. Empty without differences.
 */
export function renderText(
  comparison: Comparison,
  audience: Audience = "callers",
  paint: Paint = (text) => text,
): string {
  const plain: Quote = (text) => printable(text, 100);
  const line = (row: Difference): string => {
    const [mark, colour] = impacts[impactOf([row], audience)];
    const effect = effectText(row);
    return `  ${paint(`${mark} ${changeText(row, plain)}${effect === "" ? "" : `\n      ${effect}`}`, colour)}`;
  };
  const { from, to, summary, rows, remark } = shownOf(comparison, Infinity);
  const { lists, subjects } = partsOf(rows);
  const used = new Set(
    subjects.flatMap((own) => own.map((row) => impactOf([row], audience))),
  );
  const marks = Object.entries(impacts).flatMap(([impact, [mark, colour]]) =>
    used.has(impact as Impact) ? [paint(`${mark} ${impact}`, colour)] : [],
  );
  const head = [
    `${plain(from)} -> ${plain(to)}`,
    ...summary,
    marks.length === 0 ? "" : `Marks: ${marks.join(", ")}.`,
  ];
  const listed = lists.map(([title, names]) => [
    `${title} (${names.length})`,
    ...names.map((name) => `  ${plain(name)}`),
  ]);
  const changed = subjects.map((own) => {
    const [{ subject }] = own;
    const title = plain(`${subject.kind} ${subject.name}`.trim());
    return [title, ...own.map(line)];
  });
  return joined(rows, remark, [head, ...listed, ...changed, [remark]]);
}

/**
 * The maximum number of changes of a server: GitHub rejects comments with more
 * than 65,536 characters.
 */
const maxRows = 120;

/**
 * A comparison as Markdown for a pull request or a changelog. Empty without
 * differences.
 */
export function renderMarkdown(comparison: Comparison): string {
  const { from, to, summary, rows, remark } = shownOf(comparison, maxRows);
  const { lists, subjects } = partsOf(rows);
  const listed = lists.map(([title, names]) => [
    `**${capitalized(title)} (${names.length}):** ${names.map(code).join(", ")}`,
  ]);
  const changed = subjects.map((own) => {
    const [{ subject }] = own;
    const name = subject.name === "" ? "" : ` ${code(subject.name)}`;
    return [
      `### ${capitalized(subject.kind)}${name}\n`,
      ...own.map((row) => `- ${changeMarkdown(row, code)}`),
    ];
  });
  return joined(rows, remark, [
    [`## ${code(from)} to ${code(to)}`],
    [summary.join(" ")],
    ...listed,
    ...changed,
    [remark],
  ]);
}

/**
 * The place of a change, its phrase and its values:
 * `mode: narrowed: string became "a"`.
 */
export function changeText(
  { subject, path, change, before, after }: Difference,
  quote: Quote,
): string {
  // Leaves out the names of tables. The phrase for a header names the header
  // itself.
  const place =
    subject.kind === "protocol"
      ? path.replace(/^headers\..*|^errors\./, "")
      : path;
  const values = [before, after].filter((value) => value !== null).map(quote);
  const [, phrase] = changes[change];
  const parts = [
    place === "" ? "" : quote(place),
    phrase,
    values.join(" became "),
  ];
  return parts.filter((part) => part !== "").join(": ");
}

/** A change as the text of an item of a list in Markdown. */
function changeMarkdown(row: Difference, quote: Quote): string {
  const effect = effectText(row);
  return `**${impactOf([row], "callers")}** ${changeText(row, quote)}${effect === "" ? "" : ` (${effect})`}`;
}

/**
 * Whom a change breaks, and whether a person should review it, as a clause;
 * empty for neither.
 */
function effectText(row: Difference): string {
  const broken = row.effects.flatMap(({ who, what }) =>
    what === "breaking" ? [parties[who]] : [],
  );
  // A side that breaks both ways is named once.
  const names = broken
    .join(" and ")
    .replace(/((client|server) that sends) this and an old \2 that/g, "$1 or");
  const breaks = broken.length === 0 ? [] : [`breaks ${names}`];
  return [...breaks, ...(needsReview(row) ? ["to be reviewed"] : [])].join(
    ", ",
  );
}

/**
 * What a report shows: sentences on the whole, the changes one by one, and a
 * sentence on those that are not listed.
 */
function shownOf(
  { basis, from, to, differences }: Comparison,
  maxRows = Infinity,
) {
  if (basis === "snapshot") {
    const more = differences.length - maxRows;
    return {
      from: from.source,
      to: to.source,
      summary: [
        `For callers: ${countsOf(differences, "callers")}. For implementers: ${countsOf(differences, "implementers")}.`,
      ],
      rows: differences.slice(0, maxRows),
      remark: more > 0 ? `\`--json\` lists ${more} more.` : "",
    };
  }
  const rows = differences.filter((difference) => !isHidden(difference));
  const hidden = differences.length - rows.length;
  const kinds =
    hidden === 1
      ? "change of a tag, a base or a derived fact"
      : "changes of tags, bases and derived facts";
  return {
    from: from.revision,
    to: to.revision,
    summary: [
      basis === "whole"
        ? "Compared in full, including inheritance, names and tags."
        : "Compared by their wire projections, because at least one of the two is a JSON Schema.",
      `${summarySentence(differences)}.`,
    ],
    rows,
    remark:
      hidden === 0
        ? ""
        : `Not listed: ${hidden} ${kinds} that change no message (--json lists them).`,
  };
}

/**
 * True for changes that only concern code generators, and for tags that only
 * organize the documentation.
 */
function isHidden({ change, before, after }: Difference): boolean {
  if (change.startsWith("tag-"))
    return !(before ?? after ?? "").startsWith("@deprecated");
  return /^(bases-changed$|(engine-default|well-known-method|meta-key|fact)-)/.test(
    change,
  );
}

/**
 * The number of changes with each impact on one side of a server: "2 breaking,
 * 1 compatible".
 */
function countsOf(
  differences: readonly Difference[],
  audience: Audience,
): string {
  const counts = Object.keys(impacts).flatMap((impact) => {
    const count = differences.filter(
      (row) => impactOf([row], audience) === impact,
    ).length;
    return count === 0 ? [] : [`${count} ${impact}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}

/**
 * The number of changes of types, of methods and of each impact, as a sentence
 * without its full stop.
 */
export function summarySentence(differences: readonly Difference[]): string {
  const count = (pattern: RegExp): number =>
    differences.filter((row) =>
      pattern.test(`${row.change} ${impactOf([row], "callers")}`),
    ).length;
  const counts = (kinds: string): string =>
    ["added", "removed", "renamed"]
      .map((end) => `${count(new RegExp(`^(${kinds})-${end}`))} ${end}`)
      .join(", ");
  return `Types: ${counts("type")}; methods: ${counts("request|notification|method")}; changes: ${count(/ breaking$/)} breaking, ${count(/ compatible$/)} compatible, ${count(/ wire$/)} that change no message`;
}

/**
 * The names of new, former and renamed types and constants, by title; and all
 * other changes by their subjects.
 */
function partsOf(rows: readonly Difference[]) {
  const listed = /^(type|constant)-(added|removed|renamed)$/;
  const lists = groupsOf(
    rows.filter(({ change }) => listed.test(change)),
    ({ change }) => change.replace("-", "s "),
  );
  const subjects = groupsOf(
    rows.filter(({ change }) => !listed.test(change)),
    ({ subject: { kind, name } }) => `${kind} ${name}`,
  );
  const nameIn = ({ change, subject, before }: Difference): string =>
    change.endsWith("-renamed")
      ? `${before ?? ""} -> ${subject.name}`
      : subject.name;
  return {
    lists: [...lists].map(([title, own]) => [title, own.map(nameIn)] as const),
    subjects: [...subjects.values()],
  };
}

function joined(
  rows: readonly Difference[],
  remark: string,
  blocks: readonly (readonly string[])[],
): string {
  if (rows.length === 0 && remark === "") return "";
  const texts = blocks
    .map((lines) => lines.filter((line) => line !== "").join("\n"))
    .filter((text) => text !== "");
  return `${texts.join("\n\n")}\n`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
