import * as facts from "./facts.js";
import type { Schema } from "./constraint.js";
import {
  alternativesIn,
  constantIn,
  itemsIn,
  reference,
  referenceIn,
  typeIn,
} from "./constraint/form.js";
import { flatten, flattenSchema, propertyOf } from "./flatten.js";
import { index, type Index, resolve } from "./lookup.js";
import type { Message, Protocol } from "./model.js";

/**
 * The members that a type has in some revision, as a tree. Arrays are treated
 * as their items.
 */
export interface Known {
  /** An array is allowed. */
  readonly list?: boolean;
  readonly members: Readonly<Record<string, Known>>;
  /** Further members are allowed. */
  readonly open?: boolean;
  /** The values of a dictionary, if they have members. */
  readonly values?: Known;
  /** The members of a union, by the value of `facts.blockTag`. */
  readonly kinds?: Readonly<Record<string, Known>>;
}

/**
 * What a server of a revision may send, by wire method: its results, and the
 * params of its own requests and notifications.
 */
export interface KnownMessages {
  readonly results: Trees;
  readonly params: Trees;
}

type Trees = Readonly<Record<string, Known>>;

const nothing: Known = { members: {} };

/** The members of everything that a server of this revision sends. */
export function knownOf(protocol: Protocol): KnownMessages {
  const declarations = index(protocol);
  const results: [method: string, Known][] = [];
  const params: [method: string, Known][] = [];
  for (const message of protocol.messages) {
    const { method, sender } = message;
    const [result] = message.kind === "request" ? message.results : [];
    if (sender !== "server" && result !== undefined) {
      const tree = treeOf(declarations, reference(result), []);
      results.push([method, tree]);
    }
    if (sender !== "client" && message.params.schema !== null) {
      const own = treeOf(declarations, message.params.schema, []);
      params.push([method, merge(metaOf(declarations, message), own)]);
    }
  }
  return {
    results: Object.fromEntries(results),
    params: Object.fromEntries(params),
  };
}

/**
 * `_meta` as the base type of all messages declares it; the params of a message
 * do not always repeat it.
 */
function metaOf(declarations: Index, { kind }: Message): Known {
  const params = propertyOf(flatten(declarations, facts.names[kind]), "params");
  const meta =
    params &&
    propertyOf(flattenSchema(declarations, params.schema), facts.names.meta);
  return meta
    ? { members: { [meta.name]: treeOf(declarations, meta.schema, []) } }
    : nothing;
}

function treeOf(
  declarations: Index,
  schema: Schema,
  outer: readonly string[],
): Known {
  const name = referenceIn(schema);
  if (name !== null && outer.includes(name)) {
    return { members: {}, open: true };
  }
  const inside = name === null ? outer : [...outer, name];
  const target = resolve(declarations, schema);
  if (typeIn(target) === "array")
    return {
      ...treeOf(declarations, itemsIn(target), inside),
      list: true,
    };
  const alternatives = alternativesIn(target);
  if (alternatives.length > 1) {
    let union = nothing;
    for (const member of alternatives) {
      let tree = treeOf(declarations, member, inside);
      const own = tree;
      const rows = kindsOf(declarations, member).map(
        (kind) => [kind, own] as const,
      );
      if (rows.length > 0) {
        tree = { members: {}, kinds: Object.fromEntries(rows) };
      }
      union = merge(union, tree);
    }
    return union;
  }
  const flat = flattenSchema(declarations, target);
  if (flat === null) return nothing;
  const members = flat.properties.map(
    (entry) =>
      [entry.name, treeOf(declarations, entry.schema, inside)] as const,
  );
  const values =
    flat.rest === null ? nothing : treeOf(declarations, flat.rest, inside);
  return {
    members: Object.fromEntries(members),
    ...(flat.rest !== null && { open: true }),
    ...((values.kinds ?? Object.keys(values.members).length > 0) && { values }),
  };
}

/** The values of the tag that a type allows; none if it also allows others. */
function kindsOf(declarations: Index, schema: Schema): string[] {
  const tag = propertyOf(flattenSchema(declarations, schema), facts.blockTag);
  const values = (tag ? alternativesIn(tag.schema) : []).map(constantIn);
  const kinds = values.filter((value) => typeof value === "string");
  return kinds.length === values.length ? kinds : [];
}

/** The union of two trees. */
function merge(a: Known, b: Known): Known {
  const kinds = mergeTrees(a.kinds ?? {}, b.kinds ?? {});
  const values =
    a.values && b.values ? merge(a.values, b.values) : (a.values ?? b.values);
  return {
    members: mergeTrees(a.members, b.members),
    ...((a.open ?? b.open) && { open: true }),
    ...((a.list ?? b.list) && { list: true }),
    ...(values && { values }),
    ...(Object.keys(kinds).length > 0 && { kinds }),
  };
}

/** The union of these revisions. */
export function mergeMessages(all: readonly KnownMessages[]): KnownMessages {
  const results = all.map((one) => one.results).reduce(mergeTrees, {});
  // Server capabilities are the same in the result of every request that
  // returns them.
  const { capabilities } = facts.names;
  const declared = Object.values(results).flatMap(
    ({ members }) => members[capabilities] ?? [],
  );
  const whole = declared.reduce(merge, nothing);
  const withWhole = (tree: Known): Known =>
    tree.members[capabilities]
      ? { ...tree, members: { ...tree.members, [capabilities]: whole } }
      : tree;
  return {
    results: mapValues(results, withWhole),
    params: all.map((one) => one.params).reduce(mergeTrees, {}),
  };
}

function mergeTrees(a: Trees, b: Trees): Trees {
  return {
    ...a,
    ...mapValues(b, (tree, name) => merge(treeIn(a, name), tree)),
  };
}

/**
 * The tree of a name. `Object.hasOwn` is needed because a schema may use names
 * such as `constructor`.
 */
export const treeIn = (trees: Trees, name: string, other = nothing): Known =>
  (Object.hasOwn(trees, name) ? trees[name] : undefined) ?? other;

function mapValues<A, B>(
  entries: Readonly<Record<string, A>>,
  make: (value: A, key: string) => B,
): Record<string, B> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [key, make(value, key)]),
  );
}
