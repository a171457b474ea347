import type { Json } from "./json.js";
import type { Doc } from "./model.js";
import type { TypeText } from "./snapshot/type-text.js";

/** A schema that others may refer to: a tool's input or output, or a part of one. */
export interface Definition {
  readonly key: string;
  /** The key of the tool's own schema that this one is a part of; its own key when it is that schema. */
  readonly root: string;
  /** The last step of the pointer that leads to it, for a name; empty for a root. */
  readonly label: string;
  readonly schema: Schema;
  readonly type: TypeText;
}

/**
 * A JSON Schema as conditions of which every one must hold: none accepts everything. Each kind speaks of values of one
 * JSON type, or of any, and leaves values of other types alone, as JSON Schema does.
 */
export interface Schema {
  readonly doc: Doc;
  readonly checks: readonly Check[];
}

export type Check =
  /** Accepts nothing. */
  | { readonly kind: "never" }
  | { readonly kind: "type"; readonly types: readonly TypeName[] }
  | { readonly kind: "values"; readonly values: readonly Json[] }
  | { readonly kind: "reference"; readonly key: string }
  | { readonly kind: "bound"; readonly side: "low" | "high"; readonly value: number; readonly open: boolean }
  | { readonly kind: "multiple"; readonly of: number }
  /** Counts code points of a string, items of an array, or members of an object. */
  | { readonly kind: "size"; readonly of: Sized; readonly min: number; readonly max: number | null }
  /** `longest` is the length in UTF-16 units up to which matching takes no time to speak of; null is any. */
  | { readonly kind: "pattern"; readonly source: string; readonly maxLength: number | null }
  | { readonly kind: "items"; readonly first: readonly Schema[]; readonly rest: Schema | null }
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
      /** Speaks of the members that no name and no pattern speaks of; null says nothing of them. */
      readonly rest: Schema | null;
    }
  | { readonly kind: "required"; readonly names: readonly string[] }
  | { readonly kind: "names"; readonly schema: Schema }
  /** When the member is there, so must be the others, and the whole must fit the schema. */
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

export type TypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";
export type Sized = "string" | "array" | "object";

export interface SchemaProperty {
  readonly name: string;
  readonly schema: Schema;
}

export interface PatternProperty {
  readonly pattern: string;
  readonly maxLength: number | null;
  readonly schema: Schema;
}

/** The schema that replaces one that cannot be expressed: it accepts any value. */
export const anything: Schema = { doc: { text: "", tags: [] }, checks: [] };
