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

/**
 * How a guest ended: with the text that the prelude passes to `done`, with more
 * memory than it may hold, or with another fault, in words for a model.
 */
export type GuestEnd =
  | { readonly text: string }
  | { readonly limit: "memory" }
  | { readonly message: string };

/** The port of an engine. */
export type RunGuest = (guest: Guest) => Promise<GuestEnd>;

/** An engine, in which each text of the host is a value of its guest. */
interface Vm<Value, Result> {
  readonly undefined: Value;
  evalCode(text: string, file: string): Result;
  callFunction(run: Value, self: Value, ...args: readonly Value[]): Result;
  newFunction(name: string, call: (text: Value) => Value): Value;
  newPromise(): { readonly handle: Value; resolve(value: Value): void };
  newString(text: string): Value;
}

/** What engines do in different ways. */
interface Engine<Value, Result> {
  readonly vm: Vm<Value, Result>;
  /** The value of a result. Throws its error. */
  valueOf(result: Result): Value;
  textOf(value: Value): string;
  /** Goes on in the guest until it waits for the host, or has ended. */
  proceed(): void;
}

/** Runs a program in an engine. */
export const runIn = <Value, Result>(
  { vm, valueOf, textOf, proceed }: Engine<Value, Result>,
  guest: Guest,
): Promise<GuestEnd> =>
  new Promise((resolve) => {
    /** How many calls of the host have no answer yet, with the program itself. */
    let open = 1;
    const attempt = (step: () => void): void => {
      try {
        step();
        proceed();
        // The program waits, and no answer will wake it.
        if (open === 1) resolve({ message: stalled });
      } catch (error) {
        resolve(endOf(error as Error));
      }
    };
    const call = (text: string): Value => {
      const { handle, resolve: answer } = vm.newPromise();
      open++;
      void guest.call(text).then((answered) => {
        open--;
        attempt(() => answer(vm.newString(answered)));
      });
      return handle;
    };
    const done = (text: string): void => {
      open--;
      resolve({ text });
    };
    const define = (name: string, run: (text: string) => Value | void): Value =>
      vm.newFunction(name, (value) => run(textOf(value)) ?? vm.undefined);
    const evaluate = (text: string, file: string): Value =>
      valueOf(vm.evalCode(text, file));
    const apply = (run: Value, ...args: readonly Value[]): Value =>
      valueOf(vm.callFunction(run, vm.undefined, ...args));
    attempt(() => {
      const run = apply(
        evaluate(guest.prelude, "prelude.js"),
        define("call", call),
        define("print", guest.print),
        define("done", done),
      );
      // Its lines keep their numbers.
      const program = `(async () => { "use strict"; ${guest.program}\n})`;
      apply(run, evaluate(program, "program.js"));
    });
  });

const stalled = "The program waits for a promise that nothing resolves.";

/** How an error of an engine ends its guest. */
function endOf({ name, message }: Error): GuestEnd {
  if (/out of memory/.test(message)) return { limit: "memory" };
  // A trap of WebAssembly: its stack is full.
  if (name === "RuntimeError" || /call stack|stack overflow/.test(message))
    return { message: "The program nests function calls too deep." };
  const what =
    name === "SyntaxError"
      ? "The program is not JavaScript"
      : "The engine ended the program";
  return { message: `${what}: ${message}.` };
}
