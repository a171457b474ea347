import { structuredPatch } from "diff";
import { diff, type Difference } from "../../ir/diff/index.js";
import { basisSentence, breaksIn, isHidden, pathIn, phraseOf } from "../../ir/diff/report.js";
import { summarize, summarySentence } from "../../ir/diff/summary.js";
import type { Protocol } from "../../ir/model.js";
import { compareSnapshots, driftClasses, type Drift } from "../../ir/snapshot/diff/index.js";
import { countsOf, phraseOf as driftPhraseOf } from "../../ir/snapshot/diff/report.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import { memberNamesOf } from "../project/naming.js";
import { Anchors } from "./anchors.js";
import { block, code, factList, listOf, markup, text, type Markdown } from "./markdown.js";
import { blocksOf, chapterOf, type Chapter, type Entry, type Page } from "./page.js";
import { declarationEntry, methodEntry, revisionFacts, revisionOn, type Revision } from "./revision.js";
import { chapterTitles, offerEntry, offersOf, serverFacts, serverOn, titleOf } from "./server.js";

/** A page on the differences between two revisions, the older one first. */
export function revisionChanges(from: Protocol, to: Protocol): Page {
  const comparison = diff(from, to);
  // The text of each side has no links.
  const [before, after] = [revisionOn(new Anchors(), from), revisionOn(new Anchors(), to)];
  const visible = comparison.differences.filter((difference) => !isHidden(difference));
  const chapters = chaptersOf(revisionTitles, visible, (list) => {
    const { kind, name } = list[0].subject;
    const formerName = list.find(({ change }) => change.endsWith("-renamed"))?.was ?? name;
    return {
      lines: list.map(lineOfDifference),
      before: partOf(before, kind, formerName),
      after: partOf(after, kind, name),
    };
  });
  const summary = `${basisSentence(comparison)} Differences in ${summarySentence(summarize(comparison))}.`;
  return {
    title: `${from.revision} → ${to.revision}`,
    blocks: [
      markup`Changes between revisions of the Model Context Protocol.`,
      comparison.differences.length === 0
        ? markup`There are no differences, apart from prose and order.`
        : text(summary),
    ],
    chapters,
  };
}

const revisionTitles = [
  ["protocol", "The protocol as a whole"],
  ["message", "Methods"],
  ["constant", "Constants"],
  ["type", "Types"],
] as const;

/** What a page says on a part of a revision; nothing if the revision lacks it. */
function partOf(revision: Revision, kind: Difference["subject"]["kind"], name: string): readonly Markdown[] {
  const { protocol, declarations } = revision;
  if (kind === "protocol") return factList(revisionFacts(protocol));
  if (kind === "message")
    return protocol.messages
      .filter(({ method }) => method === name)
      .flatMap((message) => blocksOf(methodEntry(message, revision)));
  const declaration = declarations.get(name);
  return declaration === undefined ? [] : headed(declarationEntry(declaration, revision));
}

function lineOfDifference(difference: Difference): Line {
  const impact = difference.impact === "neither" ? "not on the wire" : difference.impact;
  return lineOf(impact, pathIn(difference), phraseOf(difference, code), breaksIn(difference));
}

/** A page on the differences between two snapshots of a server, the older one first. */
export function serverChanges(from: Snapshot, to: Snapshot): Page {
  const { drifts } = compareSnapshots(from, to, memberNamesOf);
  const [before, after] = [partsOf(from), partsOf(to)];
  const chapters = chaptersOf(chapterTitles, drifts, (list) => {
    const { kind, name } = list[0].subject;
    // A resource that has moved has another URI, so that its entries are not compared.
    const isMoved = list.some(({ change }) => change === "uri-changed");
    const [old, fresh] = isMoved ? [] : [before.get(`${kind} ${name}`), after.get(`${kind} ${name}`)];
    return { lines: list.map(lineOfDrift), before: old?.() ?? [], after: fresh?.() ?? [] };
  });
  const [oldTitle, title] = [titleOf(from), titleOf(to)];
  const [callers, implementers] = [countsOf(drifts, "callers"), countsOf(drifts, "implementers")];
  return {
    title: oldTitle === title ? title : `${oldTitle} → ${title}`,
    blocks: [
      markup`Changes of an MCP server.`,
      ...factList([
        ["From", sourceOf(from)],
        ["To", sourceOf(to)],
      ]),
      ...(drifts.length === 0
        ? [markup`There are no differences, apart from order.`]
        : [text(`For callers: ${callers}. For implementers: ${implementers}.`), legend]),
    ],
    chapters,
  };
}

const legend = markup`Breaking: something that worked is rejected, or a guarantee no longer holds. Safety: the server declares a tool less safe, or a text for models changed; a person should review this. Documentation: only texts for people changed. Compatible: everything else.`;

function sourceOf({ source, name, revision }: Snapshot): Markdown {
  return markup`${code(source.name)}: ${text(name)}, revision ${code(revision)}`;
}

/** What a page says on each part of a server, by kind and id. */
function partsOf(snapshot: Snapshot): ReadonlyMap<string, () => readonly Markdown[]> {
  // The text of each side has no links.
  const server = serverOn(new Anchors(), snapshot);
  const instructions = server.anchors.prose(snapshot.instructions ?? "");
  return new Map<string, () => readonly Markdown[]>([
    ["server ", () => [...factList(serverFacts(snapshot)), ...instructions]],
    ...offersOf(snapshot).map(
      (offer) => [`${offer.kind} ${offer.id}`, () => headed(offerEntry(offer, server))] as const,
    ),
  ]);
}

function lineOfDrift(drift: Drift): Line {
  const { path, callers, implementers, review } = drift;
  const others = callers === implementers ? " and implementers" : `; ${implementers} for implementers`;
  const effect = `for callers${others}${review ? "; to be reviewed" : ""}`;
  return lineOf(callers, path, driftPhraseOf(drift, code), effect);
}

/** One difference, with the word that says how severe it is. */
interface Line {
  readonly impact: string;
  readonly text: Markdown;
}

const impacts = [...driftClasses, "not on the wire"];

/** @param phrase text of ours and code */
function lineOf(impact: string, place: string, phrase: string, effect: string): Line {
  const where = place === "" ? markup`` : markup`${code(place)}: `;
  const who = effect === "" ? markup`` : markup` (${text(effect)})`;
  return { impact, text: markup`**${text(impact)}** ${where}${phrase as Markdown}${who}` };
}

interface Change {
  readonly lines: readonly Line[];
  /** What a page says before and after the change. */
  readonly before: readonly Markdown[];
  readonly after: readonly Markdown[];
}

/** Differences by their subjects, in a chapter for each kind of subject. */
function chaptersOf<D extends { readonly subject: { readonly kind: string; readonly name: string } }>(
  titles: readonly (readonly [kind: D["subject"]["kind"], title: string])[],
  differences: readonly D[],
  changeOf: (list: readonly [D, ...D[]]) => Change,
): Chapter[] {
  const groups = new Map<string, [D, ...D[]]>();
  for (const difference of differences) {
    const key = `${difference.subject.kind} ${difference.subject.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [difference]);
    else group.push(difference);
  }
  const anchors = new Anchors();
  return titles.flatMap(([kind, title]) => {
    const own = [...groups].filter(([, [{ subject }]]) => subject.kind === kind);
    const entries = own.map(([key, list]): Entry => {
      const { lines, before, after } = changeOf(list);
      const sorted = [...lines].sort((a, b) => impacts.indexOf(a.impact) - impacts.indexOf(b.impact));
      const { name } = list[0].subject;
      return {
        anchor: anchors.claim("change", key),
        name: kind === "server" || kind === "protocol" ? kind : name,
        prose: [...listOf(sorted.map((line) => line.text)), ...patch(before, after)],
      };
    });
    return chapterOf(title, entries);
  });
}

/** The blocks of an entry below the title of its heading. */
function headed(entry: Entry): readonly Markdown[] {
  return [...(entry.title ? [entry.title] : []), ...blocksOf(entry)];
}

/** The lines that differ, with two lines around them; no block if none does. */
function patch(before: readonly Markdown[], after: readonly Markdown[]): Markdown[] {
  const [old, fresh] = [plainText(before), plainText(after)];
  if (old === fresh) return [];
  // Without a limit, the time is quadratic in the number of differences.
  const options = { context: 2, maxEditLength: 2000 };
  const lines = structuredPatch("", "", old, fresh, "", "", options)?.hunks.flatMap((hunk) => hunk.lines);
  return [block("diff", lines?.join("\n") ?? `${old.replace(/^/gm, "-")}\n${fresh.replace(/^/gm, "+")}`)];
}

/** The lines of blocks without entities and line ends of Markdown, except for the entity that begins a comment. */
function plainText(blocks: readonly Markdown[]): string {
  return blocks
    .map((each) => `${each}\n`)
    .join("")
    .replace(/\\$/gm, "")
    .replace(/&#(?!60;)(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)));
}
