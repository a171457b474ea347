import { diff, type Difference } from "../../ir/diff/index.js";
import { pathIn } from "../../ir/diff/render/groups.js";
import { breaksIn, phraseOf } from "../../ir/diff/render/phrase.js";
import { summarize, summarySentence } from "../../ir/diff/summary.js";
import { index } from "../../ir/lookup.js";
import type { Message, Protocol } from "../../ir/model.js";
import type { Code } from "../typescript/code.js";
import { Anchors, type Subject as Kind } from "./anchors.js";
import { badges, badgesIf } from "./badges.js";
import type { ChangeLine, ChangeView } from "./change.js";
import type { Chapter } from "./entry.js";
import { attribute, markup, nameText, text } from "./html.js";
import { declarationLines, messageLines, protocolLines, sideRows, type Line } from "./lines.js";
import type { Subjects } from "./page.js";
import { docProse } from "./prose.js";
import { plain } from "./words.js";

/** A page on the differences between two revisions, the older one first. */
export function comparisonPage(from: Protocol, to: Protocol): Subjects<ChangeView> {
  const comparison = diff(from, to);
  const { differences, basis } = comparison;
  const basisSentence =
    basis === "whole"
      ? markup`Compared in full, including inheritance, names and tags.`
      : markup`Compared by their wire projections, because at least one of the two is a JSON Schema.`;
  const sentence = summarySentence(summarize(comparison));
  const anchors = new Anchors();
  const groups = groupsOf(differences);
  for (const [first] of groups.values()) if (first !== undefined) claimOf(anchors, first);
  const sides = new Sides(from, to, anchors);
  return {
    kind: "Changes between revisions",
    title: `${from.revision} → ${to.revision}`,
    paragraphs:
      differences.length === 0
        ? [markup`There are no differences, apart from prose and order.`]
        : [markup`${text(sentence.slice(0, 1).toUpperCase() + sentence.slice(1))}.`, basisSentence],
    facts: [],
    chapters: chapterTitles.flatMap(({ subject, anchor, title }): Chapter<ChangeView>[] => {
      const members = [...groups.values()].filter(([first]) => first?.subject.kind === subject);
      if (members.length === 0) return [];
      const entries = members.map((list) => entryOf(list, sides, anchors));
      return [{ anchor, title, entries }];
    }),
  };
}

const chapterTitles = [
  { subject: "protocol", anchor: "protocol", title: "The protocol as a whole" },
  { subject: "message", anchor: "methods", title: "Methods" },
  { subject: "constant", anchor: "constants", title: "Constants" },
  { subject: "type", anchor: "types", title: "Types" },
] as const;

function groupsOf(differences: readonly Difference[]): ReadonlyMap<string, readonly Difference[]> {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = `${difference.subject.kind} ${difference.subject.name}`;
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return groups;
}

function claimOf(anchors: Anchors, { subject: { kind, name } }: Difference): string {
  const kinds: Readonly<Record<typeof kind, Kind>> = {
    protocol: "part",
    message: "method",
    type: "type",
    constant: "constant",
  };
  return anchors.claim(kinds[kind], kind === "protocol" ? "whole" : name);
}

function entryOf(
  list: readonly Difference[],
  sides: Sides,
  anchors: Anchors,
): Chapter<ChangeView>["entries"][number] {
  const [first] = list;
  if (first === undefined) throw new Error("A group of differences is empty.");
  const { kind, name } = first.subject;
  const anchor = attribute(claimOf(anchors, first));
  const label = kind === "protocol" ? text("protocol") : nameText(name);
  const [isAdded, isRemoved, isRenamed] = ["added", "removed", "renamed"].map((what) =>
    list.some(({ change, path }) => path === "" && wholeChanges(what).includes(change)),
  );
  const isWhole = isAdded === true || isRemoved === true;
  const view: ChangeView = {
    anchor,
    name: label,
    badges: badgesIf({
      added: isAdded === true,
      removed: isRemoved === true,
      renamed: isRenamed === true,
    }),
    paragraphs: isWhole ? sides.prose(name) : [],
    changes: breakingFirst(list.filter(isListed)).map(lineOf),
    sides: sides.of(first, list),
  };
  return { link: { anchor, name: label, isDeprecated: isRemoved === true }, view };
}

/** The kinds of changes of a whole declaration. */
function wholeChanges(what: string): readonly string[] {
  return ["type", "constant", "request", "notification", "method"].map((kind) => `${kind}-${what}`);
}

/** False for changes that the side-by-side view shows and that no message on the wire contains. */
function isListed({ change, impact }: Difference): boolean {
  return impact !== "neither" || !omittedChanges.some((pattern) => pattern.test(change));
}

const omittedChanges = [
  /-(added|removed)$/,
  /^(well-known-method|meta-key|engine-default|trait)-changed$/,
] as const;

/** Breaking changes first, otherwise in the order of the comparison. */
function breakingFirst(list: readonly Difference[]): Difference[] {
  const impacts = ["breaking", "compatible", "neither"];
  return [...list].sort((a, b) => impacts.indexOf(a.impact) - impacts.indexOf(b.impact));
}

function lineOf(difference: Difference): ChangeLine {
  const { impact } = difference;
  const place = pathIn(difference);
  const who = breaksIn(difference);
  return {
    badge: { breaking: badges.breaking, compatible: badges.compatible, neither: badges.unseen }[impact],
    place: place === "" ? null : text(place),
    phrase: text(phraseOf(difference, (words) => words)),
    who: who === "" ? null : text(who),
  };
}

/** Both revisions, with the names that each declares. */
class Sides {
  readonly #from: Protocol;
  readonly #to: Protocol;
  readonly #anchors: Anchors;

  constructor(from: Protocol, to: Protocol, anchors: Anchors) {
    this.#from = from;
    this.#to = to;
    this.#anchors = anchors;
  }

  /** The old and new text, if it shows more than the words. */
  of(first: Difference, list: readonly Difference[]): ChangeView["sides"] {
    const old = list.find(({ change }) => change.endsWith("-renamed"))?.was ?? first.subject.name;
    const was = this.#lines(this.#from, first, old);
    const is = this.#lines(this.#to, first, first.subject.name);
    if (was.map(plain).join("\n") === is.map(plain).join("\n")) return null;
    return {
      caption: markup`Side by side`,
      from: text(this.#from.revision),
      to: text(this.#to.revision),
      rows: sideRows(was, is, this.#anchors),
    };
  }

  /** The prose of an added or removed declaration. */
  prose(name: string): Code[] {
    const entry =
      index(this.#to).get(this.#nameOf(this.#to, name)) ??
      index(this.#from).get(this.#nameOf(this.#from, name));
    return entry === undefined ? [] : docProse(entry.doc, this.#anchors);
  }

  #nameOf({ messages }: Protocol, name: string): string {
    return messages.find(({ method }) => method === name)?.name ?? name;
  }

  #lines(protocol: Protocol, { subject: { kind } }: Difference, name: string): readonly Line[] {
    if (kind === "protocol") return protocolLines(protocol);
    if (kind !== "message") return declarationLines(index(protocol).get(name));
    const message: Message | undefined = protocol.messages.find(({ method }) => method === name);
    return messageLines(message);
  }
}
