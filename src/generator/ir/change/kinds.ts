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

export type Change = keyof typeof changes;

/**
 * Every kind of change, with its usual effect on the values at its path and what
 * a report calls it.
 */
export const changes = {
  // Members of objects. Unless an object is closed, a receiver ignores unknown
  // members.
  "optional-member-added": ["harmless", "optional member added"],
  "optional-member-removed": ["harmless", "optional member removed"],
  "required-member-added": ["narrower", "required member added"],
  "required-member-removed": ["wider", "required member removed"],
  "member-made-required": ["narrower", "made required"],
  "member-made-optional": ["wider", "made optional"],
  "other-members-refused": ["narrower", "other members are no longer allowed"],
  "other-members-allowed": ["wider", "other members are allowed now"],
  // Types and values.
  "type-narrowed": ["narrower", "narrowed"],
  "type-widened": ["wider", "widened"],
  "type-replaced": ["other", "another type"],
  "value-added": ["wider", "value added"],
  "value-removed": ["narrower", "value removed"],
  "values-listed": ["narrower", "limited to a list of values"],
  "values-freed": ["wider", "no longer limited to a list of values"],
  // Values that another alternative accepts as well.
  "known-value-added": ["harmless", "known value added"],
  "known-value-removed": ["harmless", "known value removed"],
  "alternative-added": ["wider", "alternative added"],
  "alternative-removed": ["narrower", "alternative removed"],
  "bound-tightened": ["narrower", "bound tightened"],
  "bound-loosened": ["wider", "bound loosened"],
  // Other conditions are compared as a whole.
  "condition-added": ["narrower", "condition added"],
  "condition-removed": ["wider", "condition removed"],
  "condition-changed": ["other", "condition"],
  // Schemas that differ and are too large or too deep to compare in detail.
  "schema-changed": ["other", "changed, and too large to compare in detail"],
  // A rule that allows any other member has the same meaning as none.
  "openness-changed": ["none", "any other members"],
  // Types.
  "format-changed": ["none", "format"],
  // The same values in another notation.
  restated: ["none", "same meaning in another notation"],
  "tag-added": ["none", "tag added"],
  "tag-removed": ["none", "tag removed"],
  // Members of a message beside its params. JSON-RPC defines them, whether or
  // not a type lists them.
  "message-member-changed": ["none", "member of the message"],
  // Declarations. Their effects are listed as changes of the messages and types
  // that use them.
  "type-added": ["none", "added"],
  "type-removed": ["none", "removed"],
  "type-renamed": ["none", "renamed"],
  "kind-changed": ["none", "kind of declaration"],
  "bases-changed": ["none", "bases"],
  "constant-added": ["none", "added"],
  "constant-removed": ["none", "removed"],
  "constant-renamed": ["none", "renamed"],
  // A number is an error code, which peers compare. A string is a label; if a
  // type uses it, the type changes too.
  "constant-changed": ["other", "value"],
  // Messages. A receiver ignores unknown notifications and answers unknown
  // requests with an error.
  "request-added": ["harmless", "request added"],
  "request-removed": ["narrower", "request removed"],
  "notification-added": ["harmless", "notification added"],
  "notification-removed": ["harmless", "notification removed"],
  "method-renamed": ["other", "method renamed"],
  "sender-added": ["harmless", "senders added"],
  "sender-removed": ["narrower", "senders removed"],
  "declaration-changed": ["none", "declared by another type"],
  "carriage-changed": ["other", "carriage"],
  "result-added": ["wider", "result added"],
  "result-removed": ["narrower", "result removed"],
  "capability-required": ["other", "capability needed"],
  "capability-released": ["harmless", "capability no longer needed"],
  // A capability that a request needs only with certain params.
  "capability-condition-added": ["none", "capability needed for some params"],
  "capability-condition-removed": [
    "none",
    "capability no longer needed for these params",
  ],
  "header-member-added": ["narrower", "member repeated in an HTTP header"],
  "header-member-removed": [
    "harmless",
    "member no longer repeated in an HTTP header",
  ],
  "fact-added": ["none", "fact added"],
  "fact-removed": ["none", "fact removed"],
  "fact-changed": ["none", "facts"],
  // The protocol as a whole.
  "opening-changed": ["other", "how a connection opens"],
  "batches-added": ["wider", "JSON-RPC batches"],
  "batches-removed": ["narrower", "JSON-RPC batches"],
  "idless-errors-added": ["wider", "errors without an id"],
  "idless-errors-removed": ["narrower", "errors without an id"],
  // A client ignores an event without data.
  "primed-streams-added": [
    "harmless",
    "HTTP streams that begin with an event id",
  ],
  "primed-streams-removed": [
    "harmless",
    "HTTP streams that begin with an event id",
  ],
  "error-code-added": ["other", "error code added"],
  "error-code-removed": ["other", "error code removed"],
  "error-code-changed": ["other", "error code"],
  "header-added": ["harmless", "HTTP header added"],
  "header-removed": ["harmless", "HTTP header removed"],
  "header-changed": ["other", "HTTP header renamed"],
  "well-known-method-added": ["none", "method with this role added"],
  "well-known-method-removed": ["none", "method with this role removed"],
  "well-known-method-changed": ["none", "method with this role"],
  "meta-key-added": ["none", "key with this role added"],
  "meta-key-removed": ["none", "key with this role removed"],
  "meta-key-changed": ["none", "key with this role"],
  "engine-default-added": ["none", "default from the session engine added"],
  "engine-default-removed": ["none", "default from the session engine removed"],
  "engine-default-changed": ["none", "default from the session engine"],
  // The server.
  "revision-raised": ["harmless", "uses a later revision"],
  "revision-lowered": ["wider", "uses an earlier revision"],
  "capability-added": ["narrower", "capability declared"],
  "capability-removed": ["wider", "capability no longer declared"],
  "capability-changed": ["other", "settings of a capability"],
  "instructions-changed": ["caution", "text for models"],
  "server-changed": ["words", "name, version or description"],
  // The entries of its lists.
  added: ["narrower", "added"],
  removed: ["wider", "removed"],
  "uri-changed": ["other", "moved"],
  // Programs and handlers of an older project would reach another entry, or
  // none.
  "member-renamed": ["other", "name of the member in a new project"],
  "variable-added": ["other", "variable added"],
  "variable-removed": ["other", "variable removed"],
  "mime-type-added": ["narrower", "MIME type added"],
  "mime-type-removed": ["wider", "MIME type removed"],
  "mime-type-changed": ["other", "MIME type"],
  "output-promised": ["narrower", "output schema added"],
  "output-withdrawn": ["wider", "output schema removed"],
  "tasks-allowed": ["harmless", "may run as a task"],
  "tasks-required": ["other", "must run as a task"],
  "tasks-refused": ["other", "may no longer run as a task"],
  // Hints and texts of an entry.
  "hint-weakened": ["caution", "less safe"],
  "hint-strengthened": ["harmless", "safer"],
  "hint-restated": ["words", "same meaning in another notation"],
  "description-changed": ["words", "description"],
  "text-for-models-changed": ["caution", "text for models"],
  "words-changed": ["words", "text"],
  "deprecation-changed": ["words", "deprecation"],
  "default-changed": ["harmless", "default"],
} as const satisfies Record<string, readonly [shift: Shift, phrase: string]>;
