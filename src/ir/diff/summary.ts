import type { Comparison } from "./model.js";

/** The number of differences of each kind. */
export interface Summary {
  readonly types: Counts;
  readonly messages: Counts;
  readonly breaking: number;
  readonly compatible: number;
  readonly neither: number;
}

export interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly renamed: number;
}

export function summarize({ differences }: Comparison): Summary {
  const count = (...changes: readonly string[]): number =>
    differences.filter(({ change }) => changes.includes(change)).length;
  const impact = (impact: string): number =>
    differences.filter((difference) => difference.impact === impact).length;
  return {
    types: { added: count("type-added"), removed: count("type-removed"), renamed: count("type-renamed") },
    messages: {
      added: count("request-added", "notification-added"),
      removed: count("request-removed", "notification-removed"),
      renamed: count("method-renamed"),
    },
    breaking: impact("breaking"),
    compatible: impact("compatible"),
    neither: impact("neither"),
  };
}

/** The summary as a sentence without its full stop. */
export function summarySentence({ types, messages, breaking, compatible, neither }: Summary): string {
  const counts = (what: string, { added, removed, renamed }: Counts): string =>
    `${what}: ${added} added, ${removed} removed, ${renamed} renamed`;
  const impacts = `changes: ${breaking} breaking, ${compatible} compatible, ${neither} that change no message`;
  return `${counts("types", types)}; ${counts("methods", messages)}; ${impacts}`;
}
