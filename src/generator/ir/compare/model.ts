import type { Schema } from "../constraint.js";
import type { Delta } from "../change/model.js";
import type { Definitions } from "../constraint/accepts.js";
import type { Property } from "../constraint/form.js";

/** The schemas of one of the two sides under comparison. */
export interface SchemaSet {
  /** The targets of references. */
  readonly definitions: Definitions;
  /** The keys of schemas that are compared on their own. */
  readonly named: ReadonlySet<string>;
  /**
   * Those of them whose references are not followed, because both sides list
   * them among their alternatives.
   */
  readonly shared: ReadonlySet<string>;
  /** The results of `keyOf`. */
  readonly keys: WeakMap<Schema, string>;
  /** Short names for the texts of definitions, the same on both sides. */
  readonly aliases: Map<string, string>;
}

/**
 * A schema that was split into alternatives, which do not have its annotations.
 */
export interface Whole {
  readonly side: SchemaSet;
  readonly schema: Schema;
}

export interface SchemaSets {
  readonly before: SchemaSet;
  readonly after: SchemaSet;
}

/**
 * Two sets of schemas. `named` are the keys of those that are compared on their
 * own.
 */
export function schemaSets(
  before: Definitions,
  after: Definitions,
  named: ReadonlySet<string> = new Set(),
): SchemaSets {
  const aliases = new Map<string, string>();
  const setOf = (definitions: Definitions): SchemaSet => {
    return { definitions, named, shared: named, keys: new WeakMap(), aliases };
  };
  return { before: setOf(before), after: setOf(after) };
}

/** Both sides and the phrases for them. */
export interface Phrased extends SchemaSets {
  readonly phrases: Phrases;
}

/** Two sets of schemas under comparison. */
export interface Pair extends Phrased {
  /**
   * The differences of pairs of schemas, so that none is compared twice; null
   * while the comparison runs, because a schema may contain itself.
   */
  readonly compared: Map<Schema, Map<Schema, readonly Delta[] | null>>;
}

/** What differs between the comparison of protocols and that of servers. */
export interface Phrases {
  /** A schema in a few words. */
  readonly schema: (side: SchemaSet, schema: Schema) => string;
  /** A member in a few words. */
  readonly member: (side: SchemaSet, member: Property) => string;
  /**
   * The step of a path that leads to one of several alternatives; empty for
   * none.
   */
  readonly step: (side: SchemaSet, alternative: Schema) => string;
  /**
   * The differences between the annotations of two schemas. `whole` is a schema
   * of which one of them is a part.
   */
  readonly annotations: (
    sides: SchemaSets,
    old: Schema,
    fresh: Schema,
    whole: Whole | null,
  ) => readonly Delta[];
}

/** A new comparison of two sets of schemas. */
export function pairOf({ before, after }: SchemaSets, phrases: Phrases): Pair {
  return { before, after, phrases, compared: new Map() };
}

/** The same differences with a path that starts further out. */
export function under(path: string, deltas: readonly Delta[]): Delta[] {
  return deltas.map((delta) => ({ ...delta, path: path + delta.path }));
}

/**
 * The path of a member: `.name`, or `["a name"]` for a name with special
 * characters.
 */
export function step(name: string): string {
  return isName(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** True for a name that needs no quotes. */
export function isName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}
