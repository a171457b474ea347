import { diff, type Difference } from "../../../src/ir/diff/index.js";
import { notes, protocolOf } from "../made.js";

export type Parts = Parameters<typeof notes>[0];

/** "path change: impact who-breaks", in the order of the comparison. */
export function lines(differences: readonly Difference[]): string[] {
  return differences.map(({ subject, path, change, impact, breaks }) => {
    const place = [subject.name, path, change].filter((part) => part !== "").join(" ");
    const who = breaks.map(({ side, when }) => `${side} ${when}`).join(", ");
    return `${place}: ${impact}${who === "" ? "" : `: ${who}`}`;
  });
}

export async function between(was: Parts, is: Parts): Promise<string[]> {
  return lines(diff(await protocolOf(notes(was)), await protocolOf(notes(is))).differences);
}
