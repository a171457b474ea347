import type { Definition } from "../constraint.js";
import type { JsonRecord } from "../json.js";
import type { Source } from "../model.js";

export type { Json, JsonRecord } from "../json.js";

/**
 * What one server offers, according to its snapshot. Every reader of snapshots
 * makes it, and every view of a project uses it. Like the model of a protocol
 * it is closed (a key names a definition), ordered (by name, by code points)
 * and plain.
 */
export interface Snapshot {
  /**
   * The negotiated revision when the snapshot was taken; of a file that a
   * person wrote, the newest one of the server.
   */
  readonly revision: string;
  /**
   * The revisions of the server in a file that a person wrote; null in a
   * snapshot that `mcpgen pull` took.
   */
  readonly revisions: readonly string[] | "all" | null;
  readonly source: Pick<Source, "name" | "sha256">;
  /** The server's name; generated names use it. */
  readonly name: string;
  /** The server's `serverInfo`, as in the snapshot. */
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

/** The common part of tools, prompts, resources and templates. */
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
  /** True if a caller must pass arguments. */
  readonly needsInput: boolean;
  /**
   * The key of the structured result's definition; null if the tool declares
   * none.
   */
  readonly output: string | null;
  readonly hints: Hints;
}

/**
 * A tool's annotations; null where absent. Servers are not trusted, so never
 * rely on them.
 */
export interface Hints {
  readonly readOnly: boolean | null;
  readonly destructive: boolean | null;
  readonly idempotent: boolean | null;
  readonly openWorld: boolean | null;
}

export interface Prompt extends Entry {
  /**
   * The key of the arguments' definition; null for a prompt without arguments.
   */
  readonly input: string | null;
  readonly needsInput: boolean;
}

export interface Resource extends Entry {
  readonly uri: string;
}

export interface Template extends Entry {
  /** As the server writes it (RFC 6570). */
  readonly template: string;
  /** The parsed template; null if it is invalid. */
  readonly parts: readonly TemplatePart[] | null;
}

/** Literal text, or an expression with its variables. */
export type TemplatePart = string | TemplateExpression;

export interface TemplateExpression {
  /** One of `+ # . / ; ? &`, or empty. */
  readonly operator: string;
  readonly variables: readonly TemplateVariable[];
}

export interface TemplateVariable {
  readonly name: string;
  /** True if each member of a list or map is expanded on its own (`*`). */
  readonly explode: boolean;
  /** The maximum number of characters (`:3`); null for all. */
  readonly prefix: number | null;
}
