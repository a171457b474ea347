import * as facts from "../../ir/facts.js";
import { type Known, type KnownMessages, treeIn } from "../../ir/known.js";

/**
 * The changes to a value before it is sent to a peer of one revision; the
 * runtime declares the same shape.
 */
interface Downgrade {
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
  readonly results: readonly MethodDowngrade[];
  readonly params: readonly MethodDowngrade[];
}

type MethodDowngrade = readonly [method: string, downgrade: Downgrade];

/**
 * The changes that a server of one revision makes to its messages, by wire
 * method: parts that only the other revisions declare.
 */
export function downgradesOf(
  known: KnownMessages,
  all: KnownMessages,
): Downgrades {
  const part = (name: "results" | "params"): MethodDowngrade[] =>
    Object.entries(known[name]).flatMap(([method, tree]) => {
      const whole = treeIn(all[name], method, tree);
      const downgrade = compare(tree, whole, "top");
      if (downgrade === undefined) return [];
      return [[method, downgrade]];
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
  const rows = [...results, ...params];
  return rows.some(([, downgrade]) => concernsBlocks(downgrade));
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
    if (!own.values || !all.values) return undefined;
    const values = compare(own.values, all.values, "values");
    return values && { values };
  }
  const inner = place === "values" ? place : undefined;
  const kindChanges: [kind: string, Replaced][] = [];
  const allKinds = (own.kinds && all.kinds) ?? {};
  for (const [kind, tree] of Object.entries(allKinds)) {
    const { kinds = {} } = own;
    const downgrade = Object.hasOwn(kinds, kind)
      ? compare(treeIn(kinds, kind), tree, inner)
      : replacement(kind, own);
    if (downgrade) {
      kindChanges.push([kind, downgrade]);
    }
  }
  const { members } = own;
  const allMembers = own.kinds ? all.members : membersOfKinds(all);
  const has = (name: string): boolean => Object.hasOwn(members, name);
  const omit = Object.keys(allMembers).filter((name) => !has(name));
  const lists = facts.replacedLists
    .filter(({ list }) => omit.includes(list))
    .filter(({ as }) => Object.keys(as).every(has))
    .map(({ list, as }) => [list, as] as const);
  const inside: [name: string, Downgrade][] = [];
  for (const [name, tree] of Object.entries(members)) {
    const downgrade = compare(tree, treeIn(allMembers, name, tree));
    if (downgrade !== undefined) {
      inside.push([name, downgrade]);
    }
  }
  // A value with one type here and several elsewhere has no members of its own.
  const hasMembers = Object.keys(members).length > 0;
  const downgrade: Downgrade = {
    ...(lists.length > 0 && {
      lists: Object.fromEntries(lists),
    }),
    ...(hasMembers && omit.length > 0 && !inner && { omit }),
    ...(inside.length > 0 && {
      inside: Object.fromEntries(inside),
    }),
    ...(kindChanges.length > 0 && {
      kinds: Object.fromEntries(kindChanges),
    }),
  };
  const isEmpty = Object.keys(downgrade).length === 0;
  return isEmpty ? undefined : downgrade;
}

/** The members of all alternatives. */
const membersOfKinds = ({ members, kinds = {} }: Known): Known["members"] =>
  Object.fromEntries(
    [{ members }, ...Object.values(kinds)].flatMap((kind) => {
      return Object.entries(kind.members);
    }),
  );

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
      Object.hasOwn(kinds, entry.as[facts.blockTag]) && entry.kind === kind,
  );
  if (row) return { as: row.as };
  return list ? { as: null } : undefined;
}
