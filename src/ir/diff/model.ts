/** What sets two revisions apart. Plain data: it is what `renderJson` prints. */
export interface Comparison {
  /** Version of this layout. Rises when a reader of the JSON would have to change. */
  readonly format: 1;
  /**
   * What was compared: "whole" representations, inheritance, names and tags included, when both were read from
   * TypeScript; else their wire "projection" (see `../projection.ts`), since a JSON Schema cannot speak of the rest.
   */
  readonly basis: "whole" | "projection";
  readonly from: Compared;
  readonly to: Compared;
  /** Empty when the two are equal, prose and order apart. Grouped by subject, in a stable order. */
  readonly differences: readonly Difference[];
}

export interface Compared {
  readonly revision: string;
  /** The name of its source, as the representation has it. */
  readonly source: string;
}

export interface Difference {
  readonly change: Change;
  readonly subject: Subject;
  /** Where inside the subject: "params.name", "content[].type", "experimental{}"; empty for the subject itself. */
  readonly path: string;
  /** What was and what is, as one would write it in TypeScript; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /**
   * "breaking": a message that one side may send is not understood by the other, if one of them is older.
   * "compatible": messages change, and both old and new sides cope. "neither": no message changes.
   */
  readonly impact: "breaking" | "compatible" | "neither";
  /** The older peers that break when they meet a newer one; empty unless breaking. */
  readonly breaks: readonly Break[];
}

/** What a difference belongs to: the protocol as a whole, a message by its method, a type or constant by its name. */
export interface Subject {
  readonly kind: "protocol" | "message" | "type" | "constant";
  /** The newer name where there are two; empty for the protocol. */
  readonly name: string;
}

/** An old client (or server) breaks when it sends to a newer peer, or when it receives from one. */
export interface Break {
  readonly side: Side;
  readonly when: "sends" | "receives";
}

export type Side = "client" | "server";

/** What a change does to the values that may stand at a place; `variance.ts` says who breaks from it. */
export type Shift =
  /** Some values are no longer accepted. */
  | "narrower"
  /** Some values are new. */
  | "wider"
  /** Both at once. */
  | "other"
  /** Messages differ, and everyone copes. */
  | "harmless"
  /** Messages do not differ. */
  | "none";

export type Change = keyof typeof shifts;

/** Every kind of change with what it does to the values at its place. */
export const shifts = {
  // Members of objects. Objects are open: whoever receives passes over a member that it does not know.
  "optional-member-added": "harmless",
  "optional-member-removed": "harmless",
  "required-member-added": "narrower",
  "required-member-removed": "wider",
  "member-made-required": "narrower",
  "member-made-optional": "wider",
  // Types at a place.
  "alternative-added": "wider",
  "alternative-removed": "narrower",
  "value-added": "wider",
  "value-removed": "narrower",
  "known-value-added": "harmless",
  "known-value-removed": "harmless",
  "bound-tightened": "narrower",
  "bound-loosened": "wider",
  "type-narrowed": "narrower",
  "type-widened": "wider",
  "type-replaced": "other",
  "format-changed": "none",
  // The same values, written otherwise.
  restated: "none",
  "openness-changed": "none",
  "tag-added": "none",
  "tag-removed": "none",
  // Envelope members of a message, which JSON-RPC settles whether or not a type lists them.
  "envelope-changed": "none",
  // Declarations. Where they are used is told by the changes of the users.
  "type-added": "none",
  "type-removed": "none",
  "type-renamed": "none",
  "kind-changed": "none",
  "bases-changed": "none",
  "constant-added": "none",
  "constant-removed": "none",
  "constant-renamed": "none",
  // A number is an error code that peers compare; a text is a label, and where a type uses it, that is told there.
  "constant-changed": "other",
  // Messages. Unknown notifications are passed over; an unknown request is an error to whoever sent it.
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
  // A capability that a request needs for some of its params only.
  "condition-added": "none",
  "condition-removed": "none",
  "header-member-added": "narrower",
  "header-member-removed": "harmless",
  "trait-changed": "none",
  // The protocol as a whole.
  "opening-changed": "other",
  "batches-added": "wider",
  "batches-removed": "narrower",
  "idless-errors-added": "wider",
  "idless-errors-removed": "narrower",
  // An event without data is passed over.
  "primed-streams-added": "harmless",
  "primed-streams-removed": "harmless",
  "error-code-changed": "other",
  "header-added": "harmless",
  "header-removed": "harmless",
  "header-renamed": "other",
  "job-changed": "none",
  "meta-key-changed": "none",
  "fill-changed": "none",
} as const satisfies Record<string, Shift>;
