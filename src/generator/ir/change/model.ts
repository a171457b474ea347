import type { Side } from "../model.js";
import type { Change, Shift } from "./kinds.js";

/**
 * The differences between two revisions, or between two snapshots of a server.
 * Plain data: `renderJson` prints it.
 */
export interface Comparison {
  /**
   * Version of this format. Increases when programs that read the JSON need a
   * change.
   */
  readonly format: 2;
  /**
   * "whole": the complete representations of two revisions, including
   * inheritance, names and tags, if both were read from TypeScript.
   * "projection": otherwise their wire projections (see `../projection.ts`),
   * because a JSON Schema cannot express the rest. "snapshot": two snapshots of
   * a server.
   */
  readonly basis: "whole" | "projection" | "snapshot";
  readonly from: Compared;
  readonly to: Compared;
  /**
   * Empty if both are equal apart from prose and order. Grouped by subject, in
   * a stable order.
   */
  readonly differences: readonly Difference[];
}

export interface Compared {
  /** The name of the server; null for a revision. */
  readonly server: string | null;
  readonly revision: string;
  /** The name of the schema or of the snapshot. */
  readonly source: string;
}

/** One change: where, what, and whom it concerns. */
export interface Difference {
  readonly subject: Subject;
  /**
   * The path inside the subject: "params.name", "content[].type",
   * "input.location", "annotations.readOnlyHint"; empty for the subject itself.
   */
  readonly path: string;
  readonly change: Change;
  /**
   * The old and the new text: a type, a member, a value or a limit; null for
   * nothing.
   */
  readonly before: string | null;
  readonly after: string | null;
  /** Empty if no message changes. */
  readonly effects: readonly Effect[];
}

/** What a change is about. */
export interface Subject {
  readonly kind:
    | "protocol"
    | "method"
    | "type"
    | "constant"
    | "server"
    | "tool"
    | "prompt"
    | "resource"
    | "template";
  /**
   * The method of a message, the URI of a resource, the URI template of a
   * template; the newer name if a revision renames it. Empty for the protocol
   * and the server.
   */
  readonly name: string;
}

/** What a change means for one of those that it concerns. */
export interface Effect {
  readonly who: Party;
  readonly what: Severity;
}

/**
 * Of a revision: the older client or server that sends the changed message to a
 * newer peer, or receives it from one. Of a server: the code that calls it, and
 * the code that implements it, which were generated from the older snapshot.
 */
export type Party = keyof typeof parties;

/** What a report calls them. */
export const parties = {
  "sending client": "an old client that sends this",
  "receiving client": "an old client that receives this",
  "sending server": "an old server that sends this",
  "receiving server": "an old server that receives this",
  callers: "callers",
  implementers: "implementers",
} as const;

/** The side of a server for which a report is made. */
export type Audience = "callers" | "implementers";

/**
 * "breaking": something that worked is rejected or not understood, or a
 * guarantee no longer holds. "safety": the server declares a tool less safe, or
 * a text for models changed. "compatible": all works as before.
 * "documentation": only texts for people changed.
 */
export type Severity = (typeof severities)[number];

/** The most severe first. */
export const severities = [
  "breaking",
  "safety",
  "compatible",
  "documentation",
] as const;

/** A change before its subject is known. */
export interface Delta {
  readonly change: Change;
  /** Relative to the start of the comparison. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The senders of the values, if they are not those of the subject. */
  readonly senders?: ReadonlySet<Side>;
  /**
   * The effect on the values, if it is not the usual one of this kind of
   * change.
   */
  readonly shift?: Shift;
}
