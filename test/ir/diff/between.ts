import type { Difference } from "../../../src/generator/ir/change/model.js";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { notes, protocolOf } from "../made.js";

export type Parts = Parameters<typeof notes>[0];

/**
 * "client sends" for an old client that a difference breaks when it sends, and
 * so on.
 */
export function broken({ effects }: Difference): string[] {
  return effects.flatMap(({ who, what }) => {
    const [verb = "", side = ""] = who.split(" ");
    return what === "breaking"
      ? [`${side} ${verb === "sending" ? "sends" : "receives"}`]
      : [];
  });
}

/** "path change: impact who-breaks", in the order of the comparison. */
export function lines(differences: readonly Difference[]): string[] {
  return differences.map((difference) => {
    const { subject, path, change, effects } = difference;
    const place = [subject.name, path, change]
      .filter((part) => part !== "")
      .join(" ");
    const who = broken(difference).join(", ");
    if (who !== "") return `${place}: breaking: ${who}`;
    return `${place}: ${effects.length === 0 ? "neither" : "compatible"}`;
  });
}

export async function between(before: Parts, after: Parts): Promise<string[]> {
  return lines(
    diff(await protocolOf(notes(before)), await protocolOf(notes(after)))
      .differences,
  );
}
