import type { Comparison, Difference, Subject } from "../model.js";

/** A comparison laid out for people: names that came and went as lists, the rest by what it belongs to. */
export interface Layout {
  readonly lists: readonly List[];
  readonly groups: readonly Group[];
  /** How many differences no reader acts on: they are counted, and only the JSON lists them. */
  readonly quiet: number;
}

export interface List {
  readonly title: string;
  readonly names: readonly string[];
}

export interface Group {
  readonly subject: Subject;
  /** "method tools/call", "type Tool". */
  readonly title: string;
  readonly differences: readonly Difference[];
}

const listed: readonly { readonly change: string; readonly title: string }[] = [
  { change: "type-added", title: "types added" },
  { change: "type-removed", title: "types removed" },
  { change: "type-renamed", title: "types renamed" },
  { change: "constant-added", title: "constants added" },
  { change: "constant-removed", title: "constants removed" },
  { change: "constant-renamed", title: "constants renamed" },
];

export function layOut({ differences }: Comparison): Layout {
  const isListed = ({ change }: Difference): boolean => listed.some((entry) => entry.change === change);
  const rest = differences.filter((difference) => !isListed(difference));
  const shown = rest.filter((difference) => !isQuiet(difference));
  const groups = new Map<string, { subject: Subject; title: string; differences: Difference[] }>();
  for (const difference of shown) {
    const title = titleOf(difference.subject);
    const group = groups.get(title) ?? { subject: difference.subject, title, differences: [] };
    group.differences.push(difference);
    groups.set(title, group);
  }
  return {
    lists: listed.flatMap(({ change, title }) => {
      const names = differences.filter((difference) => difference.change === change).map(nameIn);
      return names.length === 0 ? [] : [{ title, names }];
    }),
    groups: [...groups.values()],
    quiet: rest.length - shown.length,
  };
}

function nameIn({ change, subject, was }: Difference): string {
  return change.endsWith("-renamed") && was !== null ? `${was} -> ${subject.name}` : subject.name;
}

/** What the IR knows for generators: inheritance, and facts that follow from the rest of the schema. */
const internal: ReadonlySet<string> = new Set([
  "bases-changed",
  "fill-changed",
  "job-changed",
  "meta-key-changed",
  "trait-changed",
]);

/** Deprecation matters to the users of a type; the other tags sort its documentation. */
function isQuiet({ change, was, is }: Difference): boolean {
  if (internal.has(change)) return true;
  return change.startsWith("tag-") && !(was ?? is ?? "").startsWith("@deprecated");
}

/** Where below its subject a difference is; empty for the subject itself. The tables of the IR that hold a fact are left out. */
export function placeIn({ change, path }: Difference): string {
  // The words that follow name the header.
  if (change === "header-added" || change === "header-removed" || change === "header-renamed") return "";
  return change === "error-code-changed" ? path.replace(/^errors\./, "") : path;
}

function titleOf({ kind, name }: Subject): string {
  switch (kind) {
    case "protocol":
      return "protocol";
    case "message":
      return `method ${name}`;
    case "type":
    case "constant":
      return `${kind} ${name}`;
    default:
      return kind satisfies never;
  }
}

/** How the two were compared, as a sentence. */
export function basisIn({ basis }: Comparison): string {
  return basis === "whole"
    ? "Compared as wholes: inheritance, names and tags included."
    : "Compared by their wire projections: what messages can tell, since one of the two is a JSON Schema.";
}

/** The differences that are not listed, as a sentence. */
export function quietIn(count: number): string {
  const what =
    count === 1 ? "change of a tag, a base or a derived fact" : "changes of tags, bases and derived facts";
  return `Not listed: ${count} ${what} that no message shows (--json lists them).`;
}

/** Text from a schema, fit to print: on one line, no control characters, shortened. */
export function printable(text: string, maxLength: number): string {
  // Controls, line separators and the marks that turn the direction of writing.
  const safe = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
  const points = [...safe];
  return points.length <= maxLength ? safe : `${points.slice(0, maxLength - 1).join("")}…`;
}
