import type { Entry, Resource, Snapshot, Template } from "../model.js";
import { matchBy } from "./entries.js";
import { changed, deltaOf } from "../../change/delta.js";
import { classify } from "../../change/effects.js";
import type { Compared, Comparison, Delta, Difference, Subject } from "../../change/model.js";
import { comparePrompts, compareResources, compareTemplates } from "./others.js";
import { originals } from "./schema.js";
import { compareServers } from "./server.js";
import { compareTools } from "./tool.js";
import { byCodePoint } from "../../json.js";

export { acknowledge, rowOf, type Acknowledgement, type AcknowledgedRow } from "./acknowledge.js";

/**
 * The differences between the snapshot `a` and the newer snapshot `b`, for each tool and each member, with their
 * consequences for callers and implementers. Returns plain data and prints nothing. Order does not matter. `namesOf` returns
 * the identifiers of generated members by kind and id ("tool get_weather"); without it, they are not compared.
 */
export function compareSnapshots(
  a: Snapshot,
  b: Snapshot,
  namesOf: (snapshot: Snapshot) => ReadonlyMap<string, string> = () => new Map(),
): Comparison {
  const sets = originals(a.definitions, b.definitions);
  const names = [namesOf(a), namesOf(b)] as const;
  const differences = [
    ...compareServers(a, b).map((delta) => classify(delta, { kind: "server", name: "" })),
    ...compareLists(names, "tool", a.tools, b.tools, nameOf, (before, after) =>
      compareTools(sets, before, after),
    ),
    ...compareLists(names, "prompt", a.prompts, b.prompts, nameOf, (before, after) =>
      comparePrompts(sets, before, after),
    ),
    ...compareLists(
      names,
      "resource",
      a.resources,
      b.resources,
      ({ uri }: Resource) => uri,
      compareResources,
      nameOf,
    ),
    ...compareLists(
      names,
      "template",
      a.templates,
      b.templates,
      ({ template }: Template) => template,
      compareTemplates,
      nameOf,
    ),
  ];
  return { format: 2, basis: "snapshot", from: comparedSnapshot(a), to: comparedSnapshot(b), differences };
}

function comparedSnapshot({ name, revision, source }: Snapshot): Compared {
  return { server: name, revision, source: source.name };
}

function nameOf({ name }: Entry): string {
  return name;
}

/** Matches entries by `id`, then by `otherName`: an entry with the same name and another id has moved. */
function compareLists<T extends Entry>(
  names: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
  kind: Subject["kind"],
  old: readonly T[],
  fresh: readonly T[],
  id: (entry: T) => string,
  compare: (oldEntry: T, newEntry: T) => Delta[],
  otherName?: (entry: T) => string,
): Difference[] {
  const first = matchBy(old, fresh, id);
  const second =
    otherName === undefined
      ? { ...first, pairs: [] }
      : matchBy(onlyOf(first.removed, otherName), onlyOf(first.added, otherName), otherName);
  const without = (list: readonly T[], matches: readonly T[]): T[] =>
    list.filter((entry) => !matches.includes(entry));
  const removed = without(
    first.removed,
    second.pairs.map(([oldEntry]) => oldEntry),
  );
  const added = without(
    first.added,
    second.pairs.map(([, newEntry]) => newEntry),
  );
  const deltas: (readonly [subject: string, delta: Delta])[] = [
    ...removed.map((entry) => [id(entry), deltaOf("removed", null, null)] as const),
    ...added.map((entry) => [id(entry), deltaOf("added", null, null)] as const),
    ...[...first.pairs, ...second.pairs].flatMap(([oldEntry, newEntry]) => {
      const [before, after] = [
        names[0].get(`${kind} ${id(oldEntry)}`),
        names[1].get(`${kind} ${id(newEntry)}`),
      ];
      const renamed = before && after ? changed("member-renamed", before, after) : [];
      return [...renamed, ...compare(oldEntry, newEntry)].map((delta) => [id(oldEntry), delta] as const);
    }),
  ];
  return deltas.sort(([a], [b]) => byCodePoint(a, b)).map(([name, delta]) => classify(delta, { kind, name }));
}

/** Entries whose name is unique. */
function onlyOf<T>(entries: readonly T[], name: (entry: T) => string): T[] {
  return entries.filter((entry) => entries.filter((other) => name(other) === name(entry)).length === 1);
}
