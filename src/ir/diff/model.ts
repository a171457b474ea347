import { schemaChanges, type ChangeKind, type Shift } from "../compare/model.js";
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

export type Change = keyof typeof changes;

/** Every kind of change. */
export const changes = {
  // Types.
  ...schemaChanges,
  "format-changed": { shift: "none", phrase: "format" },
  // The same values in another notation.
  restated: { shift: "none", phrase: "same meaning in another notation" },
  "openness-changed": { shift: "none", phrase: "any other members" },
  "tag-added": { shift: "none", phrase: "tag added" },
  "tag-removed": { shift: "none", phrase: "tag removed" },
  // Members of a message beside its params. JSON-RPC defines them, whether or not a type lists them.
  "message-member-changed": { shift: "none", phrase: "member of the message" },
  // Declarations. Their effects are listed as changes of the messages and types that use them.
  "type-added": { shift: "none", phrase: "added" },
  "type-removed": { shift: "none", phrase: "removed" },
  "type-renamed": { shift: "none", phrase: "renamed" },
  "kind-changed": { shift: "none", phrase: "kind of declaration" },
  "bases-changed": { shift: "none", phrase: "bases" },
  "constant-added": { shift: "none", phrase: "added" },
  "constant-removed": { shift: "none", phrase: "removed" },
  "constant-renamed": { shift: "none", phrase: "renamed" },
  // A number is an error code, which peers compare. A string is a label; if a type uses it, the type changes too.
  "constant-changed": { shift: "other", phrase: "value" },
  // Messages. A receiver ignores unknown notifications and answers unknown requests with an error.
  "request-added": { shift: "harmless", phrase: "request added" },
  "request-removed": { shift: "narrower", phrase: "request removed" },
  "notification-added": { shift: "harmless", phrase: "notification added" },
  "notification-removed": { shift: "harmless", phrase: "notification removed" },
  "method-renamed": { shift: "other", phrase: "method renamed" },
  "sender-added": { shift: "harmless", phrase: "senders added" },
  "sender-removed": { shift: "narrower", phrase: "senders removed" },
  "declaration-changed": { shift: "none", phrase: "declared by another type" },
  "carriage-changed": { shift: "other", phrase: "carriage" },
  "result-added": { shift: "wider", phrase: "result added" },
  "result-removed": { shift: "narrower", phrase: "result removed" },
  "capability-required": { shift: "other", phrase: "capability needed" },
  "capability-released": { shift: "harmless", phrase: "capability no longer needed" },
  // A capability that a request needs only with certain params.
  "capability-condition-added": { shift: "none", phrase: "capability needed for some params" },
  "capability-condition-removed": { shift: "none", phrase: "capability no longer needed for these params" },
  "header-member-added": { shift: "narrower", phrase: "member repeated in an HTTP header" },
  "header-member-removed": { shift: "harmless", phrase: "member no longer repeated in an HTTP header" },
  "fact-added": { shift: "none", phrase: "fact added" },
  "fact-removed": { shift: "none", phrase: "fact removed" },
  "fact-changed": { shift: "none", phrase: "facts" },
  // The protocol as a whole.
  "opening-changed": { shift: "other", phrase: "how a connection opens" },
  "batches-added": { shift: "wider", phrase: "JSON-RPC batches" },
  "batches-removed": { shift: "narrower", phrase: "JSON-RPC batches" },
  "idless-errors-added": { shift: "wider", phrase: "errors without an id" },
  "idless-errors-removed": { shift: "narrower", phrase: "errors without an id" },
  // A client ignores an event without data.
  "primed-streams-added": { shift: "harmless", phrase: "HTTP streams that begin with an event id" },
  "primed-streams-removed": { shift: "harmless", phrase: "HTTP streams that begin with an event id" },
  "error-code-added": { shift: "other", phrase: "error code added" },
  "error-code-removed": { shift: "other", phrase: "error code removed" },
  "error-code-changed": { shift: "other", phrase: "error code" },
  "header-added": { shift: "harmless", phrase: "HTTP header added" },
  "header-removed": { shift: "harmless", phrase: "HTTP header removed" },
  "header-renamed": { shift: "other", phrase: "HTTP header renamed" },
  "well-known-method-added": { shift: "none", phrase: "method with this role added" },
  "well-known-method-removed": { shift: "none", phrase: "method with this role removed" },
  "well-known-method-changed": { shift: "none", phrase: "method with this role" },
  "meta-key-added": { shift: "none", phrase: "key with this role added" },
  "meta-key-removed": { shift: "none", phrase: "key with this role removed" },
  "meta-key-changed": { shift: "none", phrase: "key with this role" },
  "engine-default-added": { shift: "none", phrase: "default from the session engine added" },
  "engine-default-removed": { shift: "none", phrase: "default from the session engine removed" },
  "engine-default-changed": { shift: "none", phrase: "default from the session engine" },
} as const satisfies Record<string, ChangeKind<MessageShift>>;
