import type { ts } from "ts-morph";
import type { FindLikelyChange } from "../cause.js";
import type { Change, ComparedFolder } from "../changes.js";
import type { Compiler } from "../../../../cli/compile/compiler.js";
import type { Origins } from "../origins.js";

/**
 * A node of the program that still compiles, but means something else at run
 * time.
 */
export interface BehaviourChange {
  readonly node: ts.Node;
  readonly isBreaking: boolean;
  /** The change, in the words for this place. */
  readonly cause: Change;
}

/** What the rules know about the program. */
export interface Context {
  readonly compiler: Compiler;
  /** Of the old program and of the new one. */
  readonly checker: ts.TypeChecker;
  readonly newChecker: ts.TypeChecker;
  readonly origins: Origins;
  readonly compared: readonly ComparedFolder[];
  readonly likelyChange: FindLikelyChange;
}
