import { schemaChanges, type ChangeKind, type Shift } from "../../compare/model.js";

/** The differences between two snapshots of a server. Plain data: `renderJson` prints it. */
export interface SnapshotComparison {
  /** Version of this format. Increases when programs that read the JSON need a change. */
  readonly format: 1;
  readonly from: ComparedSnapshot;
  readonly to: ComparedSnapshot;
  /** Empty if both offer the same in any order. Grouped by subject, in a stable order. */
  readonly drifts: readonly Drift[];
}

export interface ComparedSnapshot {
  /** The name of the server. */
  readonly server: string;
  readonly revision: string;
  /** The name of the snapshot. */
  readonly source: string;
}

export interface Drift {
  readonly change: DriftChange;
  readonly subject: DriftSubject;
  /**
   * The path inside the subject: "input.location", "output.rows[].id", "annotations.readOnlyHint"; empty for the
   * whole subject.
   */
  readonly path: string;
  /** The complete old and new value: a string as it is, anything else as JSON; null for nothing. */
  readonly was: string | null;
  readonly is: string | null;
  /** The consequence for code that calls the server and was generated from the older snapshot. */
  readonly callers: DriftClass;
  /** The consequence for code that implements the older snapshot and has to implement the newer one. */
  readonly implementers: DriftClass;
  /** True if a person should review the change, whatever its class is. */
  readonly review: boolean;
}

/**
 * The subject of a drift: the server, a prompt or tool by its name, a resource by its URI, a template by its URI
 * template.
 */
export interface DriftSubject {
  readonly kind: "server" | "tool" | "prompt" | "resource" | "template";
  /** Empty for the server. */
  readonly name: string;
}

/**
 * "breaking": something that worked is rejected, or a guarantee no longer holds. "safety": the server declares a tool
 * less safe, or a text for models changed. "compatible": code works as before. "documentation": only texts for people
 * changed.
 */
export type DriftClass = "breaking" | "safety" | "compatible" | "documentation";

/** The most severe first. */
export const driftClasses = ["breaking", "safety", "compatible", "documentation"] as const;

/** The side for which a drift is classified. */
export type Audience = "callers" | "implementers";

/** "input": a client sends the values. "output": the server sends them, in its lists or in results. */
export type Direction = "input" | "output";

/** The effect of a change on the values at its path, or on the safety or the texts of a tool. */
export type DriftShift =
  | Shift
  /** The server guarantees less safety, or a text for models changed. */
  | "caution"
  /** Only texts changed. */
  | "words";

export type DriftChange = keyof typeof driftChanges;

/** Every kind of change. */
export const driftChanges = {
  // The server.
  "revision-raised": { shift: "harmless", phrase: "uses a later revision" },
  "revision-lowered": { shift: "wider", phrase: "uses an earlier revision" },
  "capability-added": { shift: "narrower", phrase: "capability declared" },
  "capability-removed": { shift: "wider", phrase: "capability no longer declared" },
  "capability-changed": { shift: "other", phrase: "settings of a capability" },
  "instructions-changed": { shift: "caution", phrase: "text for models" },
  "server-changed": { shift: "words", phrase: "name, version or description" },
  // The entries of its lists.
  added: { shift: "narrower", phrase: "added" },
  removed: { shift: "wider", phrase: "removed" },
  "uri-changed": { shift: "other", phrase: "moved" },
  // Programs and handlers of an older project would reach another entry, or none.
  "member-renamed": { shift: "other", phrase: "name of the member in a new project" },
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
  "hint-restated": { shift: "words", phrase: "same meaning in another notation" },
  "description-changed": { shift: "words", phrase: "description" },
  "text-for-models-changed": { shift: "caution", phrase: "text for models" },
  "words-changed": { shift: "words", phrase: "text" },
  "deprecation-changed": { shift: "words", phrase: "deprecation" },
  // Schemas. A caller relies on every member of a result.
  ...schemaChanges,
  "optional-member-removed": { shift: "wider", phrase: "optional member removed" },
  "default-changed": { shift: "harmless", phrase: "default" },
  // The schemas differ only in notation, as far as they can be compared.
  restated: { shift: "harmless", phrase: "same meaning in another notation, as far as it can be compared" },
} as const satisfies Record<string, ChangeKind<DriftShift>>;
