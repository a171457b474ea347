import type { ts } from "ts-morph";
import type { Change } from "../changes.js";

/** A node of the program that still compiles, but means something else at run time. */
export interface BehaviourChange {
  readonly node: ts.Node;
  readonly isBreaking: boolean;
  readonly change: string;
  readonly advice: string | null;
  readonly cause: Change;
}

/** Creates a change. By default, its sentence and its advice are those of the cause. */
export function behaviourChange(
  node: ts.Node,
  cause: Change,
  isBreaking: boolean,
  words: { readonly change?: string; readonly advice?: string | null } = {},
): BehaviourChange {
  const { change = cause.sentence, advice = cause.advice } = words;
  return { node, isBreaking, change, advice, cause };
}
