import type { Json } from "../../model.js";
import type { Finding } from "../judge.js";
import type { Direction, Shift } from "../model.js";

/** Two schemas of one tool being compared. */
export interface Pair {
  /** Where local references of either start. */
  readonly before: Json;
  readonly after: Json;
  readonly direction: Direction;
  /** What it does when a description changes: a tool's arguments are described to a model. */
  readonly descriptions: Shift;
  /** Pairs that were begun: what two references lead to is told where it is met first. */
  readonly begun: Map<Json, Set<Json>>;
  /** How many more pairs may be compared. */
  left: number;
}

/** Pairs of schemas inside one another, and in all; past either, two schemas are the same or not. */
export const budget = { depth: 150, pairs: 20_000 } as const;

/** Compares two schemas further in. */
export type Compare = (pair: Pair, was: Json, is: Json, depth: number) => Finding[];

/** Was the pair begun before? If not, it is now. */
export function isBegun({ begun }: Pair, was: Json, is: Json): boolean {
  if (typeof was !== "object" || typeof is !== "object" || was === null || is === null) return false;
  const others = begun.get(was) ?? new Set();
  begun.set(was, others);
  if (others.has(is)) return true;
  others.add(is);
  return false;
}
