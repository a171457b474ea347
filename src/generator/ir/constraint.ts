import type { Json } from "./json.js";

/**
 * A schema that can be the target of references: the input or output of a tool,
 * or a part of one.
 */
export interface Definition {
  readonly key: string;
  /**
   * The key of the tool's schema that contains this one; its own key if it is
   * that schema.
   */
  readonly root: string;
  /** The last step of its JSON pointer, for a name; empty for a root. */
  readonly label: string;
  /**
   * The schema to check values with: without conditions that cannot be checked.
   */
  readonly schema: Schema;
  /** The schema as it was read, for comparisons with another snapshot. */
  readonly original: Schema;
}

/**
 * A JSON Schema as a conjunction of checks: without checks it accepts every
 * value. As in JSON Schema, a check applies to values of one JSON type, or of
 * all types, and ignores others.
 */
export interface Schema {
  readonly doc: Doc;
  readonly checks: readonly Check[];
  /** The other keywords of the schema; undefined without any. */
  readonly notes?: readonly Note[];
}

/** Prose and machine-readable tags. */
export interface Doc {
  /**
   * Prose without comment marks; an empty line separates paragraphs; empty if
   * there is no prose.
   */
  readonly text: string;
  /** In source order; the text is trimmed and may be empty. */
  readonly tags: readonly Tag[];
}

export interface Tag {
  /**
   * Without the at-sign: format, TJS-type, minimum, maximum, maxItems,
   * nullable, deprecated, internal, category, mcpName, declaredBy.
   */
  readonly name: string;
  readonly text: string;
}

/**
 * A keyword that no check holds: an annotation such as `title`, or a condition
 * that is not checked.
 */
export interface Note {
  readonly keyword: string;
  readonly value: Json;
  readonly isCondition: boolean;
}

export type Check =
  /** Accepts nothing. */
  | { readonly kind: "never" }
  | { readonly kind: "type"; readonly types: readonly TypeName[] }
  | { readonly kind: "values"; readonly values: readonly Json[] }
  | { readonly kind: "reference"; readonly key: string }
  | {
      readonly kind: "bound";
      readonly side: "low" | "high";
      readonly value: number;
      readonly open: boolean;
    }
  | { readonly kind: "multiple"; readonly of: number }
  /**
   * Counts code points of a string, items of an array, or members of an object.
   */
  | {
      readonly kind: "size";
      readonly of: Sized;
      readonly min: number;
      readonly max: number | null;
    }
  /**
   * `maxLength` is the maximum length, in UTF-16 units, of texts that are
   * matched, because matching a longer one may take too long; null for no
   * limit.
   */
  | {
      readonly kind: "pattern";
      readonly source: string;
      readonly maxLength: number | null;
    }
  | {
      readonly kind: "items";
      readonly first: readonly Schema[];
      readonly rest: Schema | null;
    }
  | { readonly kind: "unique" }
  | {
      readonly kind: "contains";
      readonly schema: Schema;
      readonly min: number;
      readonly max: number | null;
    }
  | {
      readonly kind: "members";
      readonly properties: readonly SchemaProperty[];
      readonly patterns: readonly PatternProperty[];
      /**
       * Applies to members that no name and no pattern matches; null if any are
       * allowed.
       */
      readonly rest: Schema | null;
    }
  | { readonly kind: "required"; readonly names: readonly string[] }
  | { readonly kind: "names"; readonly schema: Schema }
  /**
   * If the member is present, the other members must be present and the whole
   * object must match the schema.
   */
  | {
      readonly kind: "dependent";
      readonly member: string;
      readonly names: readonly string[];
      readonly schema: Schema | null;
    }
  | { readonly kind: "all"; readonly schemas: readonly Schema[] }
  | { readonly kind: "any"; readonly schemas: readonly Schema[] }
  | { readonly kind: "one"; readonly schemas: readonly Schema[] }
  | { readonly kind: "not"; readonly schema: Schema }
  | {
      readonly kind: "when";
      readonly test: Schema;
      readonly then: Schema | null;
      readonly otherwise: Schema | null;
    };

// Kinds of checks by what they apply to. A switch over some kinds ends with
// `satisfies CheckOf<…>` for all others, so that the compiler finds each switch
// when a kind is added.
export type ValueKind = "never" | "type" | "values" | "reference";
export type BranchKind = "all" | "any" | "one" | "not" | "when";
export type ScalarKind = "bound" | "multiple" | "pattern" | "size";
export type ArrayKind = "items" | "unique" | "contains";
export type ObjectKind = "members" | "required" | "names" | "dependent";
/** The kinds without a schema in them. */
export type PlainKind = ValueKind | ScalarKind | "unique" | "required";

/** A check of one kind. */
export type CheckOf<K extends Check["kind"]> = Extract<Check, { kind: K }>;

/** The checks of one kind. */
export function ofKind<K extends Check["kind"]>(
  checks: readonly Check[],
  kind: K,
): CheckOf<K>[] {
  return checks.filter((check): check is CheckOf<K> => check.kind === kind);
}

/** All types of JSON Schema; an integer is also a number. */
export const typeNames = [
  "null",
  "boolean",
  "integer",
  "number",
  "string",
  "array",
  "object",
] as const;

export type TypeName = (typeof typeNames)[number];
export type Sized = "string" | "array" | "object";

export interface SchemaProperty {
  /** The wire name; it may be any string. */
  readonly name: string;
  readonly schema: Schema;
}

export interface PatternProperty {
  readonly pattern: string;
  readonly maxLength: number | null;
  readonly schema: Schema;
}

/** The keyword of a note that holds a whole schema which was not read. */
export const unreadSchema = "";

/** Replaces a schema that cannot be expressed: accepts any value. */
export const anything: Schema = { doc: { text: "", tags: [] }, checks: [] };
