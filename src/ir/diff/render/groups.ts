import type { Comparison, Difference, Subject } from "../model.js";

/** The layout of a comparison for a terminal or a page: lists of added, removed and renamed names, and the other differences by subject. */
export interface Layout {
  readonly lists: readonly List[];
  readonly groups: readonly Group[];
  /** The number of differences that change no message and only concern generators. Only the JSON lists them. */
  readonly hidden: number;
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

const listTitles: readonly { readonly change: string; readonly title: string }[] = [
  { change: "type-added", title: "types added" },
  { change: "type-removed", title: "types removed" },
  { change: "type-renamed", title: "types renamed" },
  { change: "constant-added", title: "constants added" },
  { change: "constant-removed", title: "constants removed" },
  { change: "constant-renamed", title: "constants renamed" },
];

export function layOut({ differences }: Comparison): Layout {
  const isListed = ({ change }: Difference): boolean => listTitles.some((entry) => entry.change === change);
  const rest = differences.filter((difference) => !isListed(difference));
  const visible = rest.filter((difference) => !isHidden(difference));
  const groups = new Map<string, { subject: Subject; title: string; differences: Difference[] }>();
  for (const difference of visible) {
    const title = titleOf(difference.subject);
    const group = groups.get(title) ?? { subject: difference.subject, title, differences: [] };
    group.differences.push(difference);
    groups.set(title, group);
  }
  return {
    lists: listTitles.flatMap(({ change, title }) => {
      const names = differences.filter((difference) => difference.change === change).map(nameIn);
      return names.length === 0 ? [] : [{ title, names }];
    }),
    groups: [...groups.values()],
    hidden: rest.length - visible.length,
  };
}

function nameIn({ change, subject, was }: Difference): string {
  return change.endsWith("-renamed") && was !== null ? `${was} -> ${subject.name}` : subject.name;
}

/** Changes that only concern code generators: inheritance, and facts that follow from the rest of the schema. */
const internal: ReadonlySet<string> = new Set([
  "bases-changed",
  "engine-default-changed",
  "well-known-method-changed",
  "meta-key-changed",
  "fact-changed",
]);

/** True for internal changes and for tags other than `deprecated`, which only organize the documentation. */
export function isHidden({ change, was, is }: Difference): boolean {
  if (internal.has(change)) return true;
  return change.startsWith("tag-") && !(was ?? is ?? "").startsWith("@deprecated");
}

/**
 * The path of a difference inside its subject; empty for the subject itself. Leaves out the names of tables of the
 * IR.
 */
export function pathIn({ change, path }: Difference): string {
  // The phrase already names the header.
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

/** A sentence on the basis of the comparison. */
export function basisSentence({ basis }: Comparison): string {
  return basis === "whole"
    ? "Compared in full, including inheritance, names and tags."
    : "Compared by their wire projections, because at least one of the two is a JSON Schema.";
}

/** A sentence on the number of differences that are not listed. */
export function hiddenSentence(count: number): string {
  const what =
    count === 1 ? "change of a tag, a base or a derived fact" : "changes of tags, bases and derived facts";
  return `Not listed: ${count} ${what} that change no message (--json lists them).`;
}

/** Text of a schema for printing: on one line, without control characters, shortened. */
export function printable(text: string, maxLength: number): string {
  // Characters that cannot be seen, that look like a space, or that change the direction of text.
  const safe = text.replace(/[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
  const points = [...safe];
  return points.length <= maxLength ? safe : `${points.slice(0, maxLength - 1).join("")}…`;
}
