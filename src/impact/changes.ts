import { diff, type Difference } from "../ir/diff/index.js";
import { phraseOf } from "../ir/diff/render/phrase.js";
import type { Break } from "../ir/diff/index.js";
import type { Protocol } from "../ir/model.js";
import { adviceOf, findMemberRenames, parentOf, type Rename } from "./advice.js";
import { quote } from "./quote.js";
import { type Meaning, vocabularyOf, type Vocabulary } from "./vocabulary.js";

/** A change of the protocol as the report describes it. */
export interface Change {
  readonly difference: Difference;
  /** A sentence without its full stop. */
  readonly sentence: string;
  /** What to write instead, wherever the program is touched; null if that depends on the line or is not mechanical. */
  readonly advice: string | null;
  readonly breaks: readonly Break[];
  /** The rename of a member that it is a part of; null for any other change. */
  readonly rename: Rename | null;
  /** True for a removed member whose object now allows members of any name. */
  readonly isOpen: boolean;
}

/** All changes between two protocols, by what they change. */
export interface Changes {
  readonly all: readonly Change[];
  readonly vocabulary: Vocabulary;
  /** The changes at exactly this path, and not inside it. */
  readonly at: (meaning: Meaning) => readonly Change[];
  /** The name in the new protocol of a type or constant. */
  readonly newName: (name: string) => string;
}

/** Sorts changes by relevance: a change that breaks a peer or removes a name first. */
export function changesOf(before: Protocol, after: Protocol): Changes {
  const { differences } = diff(before, after);
  const newNames = new Map(
    differences.flatMap(({ change, was, subject }) =>
      change.endsWith("-renamed") && change !== "method-renamed" && was !== null
        ? [[was, subject.name] as const]
        : [],
    ),
  );
  const newMethods = new Map(
    differences.flatMap(({ change, was, is }) =>
      change === "method-renamed" && was !== null && is !== null ? [[was, is] as const] : [],
    ),
  );
  const renames = findMemberRenames(differences);
  const openObjects = new Set(
    differences.flatMap(({ change, is, subject, path }) =>
      (change === "openness-changed" || change === "type-widened") && is !== null && path.endsWith("{}")
        ? [keyOf(subject.kind, subject.name, path.slice(0, -2))]
        : [],
    ),
  );
  const all = differences.map((difference) => changeOf(before, after, difference, renames, openObjects));
  const byPath = new Map<string, Change[]>();
  const add = (key: string, change: Change): void => {
    const list = byPath.get(key) ?? [];
    byPath.set(key, list);
    list.push(change);
  };
  for (const change of all) {
    const { subject, path } = change.difference;
    add(keyOf(subject.kind, subject.name, path), change);
  }
  const vocabulary = vocabularyOf(before);
  const newName = (name: string): string => newNames.get(name) ?? name;
  return {
    all,
    vocabulary,
    newName,
    at: ({ kind, name, path }) => {
      const own = kind === "message" ? (newMethods.get(name) ?? name) : newName(name);
      // The name of a guard follows that of its type.
      return byPath.get(keyOf(kind === "guard" ? "type" : kind, own, path)) ?? [];
    },
  };
}

function keyOf(kind: string, name: string, path: string): string {
  return `${kind} ${name} ${path}`;
}

function changeOf(
  before: Protocol,
  after: Protocol,
  difference: Difference,
  renames: ReadonlyMap<Difference, Rename>,
  openObjects: ReadonlySet<string>,
): Change {
  const rename = renames.get(difference);
  const subject = subjectText(difference);
  const sentence =
    rename === undefined
      ? `${subject}: ${phraseOf(difference, quote)}`
      : `${subject}: the member ${quote(rename.from)} is renamed to ${quote(rename.to)}`;
  return {
    difference,
    sentence,
    advice: rename === undefined ? adviceOf(before, after, difference) : null,
    breaks: difference.breaks,
    rename: rename ?? null,
    isOpen: openObjects.has(
      keyOf(difference.subject.kind, difference.subject.name, parentOf(difference.path)),
    ),
  };
}

/** The subject of a difference as text: "`Tool.title`", "method `tools/call`". */
function subjectText({ subject, path }: Difference): string {
  switch (subject.kind) {
    case "protocol":
      return path === "" ? "protocol" : `protocol, ${quote(path)}`;
    case "message":
      return path === "" ? `method ${quote(subject.name)}` : `method ${quote(subject.name)}, ${quote(path)}`;
    case "type":
      return path === ""
        ? `type ${quote(subject.name)}`
        : quote(`${subject.name}${/^[[{]/.test(path) ? "" : "."}${path}`);
    case "constant":
      return `constant ${quote(subject.name)}`;
    default:
      return subject.kind satisfies never;
  }
}
