/**
 * What an engine gets. It runs in a thread of its own, and its guest sees
 * nothing of the host but `call`, `print` and the end of the prelude.
 */
export interface Guest {
  /**
   * An expression: a function of `call`, `print` and `done` that returns
   * another, which runs the program and passes a text to `done`. The first one
   * is called before anything of the program is evaluated.
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

/** Why an engine did not run a program to its end, in words for a model. */
export class EngineError extends Error {
  override readonly name: string = "EngineError";

  /** True if the guest needed more memory than it may hold. */
  readonly isMemory: boolean;

  constructor(message: string, isMemory = false) {
    super(message);
    this.isMemory = isMemory;
  }
}

/**
 * The port of an engine. It resolves with the text that the prelude passes to
 * `done`, and rejects with an `EngineError`.
 */
export type RunGuest = (guest: Guest) => Promise<string>;

/** What an engine can do, with values of its guest. */
export interface Engine<Value> {
  evaluate(text: string, file: string): Value;
  /** Calls a function of the guest. */
  apply(run: Value, ...args: readonly Value[]): Value;
  /** Makes a function of the guest, which is passed a text. */
  define(name: string, call: (text: string) => Value | void): Value;
  /** Makes a promise of the guest, and what resolves it with a text. */
  promise(): readonly [Value, (text: string) => void];
  /** Goes on in the guest until it waits for the host, or has ended. */
  proceed(): void;
}

/** Runs a program in an engine. */
export const runIn = <Value>(
  engine: Engine<Value>,
  guest: Guest,
): Promise<string> =>
  new Promise((resolve, reject) => {
    /** How many calls of the host have no answer yet, with the program itself. */
    let open = 1;
    const attempt = (step: () => void): void => {
      try {
        step();
        engine.proceed();
        // The program waits, and no answer will wake it.
        if (open === 1) throw new EngineError(stalled);
      } catch (error) {
        reject(errorOf(error));
      }
    };
    const call = (text: string): Value => {
      const [value, answer] = engine.promise();
      open++;
      void guest.call(text).then((answered) => {
        open--;
        attempt(() => answer(answered));
      });
      return value;
    };
    const done = (text: string): void => {
      open--;
      resolve(text);
    };
    attempt(() => {
      const run = engine.apply(
        engine.evaluate(guest.prelude, "prelude.js"),
        engine.define("call", call),
        engine.define("print", guest.print),
        engine.define("done", done),
      );
      // Its lines keep their numbers.
      const program = `(async () => { "use strict"; ${guest.program}\n})`;
      engine.apply(run, engine.evaluate(program, "program.js"));
    });
  });

const stalled = "The program waits for a promise that nothing resolves.";

/** Tells the errors of an engine apart. Others are its faults. */
function errorOf(error: unknown): Error {
  const { name, message } = error as Error;
  if (error instanceof EngineError) return error;
  if (/out of memory/.test(message))
    return new EngineError("The program needs too much memory.", true);
  // A trap of WebAssembly: its stack is full.
  if (name === "RuntimeError" || /call stack|stack overflow/.test(message))
    return new EngineError("The program nests function calls too deep.");
  if (name === "SyntaxError")
    return new EngineError(`The program is not JavaScript: ${message}.`);
  if (name === "InternalError")
    return new EngineError(`The engine ended the program: ${message}.`);
  return error instanceof Error ? error : new Error(String(error));
}
