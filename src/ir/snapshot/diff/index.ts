import { byCodePoint } from "../canonical.js";
import type { Entry, Resource, Snapshot, Template } from "../model.js";
import { matchBy } from "./entries.js";
import { judge, type Finding } from "./judge.js";
import type { Drift, DriftSubject, SnapshotComparison } from "./model.js";
import { comparePrompts, compareResources, compareTemplates } from "./others.js";
import { compareServers } from "./server.js";
import { compareTools } from "./tool.js";

export { gravest } from "./judge.js";
export { acknowledge, rowOf, type Acknowledged, type AcknowledgedRow } from "./acknowledge.js";
export {
  driftClasses,
  driftShifts,
  type Audience,
  type ComparedSnapshot,
  type Drift,
  type DriftChange,
  type DriftClass,
  type DriftSubject,
  type SnapshotComparison,
} from "./model.js";
export { renderDriftsJson } from "./render/json.js";
export { renderDriftsMarkdown } from "./render/markdown.js";
export { renderDriftsText } from "./render/text.js";

/**
 * What sets `b`, what a server offers now, apart from `a`: tool by tool and member by member, with what it means to
 * callers and to implementers. Returns plain data and prints nothing. Order says nothing, and equal offers have no drifts.
 */
export function compareSnapshots(a: Snapshot, b: Snapshot): SnapshotComparison {
  const drifts = [
    ...compareServers(a, b).map((finding) => judge(finding, { kind: "server", name: "" })),
    ...compareLists("tool", a.tools, b.tools, nameOf, compareTools),
    ...compareLists("prompt", a.prompts, b.prompts, nameOf, comparePrompts),
    ...compareLists(
      "resource",
      a.resources,
      b.resources,
      ({ uri }: Resource) => uri,
      compareResources,
      nameOf,
    ),
    ...compareLists(
      "template",
      a.templates,
      b.templates,
      ({ template }: Template) => template,
      compareTemplates,
      nameOf,
    ),
  ];
  return { format: 1, from: compared(a), to: compared(b), drifts };
}

function compared({ name, revision, source }: Snapshot): SnapshotComparison["from"] {
  return { server: name, revision, source: source.name };
}

function nameOf({ name }: Entry): string {
  return name;
}

/** What the wire knows by another id may still go by the same name: then it has moved. */
function compareLists<T extends Entry>(
  kind: DriftSubject["kind"],
  old: readonly T[],
  fresh: readonly T[],
  id: (entry: T) => string,
  compare: (was: T, is: T) => Finding[],
  otherName?: (entry: T) => string,
): Drift[] {
  const first = matchBy(old, fresh, id);
  const second =
    otherName === undefined
      ? { ...first, kept: [] }
      : matchBy(onlyOf(first.gone, otherName), onlyOf(first.come, otherName), otherName);
  const lone = (list: readonly T[], moved: readonly T[]): T[] =>
    list.filter((entry) => !moved.includes(entry));
  const gone = lone(
    first.gone,
    second.kept.map(([was]) => was),
  );
  const come = lone(
    first.come,
    second.kept.map(([, is]) => is),
  );
  const bare = { path: "", was: null, is: null };
  const told: (readonly [subject: string, finding: Finding])[] = [
    ...gone.map((entry) => [id(entry), { change: "removed", ...bare }] as const),
    ...come.map((entry) => [id(entry), { change: "added", ...bare }] as const),
    ...[...first.kept, ...second.kept].flatMap(([was, is]) =>
      compare(was, is).map((finding) => [id(was), finding] as const),
    ),
  ];
  return told.sort(([a], [b]) => byCodePoint(a, b)).map(([name, finding]) => judge(finding, { kind, name }));
}

/** Entries whose name no other one has. */
function onlyOf<T>(entries: readonly T[], name: (entry: T) => string): T[] {
  return entries.filter((entry) => entries.filter((other) => name(other) === name(entry)).length === 1);
}
