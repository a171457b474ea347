/** What sets two snapshots of a server apart. Plain data: it is what `renderDriftsJson` prints. */
export interface SnapshotComparison {
  /** Version of this layout. Rises when a reader of the JSON would have to change. */
  readonly format: 1;
  readonly from: ComparedSnapshot;
  readonly to: ComparedSnapshot;
  /** Empty when the two offer the same, in whatever order. Grouped by subject, in a stable order. */
  readonly drifts: readonly Drift[];
}

export interface ComparedSnapshot {
  /** What the server calls itself. */
  readonly server: string;
  readonly revision: string;
  /** The name of the snapshot. */
  readonly source: string;
}

export interface Drift {
  readonly change: DriftChange;
  readonly subject: DriftSubject;
  /** Where inside the subject: "input.location", "output.rows[].id", "annotations.readOnlyHint"; empty for all of it. */
  readonly path: string;
  /** What was and what is, whole: text as it stands, anything else as JSON; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /** What it means to those who call the server by code that was made from the older snapshot. */
  readonly callers: DriftClass;
  /** What it means to those who implement the older snapshot and are to offer the newer one. */
  readonly implementers: DriftClass;
  /** Should a person look, whatever the class? */
  readonly review: boolean;
}

/** What a drift belongs to: a prompt or tool by its name, a resource by its URI, a template by its URI template. */
export interface DriftSubject {
  readonly kind: "server" | "tool" | "prompt" | "resource" | "template";
  /** Empty for the server. */
  readonly name: string;
}

/**
 * "breaking": what worked is refused, or what was promised is not kept. "safety": the server says less of what a tool
 * will not do, or tells a model something else. "compatible": it goes on as before. "documentation": words for people.
 */
export type DriftClass = "breaking" | "safety" | "compatible" | "documentation";

/** From the gravest to the least. */
export const driftClasses = ["breaking", "safety", "compatible", "documentation"] as const;

/** Whose side is taken. */
export type Audience = "callers" | "implementers";

/** Does a client send the values at a place, or the server? What a server offers is its word, as its results are. */
export type Direction = "input" | "output";

/** What a change does to what may stand at a place. */
export type Shift =
  /** Some values are no longer there, or no longer taken. */
  | "narrower"
  /** Some values are new. */
  | "wider"
  /** Both at once. */
  | "other"
  /** Everyone copes. */
  | "harmless"
  /** The server vouches for less, or says something else to a model. */
  | "caution"
  /** Nothing but words. */
  | "words";

export type DriftChange = keyof typeof driftShifts;

/** Every kind of change with what it does to the values at its place. */
export const driftShifts = {
  // The server.
  "revision-raised": "harmless",
  "revision-lowered": "wider",
  "capability-added": "narrower",
  "capability-removed": "wider",
  "instructions-changed": "caution",
  "server-changed": "words",
  // What it offers.
  added: "narrower",
  removed: "wider",
  "uri-changed": "other",
  "variable-added": "other",
  "variable-removed": "other",
  "mime-type-added": "narrower",
  "mime-type-removed": "wider",
  "mime-type-changed": "other",
  "output-promised": "narrower",
  "output-withdrawn": "wider",
  "tasks-allowed": "harmless",
  "tasks-required": "other",
  "tasks-refused": "other",
  // What it says of it.
  "hint-weakened": "caution",
  "hint-strengthened": "harmless",
  "hint-restated": "words",
  "description-changed": "words",
  "text-for-models-changed": "caution",
  "words-changed": "words",
  "deprecation-changed": "words",
  // Members of objects.
  "optional-member-added": "harmless",
  "required-member-added": "narrower",
  "optional-member-removed": "wider",
  "required-member-removed": "wider",
  "member-made-required": "narrower",
  "member-made-optional": "wider",
  "other-members-refused": "narrower",
  "other-members-allowed": "wider",
  // Values at a place.
  "type-narrowed": "narrower",
  "type-widened": "wider",
  "type-replaced": "other",
  "value-removed": "narrower",
  "value-added": "wider",
  "values-listed": "narrower",
  "values-freed": "wider",
  "bound-tightened": "narrower",
  "bound-loosened": "wider",
  "condition-added": "narrower",
  "condition-removed": "wider",
  "condition-changed": "other",
  "alternative-removed": "narrower",
  "alternative-added": "wider",
  "default-changed": "harmless",
  // The conditions are written otherwise, and as far as they can be compared they are the same.
  restated: "harmless",
  // Too large or too deep to be compared part by part.
  "schema-changed": "other",
} as const satisfies Record<string, Shift>;
