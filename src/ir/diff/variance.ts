import type { Side } from "../model.js";
import {
  changes,
  type Break,
  type Change,
  type Difference,
  type MessageShift,
  type Subject,
} from "./model.js";

/**
 * The peers that a change breaks. All parts of a message are covariant, because a receiver only reads JSON:
 *
 * | the allowed values become | an old peer that sends them | an old peer that receives them |
 * |---|---|---|
 * | narrower (required member added, value removed) | breaks: the newer peer rejects its message | is safe |
 * | wider (enumeration value or alternative added, required member removed) | is safe | breaks: it receives unknown values |
 * | other (type replaced, method renamed) | breaks | breaks |
 * | harmless (optional member added) | is safe | is safe |
 *
 * The sender depends on the use of a type: the client sends the params of its requests and receives the results; see
 * `roles.ts`. A change of a type that both sides send breaks both.
 */
export function breaksOf(shift: MessageShift, senders: ReadonlySet<Side>): readonly Break[] {
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

/** A change before its subject and impact are known. */
export interface Delta {
  readonly change: Change;
  /** Relative to the start of the comparison. */
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** The senders, if they are not those of the subject. */
  readonly senders?: ReadonlySet<Side>;
  /** The effect on the values, if it is not the usual one of this kind of change. */
  readonly shift?: MessageShift;
}

/** Adds the subject and the impact to a change. */
export function classify(delta: Delta, subject: Subject, senders: ReadonlySet<Side>): Difference {
  const { change, path, was, is } = delta;
  const shift = delta.shift ?? changes[change].shift;
  const breaks = breaksOf(shift, delta.senders ?? senders);
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
