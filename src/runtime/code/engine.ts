/**
 * What an engine gets. It runs in a thread of its own, and its guest sees
 * nothing of the host but `call` and `print`.
 */
export interface Guest {
  /**
   * An expression: a function of `call` and `print` that returns another, which
   * runs the program and resolves with a text. The first one is called before
   * anything of the program is evaluated.
   */
  readonly prelude: string;
  /** JavaScript: the body of an async function. */
  readonly program: string;
  /** How many bytes the guest may hold. */
  readonly memory: number;
  /** Asked often while the guest runs. True if it must stop. */
  isOver(): boolean;
  /** Resolves with a text. Never rejects. */
  call(text: string): Promise<string>;
  print(text: string): void;
}

/** Why an engine did not run a program to its end. */
export type EngineFault =
  /** `isOver` returned true. */
  | "stopped"
  /** The guest needed more memory than it may hold. */
  | "memory"
  /** The program calls functions in functions, too deep. */
  | "stack"
  /** The program waits for a promise that nothing will resolve. */
  | "stalled"
  /** The program is no JavaScript. */
  | "syntax"
  /** An error of the engine that a program cannot catch. */
  | "internal";

/** The error of an engine that did not run a program to its end. */
export class EngineError extends Error {
  override readonly name: string = "EngineError";

  readonly fault: EngineFault;

  constructor(fault: EngineFault, message: string = fault) {
    super(message);
    this.fault = fault;
  }
}

/**
 * The port of an engine. It resolves with the text that the prelude resolves
 * with, and rejects with an `EngineError`.
 */
export type RunGuest = (guest: Guest) => Promise<string>;

/** The file name that errors of a program show. */
export const programName = "program.js";

/** The program as an expression. Its lines keep their numbers. */
export const functionOf = (program: string): string =>
  `(async () => { "use strict"; ${program}\n})`;
