import { schemaShifts, type Shift } from "../../compare/model.js";

/** The differences between two snapshots of a server. Plain data: `renderDriftsJson` prints it. */
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

export type DriftChange = keyof typeof driftShifts;

/** Every kind of change with its effect on the values at its path. */
export const driftShifts = {
  // The server.
  "revision-raised": "harmless",
  "revision-lowered": "wider",
  "capability-added": "narrower",
  "capability-removed": "wider",
  "capability-changed": "other",
  "instructions-changed": "caution",
  "server-changed": "words",
  // The entries of its lists.
  added: "narrower",
  removed: "wider",
  "uri-changed": "other",
  // Programs and handlers of an older project would reach another entry, or none.
  "member-renamed": "other",
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
  // Hints and texts of an entry.
  "hint-weakened": "caution",
  "hint-strengthened": "harmless",
  "hint-restated": "words",
  "description-changed": "words",
  "text-for-models-changed": "caution",
  "words-changed": "words",
  "deprecation-changed": "words",
  // Schemas. A caller relies on every member of a result.
  ...schemaShifts,
  "optional-member-removed": "wider",
  "default-changed": "harmless",
  // The schemas differ only in notation, as far as they can be compared.
  restated: "harmless",
} as const satisfies Record<string, DriftShift>;
