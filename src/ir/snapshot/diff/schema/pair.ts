import type { Json } from "../../model.js";
import type { Delta } from "../classify.js";
import type { Direction, Shift } from "../model.js";

/** Two schemas of one tool under comparison. */
export interface Pair {
  /** The roots of the local references. */
  readonly before: Json;
  readonly after: Json;
  readonly direction: Direction;
  /** The effect of a changed description: models read the descriptions of arguments. */
  readonly descriptions: Shift;
  /** Pairs whose comparison has started. The targets of two references are compared once, at their first use. */
  readonly started: Map<Json, Set<Json>>;
  /** The number of pairs that may still be compared. */
  steps: number;
}

/** The maximum depth and number of pairs. Beyond it, schemas are only compared for equality. */
export const budget = { depth: 150, pairs: 20_000 } as const;

/** Compares two schemas inside the compared ones. */
export type Compare = (pair: Pair, was: Json, is: Json, depth: number) => Delta[];

/** Records the pair. Returns true if its comparison has already started. */
export function isRepeated({ started }: Pair, was: Json, is: Json): boolean {
  if (typeof was !== "object" || typeof is !== "object" || was === null || is === null) return false;
  const others = started.get(was) ?? new Set();
  started.set(was, others);
  if (others.has(is)) return true;
  others.add(is);
  return false;
}
