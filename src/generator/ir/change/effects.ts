import type { Side } from "../model.js";
import { changes, type Shift } from "./kinds.js";
import type {
  Delta,
  Difference,
  Effect,
  Party,
  Severity,
  Subject,
} from "./model.js";

/**
 * What a change means for those who send the values at its path, and for those
 * who receive them. All parts of a message are covariant, because a receiver
 * only reads JSON.
 */
const meanings: Readonly<
  Record<Shift, readonly [sender: Severity, receiver: Severity] | null>
> = {
  // What they send is rejected: one more required argument, one enumeration
  // value less. Who implements must guarantee more.
  narrower: ["breaking", "compatible"],
  // They receive unknown values, or a result guarantees less.
  wider: ["compatible", "breaking"],
  other: ["breaking", "breaking"],
  harmless: ["compatible", "compatible"],
  caution: ["safety", "safety"],
  words: ["documentation", "documentation"],
  none: null,
};

export const sides: readonly Side[] = ["client", "server"];

export const bothSides: ReadonlySet<Side> = new Set(sides);

const serverSide: ReadonlySet<Side> = new Set(["server"]);

export function peerOf(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/**
 * Adds the subject and the effects to a change. `senders` send the values of
 * the subject: of a type of a revision, those that use it (see
 * `../diff/roles.ts`); of a server, the server, unless the change says
 * otherwise.
 */
export function classify(
  {
    change,
    path,
    before,
    after,
    shift = changes[change][0],
    senders: own,
  }: Delta,
  subject: Subject,
  senders: ReadonlySet<Side> = serverSide,
): Difference {
  const ofRevision = /^(protocol|method|type|constant)$/.test(subject.kind);
  const party = (side: Side, verb: "sending" | "receiving"): Party =>
    ofRevision
      ? `${verb} ${side}`
      : side === "client"
        ? "callers"
        : "implementers";
  const meaning = meanings[shift];
  const effects = sides.flatMap((side): Effect[] => {
    if (meaning === null) return [];
    const [sender, receiver] = meaning;
    return [
      ...((own ?? senders).has(side)
        ? [{ who: party(side, "sending"), what: sender }]
        : []),
      ...((own ?? senders).has(peerOf(side))
        ? [{ who: party(side, "receiving"), what: receiver }]
        : []),
    ];
  });
  return {
    subject,
    path: path.replace(/^\./, ""),
    change,
    before,
    after,
    effects,
  };
}
