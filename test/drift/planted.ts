import { others } from "./planted/others.js";
import { results } from "./planted/results.js";
import { base, type Loose, type Planted } from "./planted/support.js";
import { tools } from "./planted/tools.js";

export { base, type Planted } from "./planted/support.js";

/** One drift each, with what it means. */
export const planted: readonly Planted[] = [...tools, ...results, ...others];

/** The base with a drift in it. */
export function withDrift({ plant }: Planted): string {
  const snapshot = JSON.parse(base) as Loose;
  plant(snapshot);
  return JSON.stringify(snapshot);
}

/** The base with every list turned round whose order says nothing. */
export function reordered(): string {
  const sets = new Set([
    "anyOf",
    "arguments",
    "enum",
    "prompts",
    "required",
    "resources",
    "tools",
  ]);
  const turn = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) {
      const items = (value as readonly unknown[]).map((item) => turn(item, ""));
      return sets.has(name) ? items.reverse() : items;
    }
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(
      ([key, member]) => [key, turn(member, key)] as const,
    );
    return Object.fromEntries(members.reverse());
  };
  return JSON.stringify(turn(JSON.parse(base), ""));
}
