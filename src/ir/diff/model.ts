import { schemaShifts, type Shift } from "../compare/model.js";
import type { Side } from "../model.js";

/** The differences between two revisions. Plain data: `renderJson` prints it. */
export interface Comparison {
  /** Version of this format. Increases when programs that read the JSON need a change. */
  readonly format: 1;
  /**
   * "whole": the complete representations, including inheritance, names and tags, if both were read from TypeScript.
   * "projection": otherwise the wire projections (see `../projection.ts`), because a JSON Schema cannot express the
   * rest.
   */
  readonly basis: "whole" | "projection";
  readonly from: Compared;
  readonly to: Compared;
  /** Empty if both are equal apart from prose and order. Grouped by subject, in a stable order. */
  readonly differences: readonly Difference[];
}

export interface Compared {
  readonly revision: string;
  /** The name of the source in the representation. */
  readonly source: string;
}

export interface Difference {
  readonly change: Change;
  readonly subject: Subject;
  /** The path inside the subject: "params.name", "content[].type", "experimental{}"; empty for the subject itself. */
  readonly path: string;
  /** The old and the new text: a type or a member in TypeScript syntax, a value, or a limit; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /**
   * "breaking": if one side is older, it sends a message that the other does not understand. "compatible": messages
   * change, but old and new peers understand each other. "neither": no message changes.
   */
  readonly impact: "breaking" | "compatible" | "neither";
  /** The older peers that fail with a newer one; empty unless breaking. */
  readonly breaks: readonly Break[];
}

/** The subject of a difference: the protocol as a whole, a message by its method, a type or constant by its name. */
export interface Subject {
  readonly kind: "protocol" | "message" | "type" | "constant";
  /** The newer name if it was renamed; empty for the protocol. */
  readonly name: string;
}

/** An old client or server fails when it sends to a newer peer, or when it receives from one. */
export interface Break {
  readonly side: Side;
  readonly when: "sends" | "receives";
}

/** The effect of a change on the values at its path, or none on messages. `variance.ts` derives who breaks. */
export type MessageShift = Shift | "none";

export type Change = keyof typeof shifts;

/** Every kind of change with its effect on the values at its path. */
export const shifts = {
  // Types.
  ...schemaShifts,
  "format-changed": "none",
  // The same values in another notation.
  restated: "none",
  "openness-changed": "none",
  "tag-added": "none",
  "tag-removed": "none",
  // Members of a message beside its params. JSON-RPC defines them, whether or not a type lists them.
  "message-member-changed": "none",
  // Declarations. Their effects are listed as changes of the messages and types that use them.
  "type-added": "none",
  "type-removed": "none",
  "type-renamed": "none",
  "kind-changed": "none",
  "bases-changed": "none",
  "constant-added": "none",
  "constant-removed": "none",
  "constant-renamed": "none",
  // A number is an error code, which peers compare. A string is a label; if a type uses it, the type changes too.
  "constant-changed": "other",
  // Messages. A receiver ignores unknown notifications and answers unknown requests with an error.
  "request-added": "harmless",
  "request-removed": "narrower",
  "notification-added": "harmless",
  "notification-removed": "harmless",
  "method-renamed": "other",
  "sender-added": "harmless",
  "sender-removed": "narrower",
  "declaration-changed": "none",
  "carriage-changed": "other",
  "result-added": "wider",
  "result-removed": "narrower",
  "capability-required": "other",
  "capability-released": "harmless",
  // A capability that a request needs only with certain params.
  "capability-condition-added": "none",
  "capability-condition-removed": "none",
  "header-member-added": "narrower",
  "header-member-removed": "harmless",
  "fact-changed": "none",
  // The protocol as a whole.
  "opening-changed": "other",
  "batches-added": "wider",
  "batches-removed": "narrower",
  "idless-errors-added": "wider",
  "idless-errors-removed": "narrower",
  // A client ignores an event without data.
  "primed-streams-added": "harmless",
  "primed-streams-removed": "harmless",
  "error-code-changed": "other",
  "header-added": "harmless",
  "header-removed": "harmless",
  "header-renamed": "other",
  "well-known-method-changed": "none",
  "meta-key-changed": "none",
  "engine-default-changed": "none",
} as const satisfies Record<string, MessageShift>;
