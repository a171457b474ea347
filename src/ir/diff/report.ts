import type { ChangeReport, ChangeRow } from "../report/changes.js";
import { changes, type Comparison, type Difference } from "./model.js";

/** The differences between two revisions, for people. */
export function revisionReport({ basis, from, to, differences }: Comparison): ChangeReport {
  const rows = differences.filter((difference) => !isHidden(difference)).map(rowOf);
  const hidden = differences.length - rows.length;
  const kinds =
    hidden === 1 ? "change of a tag, a base or a derived fact" : "changes of tags, bases and derived facts";
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
    remark: hidden === 0 ? "" : `Not listed: ${hidden} ${kinds} that change no message (--json lists them).`,
  };
}

/** A difference for people. */
export function rowOf({ subject, change, path, was, is, impact, breaks }: Difference): ChangeRow {
  const effects = (["client", "server"] as const).flatMap((side) => {
    const own = breaks.filter((entry) => entry.side === side).map(({ when }) => when);
    return own.length === 0 ? [] : [`an old ${side} that ${own.join(" or ")} this`];
  });
  return {
    subject: subject.kind === "message" ? { kind: "method", name: subject.name } : subject,
    // Leaves out the names of tables. The phrase for a header names the header itself.
    path: subject.kind === "protocol" ? path.replace(/^headers\..*|^errors\./, "") : path,
    change,
    phrase: changes[change].phrase,
    was,
    is,
    impact: impact === "neither" ? "not on the wire" : impact,
    effect: effects.length === 0 ? "" : `breaks ${effects.join(" and ")}`,
  };
}

/** True for changes that only concern code generators, and for tags that only organize the documentation. */
function isHidden({ change, was, is }: Difference): boolean {
  if (change.startsWith("tag-")) return !(was ?? is ?? "").startsWith("@deprecated");
  return /^(bases-changed$|(engine-default|well-known-method|meta-key|fact)-)/.test(change);
}

type Counts = Readonly<Record<"added" | "removed" | "renamed", number>>;
type Summary = Readonly<Record<"types" | "messages", Counts> & Record<Difference["impact"], number>>;

/** The number of differences of each kind. */
export function summarize(differences: readonly Difference[]): Summary {
  const count = (pattern: RegExp): number =>
    differences.filter(({ change, impact }) => pattern.test(`${change} ${impact}`)).length;
  return {
    types: { added: count(/^type-added/), removed: count(/^type-removed/), renamed: count(/^type-renamed/) },
    messages: {
      added: count(/^(request|notification)-added/),
      removed: count(/^(request|notification)-removed/),
      renamed: count(/^method-renamed/),
    },
    breaking: count(/ breaking$/),
    compatible: count(/ compatible$/),
    neither: count(/ neither$/),
  };
}

/** The numbers as a sentence without its full stop. */
export function summarySentence(differences: readonly Difference[]): string {
  const { types, messages, breaking, compatible, neither } = summarize(differences);
  const counts = ({ added, removed, renamed }: Counts): string =>
    `${added} added, ${removed} removed, ${renamed} renamed`;
  const impacts = `${breaking} breaking, ${compatible} compatible, ${neither} that change no message`;
  return `Types: ${counts(types)}; methods: ${counts(messages)}; changes: ${impacts}`;
}
