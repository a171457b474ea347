import {
  shifts,
  type Break,
  type Change,
  type Difference,
  type Shift,
  type Side,
  type Subject,
} from "./model.js";

/**
 * Who breaks. All places in a message vary in the same sense, since JSON is only read:
 *
 * | the values at a place become | an old peer that sends them | an old peer that receives them |
 * |---|---|---|
 * | narrower (required member added, value removed) | breaks: the newer peer refuses what it sends | is safe |
 * | wider (enumeration value or alternative added, required member dropped) | is safe | breaks: it gets what it does not know |
 * | other (type replaced, method renamed) | breaks | breaks |
 * | harmless (optional member added) | is safe | is safe |
 *
 * Who sends follows from where a type is reached: the params of a client's request are sent by the client and received
 * by the server, its results the other way; see `roles.ts`. A type that both send breaks both.
 */
export function breaksOf(shift: Shift, senders: ReadonlySet<Side>): readonly Break[] {
  const breaks: Break[] = [];
  for (const side of sides) {
    if (senders.has(side) && (shift === "narrower" || shift === "other"))
      breaks.push({ side, when: "sends" });
    if (senders.has(peerOf(side)) && (shift === "wider" || shift === "other"))
      breaks.push({ side, when: "receives" });
  }
  return breaks;
}

export const sides: readonly Side[] = ["client", "server"];

export const bothSides: ReadonlySet<Side> = new Set(sides);

export function peerOf(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** A change at a place, before it is known whose it is. */
export interface Finding {
  readonly change: Change;
  /** Relative to where the comparison began. */
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** Who sends here, where that is not who sends the subject. */
  readonly senders?: ReadonlySet<Side>;
  /** What this finding does to the values, where that is not what its change always does. */
  readonly shift?: Shift;
}

/** A finding with its subject and its direction. */
export function judge(finding: Finding, subject: Subject, senders: ReadonlySet<Side>): Difference {
  const { change, path, was, is } = finding;
  const shift = finding.shift ?? shifts[change];
  const breaks = breaksOf(shift, finding.senders ?? senders);
  const safe = shift === "none" ? "neither" : "compatible";
  return {
    change,
    subject,
    path: path.replace(/^\./, ""),
    was,
    is,
    impact: breaks.length > 0 ? "breaking" : safe,
    breaks,
  };
}
