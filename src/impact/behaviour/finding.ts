import type { ts } from "ts-morph";
import type { Change } from "../changes.js";

/** A place of the program that compiles, and whose meaning at run time changes. */
export interface Finding {
  readonly node: ts.Node;
  readonly isBreaking: boolean;
  readonly change: string;
  readonly advice: string | null;
  readonly cause: Change;
}

export function finding(
  node: ts.Node,
  cause: Change,
  isBreaking: boolean,
  words: { readonly change?: string; readonly advice?: string | null } = {},
): Finding {
  const { change = cause.sentence, advice = cause.advice } = words;
  return { node, isBreaking, change, advice, cause };
}
