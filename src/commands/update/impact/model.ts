import type { Protocol } from "../../../generator/ir/model.js";
import type { Effect } from "../../../generator/ir/change/model.js";

/** A folder of generated files, before and after a change of its protocol. */
export interface ImpactFolder {
  /**
   * The absolute path of the folder. If folders are inside each other, the
   * inner one counts.
   */
  readonly out: string;
  readonly before: Protocol;
  readonly after: Protocol;
  /**
   * All generated files of the folder by their path in it, with forward
   * slashes. The new text, also of a file that does not change; null for a file
   * that is removed. Other files of the folder belong to the user.
   */
  readonly files: ReadonlyMap<string, string | null>;
}

export interface ImpactOptions {
  /** The absolute path of the `tsconfig.json` of the user's program. */
  readonly tsconfig: string;
  readonly folders: readonly ImpactFolder[];
}

/**
 * The lines of the user's program that a change of the protocol touches. Plain
 * data: `JSON.stringify` prints it.
 */
export interface Impact {
  /**
   * Version of this format. Increases when programs that read the JSON need a
   * change.
   */
  readonly format: 2;
  /**
   * The number of files of the program that import generated files, directly or
   * through other files.
   */
  readonly files: number;
  /** Sorted by file, line and column. Empty if the change touches no line. */
  readonly lines: readonly ImpactLine[];
  /** Sentences on what was not compared, such as referenced projects. */
  readonly notes: readonly string[];
}

export interface ImpactLine {
  /** Relative to the folder of the tsconfig, with forward slashes. */
  readonly file: string;
  /** Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  /**
   * "type": a new error of the compiler. "behaviour": the line compiles, and
   * its meaning at run time changes.
   */
  readonly kind: "type" | "behaviour";
  /**
   * True if the line no longer compiles, or fails at run time as it is written.
   */
  readonly isBreaking: boolean;
  /**
   * What changed, as a sentence without its full stop. Names and types are
   * between backticks.
   */
  readonly change: string;
  /**
   * What to write instead, as a sentence without its full stop; null if that is
   * not mechanical.
   */
  readonly advice: string | null;
  /**
   * What the change means for older peers. Empty for changes that no peer
   * notices.
   */
  readonly effects: readonly Effect[];
  /**
   * The code of the compiler's error, such as "TS2339", and its text; null for
   * a change of behaviour.
   */
  readonly code: string | null;
  readonly message: string | null;
}
