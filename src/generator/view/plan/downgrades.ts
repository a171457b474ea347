import * as facts from "../../ir/facts.js";
import { type Known, type KnownMessages, treeIn } from "../../ir/known.js";

/**
 * The changes to a value before it is sent to a peer of one revision; the
 * runtime declares the same shape.
 */
export interface Downgrade {
  /**
   * Lists that only other revisions have, and the lists that replace them: each
   * holds a member of the items.
   */
  readonly lists?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Members that only other revisions have. */
  readonly omit?: readonly string[];
  /** Changes to members, by name. */
  readonly inside?: Readonly<Record<string, Downgrade>>;
  /** Changes to each value of a dictionary. */
  readonly values?: Downgrade;
  /**
   * Changes to blocks, by tag value; `as` replaces a block, null removes it
   * from its list.
   */
  readonly kinds?: Readonly<Record<string, Replaced>>;
}

type Replaced = Downgrade & {
  readonly as?: Readonly<Record<string, unknown>> | null;
};

/** The changes to all results and params, by wire method. */
export interface Downgrades {
  readonly tag: string;
  readonly results: readonly (readonly [
    method: string,
    downgrade: Downgrade,
  ])[];
  readonly params: readonly (readonly [method: string, downgrade: Downgrade])[];
}

/**
 * The changes that a server of one revision makes to its messages, by wire
 * method: parts that only the other revisions declare.
 */
export function downgradesOf(
  known: KnownMessages,
  all: KnownMessages,
): Downgrades {
  const part = (name: "results" | "params"): (readonly [string, Downgrade])[] =>
    Object.entries(known[name]).flatMap(([method, tree]) => {
      const downgrade = compare(tree, treeIn(all[name], method, tree), "top");
      return downgrade === undefined ? [] : [[method, downgrade]];
    });
  return {
    tag: facts.blockTag,
    results: part("results"),
    params: part("params"),
  };
}

/**
 * True if some of the changes concern blocks or lists, which the runtime makes
 * with a function of its own.
 */
export function hasBlocks({ results, params }: Downgrades): boolean {
  const concernsBlocks = ({
    kinds,
    lists,
    values,
    inside = {},
  }: Downgrade): boolean =>
    (kinds ?? lists) !== undefined ||
    (values !== undefined && concernsBlocks(values)) ||
    Object.values(inside).some(concernsBlocks);
  return [...results, ...params].some(([, downgrade]) =>
    concernsBlocks(downgrade),
  );
}

/**
 * Undefined without changes. Below the top level, a type that allows any
 * members only needs changes to their values. Values keep their other members:
 * fields of a form are JSON Schemas, whose readers ignore keywords that they do
 * not know.
 */
function compare(
  own: Known,
  all: Known,
  place?: "top" | "values",
): Downgrade | undefined {
  if (place !== "top" && (own.open || all.open)) {
    const values =
      own.values && all.values && compare(own.values, all.values, "values");
    return values && { values };
  }
  const isValue = place === "values";
  const kindChanges: [kind: string, Replaced][] = [];
  for (const [kind, tree] of Object.entries(
    own.kinds ? (all.kinds ?? {}) : {},
  )) {
    const isKnown = own.kinds !== undefined && Object.hasOwn(own.kinds, kind);
    const downgrade = isKnown
      ? compare(treeIn(own.kinds, kind), tree, isValue ? "values" : undefined)
      : replacement(kind, own);
    if (downgrade) kindChanges.push([kind, downgrade]);
  }
  const [inRevision, inAll] = own.kinds ? [own, all] : [own, mergeKinds(all)];
  const omit = Object.keys(inAll.members).filter(
    (name) => !Object.hasOwn(inRevision.members, name),
  );
  const lists = facts.replacedLists.flatMap(({ list, as }) =>
    omit.includes(list) &&
    Object.keys(as).every((name) => Object.hasOwn(inRevision.members, name))
      ? [[list, as] as const]
      : [],
  );
  const inside = Object.entries(inRevision.members).flatMap(([name, tree]) => {
    const downgrade = compare(tree, treeIn(inAll.members, name, tree));
    return downgrade === undefined ? [] : [[name, downgrade] as const];
  });
  // A value with one type here and several elsewhere has no members of its own.
  const hasMembers = Object.keys(inRevision.members).length > 0;
  const downgrade: Downgrade = {
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
    ...(hasMembers && omit.length > 0 && !isValue && { omit }),
    ...(inside.length > 0 && { inside: Object.fromEntries(inside) }),
    ...(kindChanges.length > 0 && { kinds: Object.fromEntries(kindChanges) }),
  };
  return Object.keys(downgrade).length > 0 ? downgrade : undefined;
}

const mergeKinds = ({ members, kinds = {} }: Known): Known => ({
  members: Object.fromEntries(
    [members, ...Object.values(kinds).map((kind) => kind.members)].flatMap(
      (entry) => Object.entries(entry),
    ),
  ),
});

/**
 * The first row with a block that is allowed here; null without one, if the
 * block can be removed from a list.
 */
function replacement(
  kind: string,
  { kinds = {}, list }: Known,
): Replaced | undefined {
  const row = facts.replacements.find(
    (entry) =>
      entry.kind === kind && Object.hasOwn(kinds, entry.as[facts.blockTag]),
  );
  return row ? { as: row.as } : list ? { as: null } : undefined;
}
