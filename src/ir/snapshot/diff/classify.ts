import {
  driftClasses,
  driftChanges,
  type Audience,
  type Direction,
  type Drift,
  type DriftChange,
  type DriftClass,
  type DriftShift,
  type DriftSubject,
} from "./model.js";

/** A change before its subject and its class are known. */
export interface Delta {
  readonly change: DriftChange;
  /** Relative to the start of the comparison. */
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** The side that sends the values; the server by default. */
  readonly direction?: Direction;
  /** The effect on the values, if it is not the usual one of this kind of change. */
  readonly shift?: DriftShift;
}

/**
 * Adds the subject and the classes to a change. The side that breaks:
 *
 * | the allowed values become | a client sends them | the server sends them |
 * |---|---|---|
 * | narrower (one more required argument, one enumeration value less) | callers: the server rejects their arguments | implementers: they must guarantee more |
 * | wider (an argument accepts more, a result guarantees less) | implementers: they receive unknown values | callers: they receive unknown values |
 * | other | both | both |
 */
export function classify(delta: Delta, subject: DriftSubject): Drift {
  const { change, path, was, is } = delta;
  const shift = delta.shift ?? driftChanges[change].shift;
  const direction = delta.direction ?? "output";
  return {
    change,
    subject,
    path: path.replace(/^\./, ""),
    was,
    is,
    callers: classOf(shift, direction === "input" ? "narrower" : "wider"),
    implementers: classOf(shift, direction === "input" ? "wider" : "narrower"),
    review: shift === "caution" || change === "restated",
  };
}

function classOf(shift: DriftShift, breaking: DriftShift): DriftClass {
  switch (shift) {
    case "caution":
      return "safety";
    case "words":
      return "documentation";
    case "harmless":
      return "compatible";
    case "narrower":
    case "wider":
      return shift === breaking ? "breaking" : "compatible";
    case "other":
      return "breaking";
    default:
      return shift satisfies never;
  }
}

/** The most severe class among these drifts for one side; null without drifts. */
export function mostSevere(drifts: readonly Drift[], audience: Audience): DriftClass | null {
  return driftClasses.find((driftClass) => drifts.some((drift) => drift[audience] === driftClass)) ?? null;
}
