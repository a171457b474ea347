import type { Entry, Snapshot } from "../model.js";
import { changed, deltaOf } from "../../change/delta.js";
import { classify } from "../../change/effects.js";
import type {
  Compared,
  Comparison,
  Delta,
  Difference,
  Subject,
} from "../../change/model.js";
import { pairBy } from "../../change/pairs.js";
import {
  comparePrompts,
  compareResources,
  compareTemplates,
} from "./others.js";
import { originals } from "./schema.js";
import { compareServers } from "./server.js";
import { compareTools } from "./tool.js";
import { byCodePoint } from "../../json.js";

export {
  acknowledge,
  rowOf,
  type Acknowledgement,
  type AcknowledgedRow,
} from "./acknowledge.js";

/**
 * The differences between the snapshot `a` and the newer snapshot `b`, for each
 * tool and each member, with their consequences for callers and implementers.
 * Returns plain data and prints nothing. Order does not matter. `namesOf`
 * returns the identifiers of generated members by kind and id ("tool
 * get_weather"); without it, they are not compared.
 */
export function compareSnapshots(
  a: Snapshot,
  b: Snapshot,
  namesOf: (snapshot: Snapshot) => ReadonlyMap<string, string> = () =>
    new Map(),
): Comparison {
  const sets = originals(a.definitions, b.definitions);
  const names = [namesOf(a), namesOf(b)] as const;
  const server = compareServers(a, b).map((delta) =>
    classify(delta, { kind: "server", name: "" }),
  );
  const tools = compareLists(
    names,
    "tool",
    a.tools,
    b.tools,
    [nameOf],
    (before, after) => compareTools(sets, before, after),
  );
  const prompts = compareLists(
    names,
    "prompt",
    a.prompts,
    b.prompts,
    [nameOf],
    (before, after) => comparePrompts(sets, before, after),
  );
  const resources = compareLists(
    names,
    "resource",
    a.resources,
    b.resources,
    [({ uri }) => uri, nameOf],
    compareResources,
  );
  const templates = compareLists(
    names,
    "template",
    a.templates,
    b.templates,
    [({ template }) => template, nameOf],
    compareTemplates,
  );
  const differences = [
    ...server,
    ...tools,
    ...prompts,
    ...resources,
    ...templates,
  ];
  return {
    format: 2,
    basis: "snapshot",
    from: comparedSnapshot(a),
    to: comparedSnapshot(b),
    differences,
  };
}

function comparedSnapshot({ name, revision, source }: Snapshot): Compared {
  return { server: name, revision, source: source.name };
}

function nameOf({ name }: Entry): string {
  return name;
}

/**
 * Compares the entries of a list, which have the first of these ids on the
 * wire.
 */
function compareLists<T extends Entry>(
  names: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
  kind: Subject["kind"],
  old: readonly T[],
  fresh: readonly T[],
  ids: readonly [(entry: T) => string, ...((entry: T) => string)[]],
  compare: (oldEntry: T, newEntry: T) => Delta[],
): Difference[] {
  const [id] = ids;
  const pairs = pairBy(old, fresh, ids);
  const deltas: (readonly [subject: string, delta: Delta])[] = [
    ...pairs.removed.map(
      (entry) => [id(entry), deltaOf("removed", null, null)] as const,
    ),
    ...pairs.added.map(
      (entry) => [id(entry), deltaOf("added", null, null)] as const,
    ),
    ...[...pairs.before].flatMap(([newEntry, oldEntry]) => {
      const [before, after] = [
        names[0].get(`${kind} ${id(oldEntry)}`),
        names[1].get(`${kind} ${id(newEntry)}`),
      ];
      const renamed =
        before && after ? changed("member-renamed", before, after) : [];
      return [...renamed, ...compare(oldEntry, newEntry)].map(
        (delta) => [id(oldEntry), delta] as const,
      );
    }),
  ];
  return deltas
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, delta]) => classify(delta, { kind, name }));
}
