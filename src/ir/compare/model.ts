import type { Schema } from "../constraint.js";
import type { Definitions } from "../constraint/accepts.js";

/** The effect of a change on the values that are allowed at its path. */
export type Shift =
  /** Some values are no longer accepted. */
  | "narrower"
  /** Some values are newly allowed. */
  | "wider"
  /** Both. */
  | "other"
  /** Values differ, but no program breaks. */
  | "harmless";

/** A kind of change: its effect on the values at its path, and what a report calls it. */
export interface ChangeKind<S = Shift> {
  readonly shift: S;
  readonly phrase: string;
}

export type SchemaChange = keyof typeof schemaChanges;

/** Every kind of change of a schema. */
export const schemaChanges = {
  // Members of objects. Unless an object is closed, a receiver ignores unknown members.
  "optional-member-added": { shift: "harmless", phrase: "optional member added" },
  "optional-member-removed": { shift: "harmless", phrase: "optional member removed" },
  "required-member-added": { shift: "narrower", phrase: "required member added" },
  "required-member-removed": { shift: "wider", phrase: "required member removed" },
  "member-made-required": { shift: "narrower", phrase: "made required" },
  "member-made-optional": { shift: "wider", phrase: "made optional" },
  "other-members-refused": { shift: "narrower", phrase: "other members are no longer allowed" },
  "other-members-allowed": { shift: "wider", phrase: "other members are allowed now" },
  // A rule that allows any other member has the same meaning as none.
  "openness-changed": { shift: "harmless", phrase: "any other members" },
  // Types and values.
  "type-narrowed": { shift: "narrower", phrase: "narrowed" },
  "type-widened": { shift: "wider", phrase: "widened" },
  "type-replaced": { shift: "other", phrase: "another type" },
  "value-added": { shift: "wider", phrase: "value added" },
  "value-removed": { shift: "narrower", phrase: "value removed" },
  "values-listed": { shift: "narrower", phrase: "limited to a list of values" },
  "values-freed": { shift: "wider", phrase: "no longer limited to a list of values" },
  // Values that another alternative accepts as well.
  "known-value-added": { shift: "harmless", phrase: "known value added" },
  "known-value-removed": { shift: "harmless", phrase: "known value removed" },
  "alternative-added": { shift: "wider", phrase: "alternative added" },
  "alternative-removed": { shift: "narrower", phrase: "alternative removed" },
  "bound-tightened": { shift: "narrower", phrase: "bound tightened" },
  "bound-loosened": { shift: "wider", phrase: "bound loosened" },
  // Other conditions are compared as a whole.
  "condition-added": { shift: "narrower", phrase: "condition added" },
  "condition-removed": { shift: "wider", phrase: "condition removed" },
  "condition-changed": { shift: "other", phrase: "condition" },
  // Schemas that differ and are too large or too deep to compare in detail.
  "schema-changed": { shift: "other", phrase: "changed, and too large to compare in detail" },
} as const satisfies Record<string, ChangeKind>;

/** A change of a schema before its subject and its consequences are known. */
export interface SchemaDelta {
  readonly change: SchemaChange;
  /** Relative to the start of the comparison. */
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** The effect on the values, if it is not the usual one of this kind of change. */
  readonly shift?: Shift;
}

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** The schemas of one of the two sides under comparison. */
export interface SchemaSet {
  /** The targets of references. */
  readonly definitions: Definitions;
  /** The keys of schemas that are compared on their own. */
  readonly named: ReadonlySet<string>;
  /** Those of them whose references are not followed, because both sides list them among their alternatives. */
  readonly shared: ReadonlySet<string>;
  /** The results of `keyOf`. */
  readonly keys: WeakMap<Schema, string>;
  /** Short names for the texts of definitions, the same on both sides. */
  readonly aliases: Map<string, string>;
}

/** A schema that was split into alternatives, which do not have its annotations. */
export interface Whole {
  readonly side: SchemaSet;
  readonly schema: Schema;
}

export interface SchemaSets {
  readonly before: SchemaSet;
  readonly after: SchemaSet;
}

/** Two sets of schemas. `named` are the keys of those that are compared on their own. */
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

/** Both sides and the phrases for them. `Own` are the differences between annotations. */
export interface Phrased<Own> extends SchemaSets {
  readonly phrases: Phrases<Own>;
}

/** Two sets of schemas under comparison. */
export interface Pair<Own> extends Phrased<Own> {
  /**
   * The differences of pairs of schemas, so that none is compared twice; null while the comparison runs, because a
   * schema may contain itself.
   */
  readonly compared: Map<Schema, Map<Schema, readonly (SchemaDelta | Own)[] | null>>;
}

/** What differs between the comparison of protocols and that of servers. */
export interface Phrases<Own> {
  /** A schema in a few words. */
  readonly schema: (side: SchemaSet, schema: Schema) => string;
  /** A member in a few words. */
  readonly member: (side: SchemaSet, member: Member) => string;
  /** The step of a path that leads to one of several alternatives; empty for none. */
  readonly step: (side: SchemaSet, alternative: Schema) => string;
  /** The differences between the annotations of two schemas. `whole` is a schema of which one of them is a part. */
  readonly annotations: (
    sides: SchemaSets,
    old: Schema,
    fresh: Schema,
    whole: Whole | null,
  ) => readonly Own[];
}

/** A new comparison of two sets of schemas. */
export function pairOf<Own>({ before, after }: SchemaSets, phrases: Phrases<Own>): Pair<Own> {
  return { before, after, phrases, compared: new Map() };
}

/** The same differences with a path that starts further out. */
export function under<Delta extends { readonly path: string }>(
  path: string,
  deltas: readonly Delta[],
): Delta[] {
  return deltas.map((delta) => ({ ...delta, path: path + delta.path }));
}

/** The path of a member: `.name`, or `["a name"]` for a name with special characters. */
export function step(name: string): string {
  return isName(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** True for a name that needs no quotes. */
export function isName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}
