import type { Difference } from "../../../generator/ir/change/model.js";
import { diff } from "../../../generator/ir/diff/index.js";
import { groupsOf } from "../../../generator/ir/groups.js";
import type { ImpactFolder } from "./model.js";
import { adviceOf, placeOf, quote, sentenceOf } from "./sentences.js";
import { vocabularyOf, type Meaning, type Vocabulary } from "./vocabulary.js";

/** What the report says about a line. */
export interface Explanation {
  /** A sentence without its full stop. */
  readonly sentence: string;
  /** What to write instead; null if that is not mechanical. */
  readonly advice: string | null;
  /** The rename of a member that it is a part of; null for any other change. */
  readonly rename: Rename | null;
}

/** A change of the protocol as the report describes it. */
export interface Change extends Explanation {
  readonly difference: Difference;
}

/** A member with the same type under another name. */
export interface Rename {
  readonly from: string;
  readonly to: string;
  readonly sentence: string;
}

/** A generated folder with all changes of its protocol. */
export interface ComparedFolder {
  readonly folder: ImpactFolder;
  readonly changes: readonly Change[];
  /** Of the old protocol. */
  readonly vocabulary: Vocabulary;
  /** The changes at exactly this path, and not inside it. */
  readonly at: (meaning: Meaning) => readonly Change[];
  /** The name in the new protocol of a type, a constant or a method. */
  readonly newName: (name: string) => string;
}

/** Compares the protocols of a folder. */
export function compare(folder: ImpactFolder): ComparedFolder {
  const { before, after } = folder;
  const methods = new Map(
    [...before.messages, ...after.messages].map(({ name, method }) => [
      name,
      method,
    ]),
  );
  const differences = diff(before, after).differences.flatMap((difference) =>
    relevantDifferences(difference, methods),
  );
  const renames = findMemberRenames(differences);
  const changes = differences.map((difference): Change => {
    const rename = renames.get(difference) ?? null;
    return {
      difference,
      sentence: rename?.sentence ?? sentenceOf(difference),
      advice: rename === null ? adviceOf(before, after, difference) : null,
      rename,
    };
  });
  const newNames = new Map<string, string>();
  for (const { change, subject, before: old } of differences)
    if (old !== null && change.endsWith("-renamed"))
      newNames.set(old, subject.name);
  const byPath = groupsOf(
    changes,
    ({ difference: { subject, path } }) =>
      `${subject.kind} ${subject.name} ${path}`,
  );
  const newName = (name: string): string => newNames.get(name) ?? name;
  return {
    folder,
    changes,
    vocabulary: vocabularyOf(before),
    newName,
    at: ({ kind, name, path }) =>
      byPath.get(`${kind} ${newName(name)} ${path}`) ?? [],
  };
}

/**
 * A difference that can touch a line, with the method as its subject if it is
 * about the declaration of a message as a whole. Nothing for additions that
 * nobody has to use, and for changes of notation, of bases and of tags other
 * than `@deprecated`.
 */
function relevantDifferences(
  difference: Difference,
  methods: ReadonlyMap<string, string>,
): Difference[] {
  const { change, after, subject, path } = difference;
  const method =
    path === "" && subject.kind === "type"
      ? methods.get(subject.name)
      : undefined;
  if (change === "tag-added") {
    if (after?.startsWith("@deprecated") !== true) return [];
    return [
      method === undefined
        ? difference
        : { ...difference, subject: { kind: "method", name: method } },
    ];
  }
  // The removal of its method says it.
  if (change === "type-removed" && method !== undefined) return [];
  const isSilent =
    /^(tag-|bases-|restated|fact-|declaration-|well-known|meta-key|engine-default|header-|primed-|idless-|(type|constant|request|notification)-added)/;
  return isSilent.test(change) ? [] : [difference];
}

/**
 * Renamed members, by both of their differences. A removed and an added member
 * of one object match if they have the same type and no other member of the
 * object that was removed or added has it.
 */
function findMemberRenames(
  differences: readonly Difference[],
): ReadonlyMap<Difference, Rename> {
  const members = differences.filter(({ change }) =>
    /^(optional|required)-member-(added|removed)$/.test(change),
  );
  const groups = groupsOf(members, ({ subject, path, before, after }) => {
    const type = (before ?? after ?? "").slice(nameIn(path).length);
    return JSON.stringify([subject, path.replace(lastStep, ""), type]);
  });
  const renames = new Map<Difference, Rename>();
  for (const group of groups.values()) {
    const [removed, added] = [
      group.find(({ before }) => before !== null),
      group.find(({ after }) => after !== null),
    ];
    if (group.length !== 2 || removed === undefined || added === undefined)
      continue;
    const [from, to] = [nameIn(removed.path), nameIn(added.path)];
    const rename = {
      from,
      to,
      sentence: `${placeOf(removed)} is renamed to ${quote(to)}`,
    };
    for (const difference of group) renames.set(difference, rename);
  }
  return renames;
}

const lastStep = /(^|\.)[^.[\]{}]+$|\["(?:[^"\\]|\\.)*"\]$/;

/**
 * The last member of a path as an object literal has it: `name` or `"a name"`.
 */
export function nameIn(path: string): string {
  return lastStep.exec(path)?.[0].replace(/^[.[]|\]$/g, "") ?? path;
}
