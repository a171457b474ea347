import { schemaPhrases } from "../compare/phrases.js";
import {
  type ChangeReport,
  phraseFor,
  type Quote,
  reportMarkdown,
  reportText,
  withValues,
} from "../report/changes.js";
import type { Comparison, Difference } from "./model.js";
import { summarize, summarySentence } from "./summary.js";

/**
 * A comparison as JSON, ending with a line feed: the members of `Comparison`, with `summary` before `differences`.
 * The same two protocols always give the same text.
 */
export function renderJson(comparison: Comparison): string {
  const { differences, ...head } = comparison;
  return `${JSON.stringify({ ...head, summary: summarize(comparison), differences }, null, 2)}\n`;
}

/**
 * A comparison for a terminal, without colours: "!" marks breaking changes, "+" compatible ones, "." those that
 * change no message. Empty if there are no differences.
 */
export function renderText(comparison: Comparison): string {
  return comparison.differences.length === 0 ? "" : reportText(reportOf(comparison));
}

/** A comparison as Markdown for a pull request or a changelog. Empty if there are no differences. */
export function renderMarkdown(comparison: Comparison): string {
  return comparison.differences.length === 0 ? "" : reportMarkdown(reportOf(comparison));
}

function reportOf(comparison: Comparison): ChangeReport {
  const { from, to, differences } = comparison;
  const rest = differences.filter(({ change }) => !listed.has(change));
  const visible = rest.filter((difference) => !isHidden(difference));
  const hidden = rest.length - visible.length;
  return {
    from: from.revision,
    to: to.revision,
    summary: [basisSentence(comparison), `${summarySentence(summarize(comparison))}.`],
    lists: [...listed].flatMap((change) => {
      const names = differences.filter((difference) => difference.change === change).map(nameIn);
      return names.length === 0 ? [] : [{ title: change.replace("-", "s "), names }];
    }),
    columns: ["impact", "who breaks"],
    rows: visible.map((difference) => {
      const { subject, change, was, is, impact, breaks } = difference;
      return {
        subject: { ...subject, kind: subject.kind === "message" ? "method" : subject.kind },
        path: pathIn(difference),
        phrase: phraseFor(change, phrases),
        was,
        is,
        mark: ({ breaking: "!", compatible: "+", neither: "." } as const)[impact],
        effect: breaksIn(difference),
        cells: [impact, breaks.map(({ side, when }) => `${side} ${when}`).join(", ")],
        review: false,
      };
    }),
    remark: hidden === 0 ? "" : hiddenSentence(hidden),
  };
}

/** Changes whose names are listed, in this order. */
const listed: ReadonlySet<string> = new Set(
  ["type", "constant"].flatMap((kind) => [`${kind}-added`, `${kind}-removed`, `${kind}-renamed`]),
);

function nameIn({ change, subject, was }: Difference): string {
  return change.endsWith("-renamed") && was !== null ? `${was} -> ${subject.name}` : subject.name;
}

/** Changes that only concern code generators: inheritance, and facts that follow from the rest of the schema. */
const internal: ReadonlySet<Difference["change"]> = new Set([
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

/** A sentence on the basis of the comparison. */
export function basisSentence({ basis }: Comparison): string {
  return basis === "whole"
    ? "Compared in full, including inheritance, names and tags."
    : "Compared by their wire projections, because at least one of the two is a JSON Schema.";
}

/** A sentence on the number of differences that are not listed. */
function hiddenSentence(count: number): string {
  const what =
    count === 1 ? "change of a tag, a base or a derived fact" : "changes of tags, bases and derived facts";
  return `Not listed: ${count} ${what} that change no message (--json lists them).`;
}

/** The peers that break, in words; empty if none does. */
export function breaksIn({ breaks }: Difference): string {
  const all = (["client", "server"] as const).flatMap((side) => {
    const own = breaks.filter((entry) => entry.side === side).map(({ when }) => when);
    return own.length === 0 ? [] : [`an old ${side} that ${own.join(" or ")} this`];
  });
  return all.length === 0 ? "" : `breaks ${all.join(" and ")}`;
}

/** A phrase for the change. The title of a type or a constant says that it is one. */
export function phraseOf({ change, was, is }: Difference, quote: Quote): string {
  const phrase = listed.has(change) ? change.replace(/.*-/, "") : phraseFor(change, phrases);
  return withValues({ phrase, was, is }, quote);
}

/** Phrases that do not follow from the name of the change. */
const phrases: Readonly<Partial<Record<Difference["change"], string>>> = {
  ...schemaPhrases,
  restated: "same meaning in another notation",
  "message-member-changed": "member of the message",
  "kind-changed": "kind of declaration",
  "constant-changed": "value",
  "sender-added": "senders added",
  "sender-removed": "senders removed",
  "declaration-changed": "declared by another type",
  "capability-required": "capability needed",
  "capability-released": "capability no longer needed",
  "capability-condition-added": "capability needed for some params",
  "capability-condition-removed": "capability no longer needed for these params",
  "header-member-added": "member repeated in an HTTP header",
  "header-member-removed": "member no longer repeated in an HTTP header",
  "fact-changed": "facts",
  "opening-changed": "how a connection opens",
  "batches-added": "JSON-RPC batches",
  "batches-removed": "JSON-RPC batches",
  "idless-errors-added": "errors without an id",
  "idless-errors-removed": "errors without an id",
  "primed-streams-added": "HTTP streams that begin with an event id",
  "primed-streams-removed": "HTTP streams that begin with an event id",
  "header-added": "HTTP header added",
  "header-removed": "HTTP header removed",
  "header-renamed": "HTTP header renamed",
  "well-known-method-changed": "method with this role",
  "meta-key-changed": "key with this role",
  "engine-default-changed": "default from the session engine",
};
