/**
 * The effect of a change on the values that are allowed at its path, or on the
 * safety and the texts of a tool.
 */
export type Shift =
  /** Some values are no longer accepted. */
  | "narrower"
  /** Some values are newly allowed. */
  | "wider"
  /** Both. */
  | "other"
  /** Values differ, but no program breaks. */
  | "harmless"
  /** The server guarantees less safety, or a text for models changed. */
  | "caution"
  /** Only texts for people changed. */
  | "words"
  /** No message changes. */
  | "none";

/**
 * A kind of change: its usual effect on the values at its path, and what a
 * report calls it.
 */
interface ChangeKind {
  readonly shift: Shift;
  readonly phrase: string;
}

export type Change = keyof typeof changes;

/** Every kind of change. */
export const changes = {
  // Members of objects. Unless an object is closed, a receiver ignores unknown
  // members.
  "optional-member-added": {
    shift: "harmless",
    phrase: "optional member added",
  },
  "optional-member-removed": {
    shift: "harmless",
    phrase: "optional member removed",
  },
  "required-member-added": {
    shift: "narrower",
    phrase: "required member added",
  },
  "required-member-removed": {
    shift: "wider",
    phrase: "required member removed",
  },
  "member-made-required": { shift: "narrower", phrase: "made required" },
  "member-made-optional": { shift: "wider", phrase: "made optional" },
  "other-members-refused": {
    shift: "narrower",
    phrase: "other members are no longer allowed",
  },
  "other-members-allowed": {
    shift: "wider",
    phrase: "other members are allowed now",
  },
  // Types and values.
  "type-narrowed": { shift: "narrower", phrase: "narrowed" },
  "type-widened": { shift: "wider", phrase: "widened" },
  "type-replaced": { shift: "other", phrase: "another type" },
  "value-added": { shift: "wider", phrase: "value added" },
  "value-removed": { shift: "narrower", phrase: "value removed" },
  "values-listed": { shift: "narrower", phrase: "limited to a list of values" },
  "values-freed": {
    shift: "wider",
    phrase: "no longer limited to a list of values",
  },
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
  "schema-changed": {
    shift: "other",
    phrase: "changed, and too large to compare in detail",
  },
  // A rule that allows any other member has the same meaning as none.
  "openness-changed": { shift: "none", phrase: "any other members" },
  // Types.
  "format-changed": { shift: "none", phrase: "format" },
  // The same values in another notation.
  restated: { shift: "none", phrase: "same meaning in another notation" },
  "tag-added": { shift: "none", phrase: "tag added" },
  "tag-removed": { shift: "none", phrase: "tag removed" },
  // Members of a message beside its params. JSON-RPC defines them, whether or
  // not a type lists them.
  "message-member-changed": { shift: "none", phrase: "member of the message" },
  // Declarations. Their effects are listed as changes of the messages and types
  // that use them.
  "type-added": { shift: "none", phrase: "added" },
  "type-removed": { shift: "none", phrase: "removed" },
  "type-renamed": { shift: "none", phrase: "renamed" },
  "kind-changed": { shift: "none", phrase: "kind of declaration" },
  "bases-changed": { shift: "none", phrase: "bases" },
  "constant-added": { shift: "none", phrase: "added" },
  "constant-removed": { shift: "none", phrase: "removed" },
  "constant-renamed": { shift: "none", phrase: "renamed" },
  // A number is an error code, which peers compare. A string is a label; if a
  // type uses it, the type changes too.
  "constant-changed": { shift: "other", phrase: "value" },
  // Messages. A receiver ignores unknown notifications and answers unknown
  // requests with an error.
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
  "capability-released": {
    shift: "harmless",
    phrase: "capability no longer needed",
  },
  // A capability that a request needs only with certain params.
  "capability-condition-added": {
    shift: "none",
    phrase: "capability needed for some params",
  },
  "capability-condition-removed": {
    shift: "none",
    phrase: "capability no longer needed for these params",
  },
  "header-member-added": {
    shift: "narrower",
    phrase: "member repeated in an HTTP header",
  },
  "header-member-removed": {
    shift: "harmless",
    phrase: "member no longer repeated in an HTTP header",
  },
  "fact-added": { shift: "none", phrase: "fact added" },
  "fact-removed": { shift: "none", phrase: "fact removed" },
  "fact-changed": { shift: "none", phrase: "facts" },
  // The protocol as a whole.
  "opening-changed": { shift: "other", phrase: "how a connection opens" },
  "batches-added": { shift: "wider", phrase: "JSON-RPC batches" },
  "batches-removed": { shift: "narrower", phrase: "JSON-RPC batches" },
  "idless-errors-added": { shift: "wider", phrase: "errors without an id" },
  "idless-errors-removed": {
    shift: "narrower",
    phrase: "errors without an id",
  },
  // A client ignores an event without data.
  "primed-streams-added": {
    shift: "harmless",
    phrase: "HTTP streams that begin with an event id",
  },
  "primed-streams-removed": {
    shift: "harmless",
    phrase: "HTTP streams that begin with an event id",
  },
  "error-code-added": { shift: "other", phrase: "error code added" },
  "error-code-removed": { shift: "other", phrase: "error code removed" },
  "error-code-changed": { shift: "other", phrase: "error code" },
  "header-added": { shift: "harmless", phrase: "HTTP header added" },
  "header-removed": { shift: "harmless", phrase: "HTTP header removed" },
  "header-changed": { shift: "other", phrase: "HTTP header renamed" },
  "well-known-method-added": {
    shift: "none",
    phrase: "method with this role added",
  },
  "well-known-method-removed": {
    shift: "none",
    phrase: "method with this role removed",
  },
  "well-known-method-changed": {
    shift: "none",
    phrase: "method with this role",
  },
  "meta-key-added": { shift: "none", phrase: "key with this role added" },
  "meta-key-removed": { shift: "none", phrase: "key with this role removed" },
  "meta-key-changed": { shift: "none", phrase: "key with this role" },
  "engine-default-added": {
    shift: "none",
    phrase: "default from the session engine added",
  },
  "engine-default-removed": {
    shift: "none",
    phrase: "default from the session engine removed",
  },
  "engine-default-changed": {
    shift: "none",
    phrase: "default from the session engine",
  },
  // The server.
  "revision-raised": { shift: "harmless", phrase: "uses a later revision" },
  "revision-lowered": { shift: "wider", phrase: "uses an earlier revision" },
  "capability-added": { shift: "narrower", phrase: "capability declared" },
  "capability-removed": {
    shift: "wider",
    phrase: "capability no longer declared",
  },
  "capability-changed": { shift: "other", phrase: "settings of a capability" },
  "instructions-changed": { shift: "caution", phrase: "text for models" },
  "server-changed": { shift: "words", phrase: "name, version or description" },
  // The entries of its lists.
  added: { shift: "narrower", phrase: "added" },
  removed: { shift: "wider", phrase: "removed" },
  "uri-changed": { shift: "other", phrase: "moved" },
  // Programs and handlers of an older project would reach another entry, or
  // none.
  "member-renamed": {
    shift: "other",
    phrase: "name of the member in a new project",
  },
  "variable-added": { shift: "other", phrase: "variable added" },
  "variable-removed": { shift: "other", phrase: "variable removed" },
  "mime-type-added": { shift: "narrower", phrase: "MIME type added" },
  "mime-type-removed": { shift: "wider", phrase: "MIME type removed" },
  "mime-type-changed": { shift: "other", phrase: "MIME type" },
  "output-promised": { shift: "narrower", phrase: "output schema added" },
  "output-withdrawn": { shift: "wider", phrase: "output schema removed" },
  "tasks-allowed": { shift: "harmless", phrase: "may run as a task" },
  "tasks-required": { shift: "other", phrase: "must run as a task" },
  "tasks-refused": { shift: "other", phrase: "may no longer run as a task" },
  // Hints and texts of an entry.
  "hint-weakened": { shift: "caution", phrase: "less safe" },
  "hint-strengthened": { shift: "harmless", phrase: "safer" },
  "hint-restated": {
    shift: "words",
    phrase: "same meaning in another notation",
  },
  "description-changed": { shift: "words", phrase: "description" },
  "text-for-models-changed": { shift: "caution", phrase: "text for models" },
  "words-changed": { shift: "words", phrase: "text" },
  "deprecation-changed": { shift: "words", phrase: "deprecation" },
  "default-changed": { shift: "harmless", phrase: "default" },
} as const satisfies Record<string, ChangeKind>;
