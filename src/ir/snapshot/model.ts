import type { Definition } from "../constraint.js";

/**
 * What one server offers, as its snapshot tells it: every reader of snapshots makes it, every view of a project takes it.
 * Closed (a key names a definition), ordered (by name, code point by code point) and plain, as the model of a protocol is.
 */
export interface Snapshot {
  /** The revision that was agreed on when the snapshot was taken. */
  readonly revision: string;
  readonly source: SnapshotSource;
  /** What the server calls itself, for the names of what is generated. */
  readonly name: string;
  /** The server's own description of itself, as it stands in the snapshot. */
  readonly server: JsonRecord;
  readonly capabilities: JsonRecord;
  readonly instructions: string | null;
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly templates: readonly Template[];
  /** Every schema of the snapshot that has a key. */
  readonly definitions: readonly Definition[];
}

export interface SnapshotSource {
  /** A path relative to the project, with forward slashes. */
  readonly name: string;
  readonly sha256: string;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [member: string]: Json;
}

/** What tools, prompts, resources and templates have in common. */
export interface Entry {
  /** The name on the wire. */
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  /** The whole entry as the server lists it. */
  readonly raw: JsonRecord;
}

export interface Tool extends Entry {
  /** The key of the arguments' definition. */
  readonly input: string;
  /** Must a caller give arguments at all? */
  readonly needsInput: boolean;
  /** The key of the structured result's definition; null for a tool that promises none. */
  readonly output: string | null;
  readonly hints: Hints;
}

/** What a server says of a tool's effects. Null where it says nothing. Never to be relied on: it is the server's word. */
export interface Hints {
  readonly readOnly: boolean | null;
  readonly destructive: boolean | null;
  readonly idempotent: boolean | null;
  readonly openWorld: boolean | null;
}

export interface Prompt extends Entry {
  /** The key of the arguments' definition; null for a prompt without any. */
  readonly input: string | null;
  readonly needsInput: boolean;
}

export interface Resource extends Entry {
  readonly uri: string;
}

export interface Template extends Entry {
  /** As the server writes it (RFC 6570). */
  readonly template: string;
  /** The same, taken apart; null when it is no template that can be expanded. */
  readonly parts: readonly TemplatePart[] | null;
}

/** Text as it stands, or an expression with its variables. */
export type TemplatePart = string | TemplateExpression;

export interface TemplateExpression {
  /** One of `+ # . / ; ? &`, or nothing. */
  readonly operator: string;
  readonly variables: readonly TemplateVariable[];
}

export interface TemplateVariable {
  readonly name: string;
  /** Is every member of a list or map written out on its own (`*`)? */
  readonly explode: boolean;
  /** The most characters that are kept (`:3`); null for all. */
  readonly prefix: number | null;
}
