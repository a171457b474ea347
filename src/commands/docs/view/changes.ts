import { structuredPatch } from "diff";
import type { Difference } from "../../../generator/ir/change/model.js";
import { diff } from "../../../generator/ir/diff/index.js";
import type { Protocol } from "../../../generator/ir/model.js";
import { groupsOf } from "../../../generator/ir/groups.js";
import {
  changeMarkdown,
  changeText,
  effectText,
  impactOf,
  impacts,
  shownOf,
} from "../../../generator/ir/report/render.js";
import { printable } from "../../../generator/ir/report/text.js";
import { compareSnapshots } from "../../../generator/ir/snapshot/diff/index.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { memberNamesOf } from "../../../generator/view/project/naming.js";
import { Anchors } from "./anchors.js";
import {
  block,
  code,
  factList,
  listOf,
  markup,
  text,
  type Markdown,
} from "./markdown.js";
import {
  blocksOf,
  chapterOf,
  type Chapter,
  type Entry,
  type Page,
} from "./page.js";
import {
  declarationEntry,
  methodEntry,
  revisionFacts,
  revisionOn,
} from "./revision.js";
import {
  chapterTitles,
  offerEntry,
  offersOf,
  serverFacts,
  serverOn,
  titleOf,
} from "./server.js";

/** A page on the differences between two revisions, the older one first. */
export function revisionChanges(from: Protocol, to: Protocol): Page {
  const report = shownOf(diff(from, to));
  const isSame = report.rows.length === 0 && report.remark === "";
  return {
    title: `${from.revision} → ${to.revision}`,
    blocks: [
      markup`Changes between revisions of the Model Context Protocol.`,
      isSame
        ? markup`There are no differences, apart from prose and order.`
        : text(report.summary.join(" ")),
    ],
    chapters: chaptersOf(
      revisionTitles,
      report,
      partsOfRevision(from),
      partsOfRevision(to),
    ),
  };
}

const revisionTitles = [
  ["protocol", "The protocol as a whole"],
  ["method", "Methods"],
  ["constant", "Constants"],
  ["type", "Types"],
] as const;

/**
 * A page on the differences between two snapshots of a server, the older one
 * first.
 */
export function serverChanges(from: Snapshot, to: Snapshot): Page {
  const report = shownOf(compareSnapshots(from, to, memberNamesOf));
  return {
    title: [...new Set([from, to].map(titleOf))].join(" → "),
    blocks: [
      markup`Changes of an MCP server.`,
      ...factList([
        ["From", sourceOf(from)],
        ["To", sourceOf(to)],
      ]),
      ...(report.rows.length === 0
        ? [markup`There are no differences, apart from order.`]
        : [text(report.summary.join(" ")), legend]),
    ],
    chapters: chaptersOf(
      chapterTitles,
      report,
      partsOfServer(from),
      partsOfServer(to),
    ),
  };
}

const legend = markup`Each change begins with its class for callers. Breaking: something that worked is rejected, or a guarantee no longer holds. Safety: the server declares a tool less safe, or a text for models changed; a person should review this. Documentation: only texts for people changed. Compatible: everything else.`;

function sourceOf({ source, name, revision }: Snapshot): Markdown {
  return markup`${code(source.name)}: ${text(name)}, revision ${code(revision)}`;
}

/**
 * What a page says on a part of one side; nothing if that side lacks it. The
 * text has no links.
 */
type PartOf = (kind: string, name: string) => readonly Markdown[];

function partsOfRevision(protocol: Protocol): PartOf {
  const revision = revisionOn(new Anchors(), protocol);
  return (kind, name) => {
    if (kind === "protocol") return factList(revisionFacts(protocol));
    if (kind === "method")
      return protocol.messages
        .filter(({ method }) => method === name)
        .flatMap((message) => blocksOf(methodEntry(message, revision)));
    const declaration = revision.declarations.get(name);
    return declaration === undefined
      ? []
      : headed(declarationEntry(declaration, revision));
  };
}

function partsOfServer(snapshot: Snapshot): PartOf {
  const server = serverOn(new Anchors(), snapshot);
  const offers = new Map(
    offersOf(snapshot).map((offer) => [`${offer.kind} ${offer.id}`, offer]),
  );
  return (kind, name) => {
    if (kind === "server")
      return [
        ...factList(serverFacts(snapshot)),
        ...server.anchors.prose(snapshot.instructions ?? ""),
      ];
    const offer = offers.get(`${kind} ${name}`);
    return offer === undefined ? [] : headed(offerEntry(offer, server));
  };
}

/**
 * Changes by their subjects, the most severe first, in a chapter for each kind
 * of subject.
 */
function chaptersOf(
  titles: readonly (readonly [kind: string, title: string])[],
  { rows }: Pick<ReturnType<typeof shownOf>, "rows">,
  before: PartOf,
  after: PartOf,
): Chapter[] {
  const groups = groupsOf(
    rows,
    ({ subject }) => `${subject.kind} ${subject.name}`,
  );
  const severityOf = (row: Difference): number =>
    Object.keys(impacts).indexOf(impactOf([row], "callers"));
  const anchors = new Anchors();
  return titles.flatMap(([kind, title]) => {
    const own = [...groups].filter(
      ([, [{ subject }]]) => subject.kind === kind,
    );
    const entries = own.map(([key, list]): Entry => {
      const { name } = list[0].subject;
      const moved = list.find(({ change }) => moves.test(change)) ?? {
        before: name,
        after: name,
      };
      const sorted = [...list].sort((a, b) => severityOf(a) - severityOf(b));
      const breaking = sorted.filter(
        (row) => impactOf([row], "callers") === "breaking",
      );
      const others = sorted
        .slice(breaking.length)
        .map((row) => changeMarkdown(row, code) as Markdown);
      return {
        anchor: anchors.claim("change", key),
        name: name === "" ? kind : name,
        prose: [
          ...breakingBlock(breaking),
          ...listOf(others),
          ...patch(
            before(kind, moved.before ?? ""),
            after(kind, moved.after ?? ""),
          ),
        ],
      };
    });
    return chapterOf(title, entries);
  });
}

/**
 * What breaks, as removed lines: sites that colour a difference show them in
 * red, others as text.
 */
function breakingBlock(rows: readonly Difference[]): Markdown[] {
  const quote = (value: string): string => printable(value, Infinity);
  const lines = rows.map((row) => {
    return `- breaking: ${changeText(row, quote)} (${effectText(row)})`;
  });
  return lines.length === 0 ? [] : [block("diff", lines.join("\n"))];
}

/** Changes whose old and new text are the old and new name of their subject. */
const moves = /^(type|constant|method)-renamed$|^uri-changed$/;

/** The blocks of an entry below the title of its heading. */
function headed(entry: Entry): readonly Markdown[] {
  return [...(entry.title ? [entry.title] : []), ...blocksOf(entry)];
}

/** The lines that differ, with two lines around them; no block if none does. */
function patch(
  before: readonly Markdown[],
  after: readonly Markdown[],
): Markdown[] {
  const [old, fresh] = [plainText(before), plainText(after)];
  if (old === fresh) return [];
  // Without a limit, the time is quadratic in the number of differences.
  const options = { context: 2, maxEditLength: 2000 };
  const lines = structuredPatch(
    "",
    "",
    old,
    fresh,
    "",
    "",
    options,
  )?.hunks.flatMap((hunk) => hunk.lines);
  return [
    block(
      "diff",
      lines?.join("\n") ??
        `${old.replace(/^/gm, "-")}\n${fresh.replace(/^/gm, "+")}`,
    ),
  ];
}

/**
 * The lines of blocks without entities and line ends of Markdown, except for
 * the entity that begins a comment.
 */
function plainText(blocks: readonly Markdown[]): string {
  return blocks
    .map((each) => `${each}\n`)
    .join("")
    .replace(/\\$/gm, "")
    .replace(/&#(?!60;)(\d+);/g, (_, number: string) =>
      String.fromCodePoint(Number(number)),
    );
}
