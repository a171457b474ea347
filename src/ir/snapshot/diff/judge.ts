import {
  driftClasses,
  driftShifts,
  type Audience,
  type Direction,
  type Drift,
  type DriftChange,
  type DriftClass,
  type DriftSubject,
  type Shift,
} from "./model.js";

/** A change at a place, before it is known what it means to whom. */
export interface Finding {
  readonly change: DriftChange;
  /** Relative to where the comparison began. */
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** Who gives the values here; the server, unless told otherwise. */
  readonly direction?: Direction;
  /** What this finding does to the values, where that is not what its change always does. */
  readonly shift?: Shift;
}

/**
 * Who breaks:
 *
 * | the values at a place become | a client gives them | the server gives them |
 * |---|---|---|
 * | narrower (a required argument more, a value of an enumeration less) | callers: what they send is refused | implementers: they must promise more |
 * | wider (an argument accepts more, a result promises less) | implementers: they get what they do not know | callers: they get what they do not know |
 * | other | both | both |
 */
export function judge(finding: Finding, subject: DriftSubject): Drift {
  const { change, path, was, is } = finding;
  const shift = finding.shift ?? driftShifts[change];
  const direction = finding.direction ?? "output";
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

function classOf(shift: Shift, breaking: Shift): DriftClass {
  switch (shift) {
    case "caution":
      return "safety";
    case "words":
      return "documentation";
    case "harmless":
      return "compatible";
    default:
      return shift === breaking || shift === "other" ? "breaking" : "compatible";
  }
}

/** The gravest class among some drifts, for one side; null for none. */
export function gravest(drifts: readonly Drift[], audience: Audience): DriftClass | null {
  return driftClasses.find((wanted) => drifts.some((drift) => drift[audience] === wanted)) ?? null;
}
