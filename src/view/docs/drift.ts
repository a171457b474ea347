import {
  compareSnapshots,
  driftClasses,
  type ComparedSnapshot,
  type Drift,
  type DriftSubject,
} from "../../ir/snapshot/diff/index.js";
import { countsOf, groupsOf, phraseOf } from "../../ir/snapshot/diff/render/words.js";
import type { Entry, JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import type { Code } from "../typescript/code.js";
import { Anchors, type Subject } from "./anchors.js";
import { badges, badgesIf } from "./badges.js";
import type { ChangeLine, ChangeView } from "./change.js";
import type { Chapter, FactView } from "./entry.js";
import { attribute, joined, markup, nameText, text } from "./html.js";
import { jsonLines, sideRows, type Line } from "./lines.js";
import type { Subjects } from "./page.js";
import { proseOf } from "./prose.js";
import { memberNamesOf } from "../project/naming.js";
import { titleOf } from "./server.js";
import { plain } from "./words.js";

/** A page on the differences between two snapshots of a server, the older one first. */
export function driftPage(from: Snapshot, to: Snapshot): Subjects<ChangeView> {
  const comparison = compareSnapshots(from, to, memberNamesOf);
  const { drifts } = comparison;
  const anchors = new Anchors();
  const groups = groupsOf(drifts);
  // All anchors are assigned before the first link is made.
  for (const [subject] of groups) claimOf(anchors, subject);
  const sides: Sides = { from, to, anchors };
  const [was, is] = [titleOf(from), titleOf(to)];
  return {
    kind: "Changes of an MCP server",
    title: was === is ? is : `${was} → ${is}`,
    paragraphs: drifts.length === 0 ? [markup`There are no differences, apart from order.`] : legend(drifts),
    facts: [factOf(markup`From`, comparison.from), factOf(markup`To`, comparison.to)],
    chapters: chapterTitles.flatMap(({ kind, anchor, title }): Chapter<ChangeView>[] => {
      const members = groups.filter(([subject]) => subject.kind === kind);
      if (members.length === 0) return [];
      return [{ anchor, title, entries: members.map(([subject, list]) => entryOf(subject, list, sides)) }];
    }),
  };
}

const chapterTitles = [
  { kind: "server", anchor: "server", title: "The server as a whole" },
  { kind: "tool", anchor: "tools", title: "Tools" },
  { kind: "prompt", anchor: "prompts", title: "Prompts" },
  { kind: "resource", anchor: "resources", title: "Resources" },
  { kind: "template", anchor: "templates", title: "Resource templates" },
] as const;

/** The number of drifts in each class, and the meaning of the classes. */
function legend(drifts: readonly Drift[]): Code[] {
  const [callers, implementers] = [countsOf(drifts, "callers"), countsOf(drifts, "implementers")];
  return [
    markup`For callers: ${text(callers)}. For implementers: ${text(implementers)}.`,
    markup`Breaking: something that worked is rejected, or a guarantee no longer holds. Safety: the server declares a tool less safe, or a text for models changed; a person should review this. Documentation: only texts for people changed. Compatible: everything else.`,
  ];
}

function factOf(term: Code, { server, revision, source }: ComparedSnapshot): FactView {
  return {
    term,
    value: markup`<code>${text(source)}</code>: ${text(server)}, revision <code>${text(revision)}</code>`,
  };
}

function claimOf(anchors: Anchors, { kind, name }: DriftSubject): string {
  const subject: Subject = kind === "server" ? "part" : kind;
  return anchors.claim(subject, kind === "server" ? "server" : name);
}

/** Both snapshots, indexed by wire names. */
interface Sides {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly anchors: Anchors;
}

function entryOf(
  subject: DriftSubject,
  list: readonly Drift[],
  sides: Sides,
): Chapter<ChangeView>["entries"][number] {
  const { anchors } = sides;
  const anchor = attribute(claimOf(anchors, subject));
  const name = subject.kind === "server" ? text("server") : nameText(subject.name);
  const [isAdded, isRemoved] = (["added", "removed"] as const).map((whole) =>
    list.some(({ change }) => change === whole),
  );
  const was = isAdded === true ? null : (entriesOf(sides.from, subject).get(subject.name) ?? null);
  const is = isRemoved === true ? null : successorOf(was, subject, sides.to);
  const prose = isAdded === true ? is?.description : isRemoved === true ? was?.description : null;
  const view: ChangeView = {
    anchor,
    name,
    badges: badgesIf({ added: isAdded === true, removed: isRemoved === true }),
    paragraphs: proseOf(prose ?? "", anchors),
    changes: mostSevereFirst(list).map(lineOf),
    sides:
      subject.kind === "server"
        ? sidesOf(jsonLines(wholeOf(sides.from)), jsonLines(wholeOf(sides.to)), sides)
        : sidesOf(jsonLines(was?.raw), jsonLines(is?.raw), sides),
  };
  return { link: { anchor, name, isDeprecated: isRemoved === true }, view };
}

/** The current entry for an old one. A resource that has moved has another URI and the same name. */
function successorOf(was: Entry | null, subject: DriftSubject, to: Snapshot): Entry | null {
  const entries = entriesOf(to, subject);
  const same = entries.get(subject.name);
  if (same !== undefined || was === null) return same ?? null;
  return [...entries.values()].find(({ name }) => name === was.name) ?? null;
}

function entriesOf(snapshot: Snapshot, { kind }: DriftSubject): ReadonlyMap<string, Entry> {
  const { tools, prompts, resources, templates } = snapshot;
  switch (kind) {
    case "tool":
      return new Map(tools.map((entry) => [entry.name, entry]));
    case "prompt":
      return new Map(prompts.map((entry) => [entry.name, entry]));
    case "resource":
      return new Map(resources.map((entry) => [entry.uri, entry]));
    case "template":
      return new Map(templates.map((entry) => [entry.template, entry]));
    case "server":
      return new Map();
    default:
      return kind satisfies never;
  }
}

/** The parts of a snapshot that are not lists. */
function wholeOf({ revision, server, capabilities, instructions }: Snapshot): JsonRecord {
  return { capabilities, ...(instructions === null ? {} : { instructions }), revision, server };
}

function mostSevereFirst(list: readonly Drift[]): Drift[] {
  const severity = ({ callers, implementers }: Drift): number => {
    return driftClasses.indexOf(callers) * driftClasses.length + driftClasses.indexOf(implementers);
  };
  return [...list].sort((a, b) => severity(a) - severity(b));
}

function lineOf(drift: Drift): ChangeLine {
  const { path, callers, implementers, review } = drift;
  const audience =
    callers === implementers ? "callers and implementers" : `callers; ${implementers} for implementers`;
  return {
    badge: badges[callers],
    place: path === "" ? null : text(path),
    phrase: phraseCode(drift),
    who: text(`for ${audience}${review ? "; to be reviewed" : ""}`),
  };
}

/** A sentence on the change, with values of the server as code. */
function phraseCode(drift: Drift): Code {
  const { was, is } = drift;
  const words = text(phraseOf({ ...drift, was: null, is: null }, (quoted) => quoted));
  const quotes = [was, is].flatMap((quoted) =>
    quoted === null ? [] : [markup`<code>${text(quoted)}</code>`],
  );
  return quotes.length === 0 ? words : markup`${words}: ${joined(quotes, markup` became `)}`;
}

function sidesOf(
  was: readonly Line[],
  is: readonly Line[],
  { from, to, anchors }: Sides,
): ChangeView["sides"] {
  if (was.map(plain).join("\n") === is.map(plain).join("\n")) return null;
  return {
    caption: markup`Side by side`,
    from: text(from.source.name),
    to: text(to.source.name),
    rows: sideRows(was, is, anchors),
  };
}
