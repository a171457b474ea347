import { unlessAborted } from "../../common/timing.js";
import { isInputPending } from "../core/errors.js";
import { shown } from "../core/report.js";
import type { Asking } from "../features/ask.js";
import type { FeatureContext } from "../features/feature.js";
import type { WantedCall } from "./calls.js";
import type { RunOptions } from "./code.js";

type Context = Asking<FeatureContext>;
type Work<T> = (options: RunOptions) => Promise<T>;

/** A call that waits for the word of the user. */
interface Question {
  readonly call: WantedCall;
  readonly settle: (isAllowed: boolean) => void;
}

/**
 * Work that goes on while the user is asked, also when the request that began
 * it has ended with a question, and another one brings the answer.
 */
interface OpenRun {
  readonly stop: AbortController;
  /** Resolves when the work has ended, however it did. */
  readonly ended: Promise<unknown>;
  readonly result: Promise<unknown>;
  readonly questions: Map<string, Question>;
  /** The tools of which the user has allowed all calls. */
  readonly allowed: Set<string>;
  /** The newest request, which reports the progress. */
  context: Context;
  /** Tells the request that waits that there is a question. */
  wake(): void;
}

/** The runs of a server that go on or wait for an answer. */
const maxRuns = 16;
/** The characters of arguments that a question shows. */
const maxShown = 2000;

const form = {
  type: "object",
  properties: {
    all: {
      type: "boolean",
      title: "Allow all further calls of this tool by this program",
      default: false,
    },
  },
} as const;

/**
 * Makes a function that does some work once for a request, with consent for
 * each call: the user is asked.
 *
 * @param allow the tools that need no question
 */
export function askingRuns(
  allow: readonly string[] = [],
): <T>(context: Context, work: Work<T>) => Promise<T> {
  const runs = new Map<string, OpenRun>();

  return async <T>(context: Context, work: Work<T>): Promise<T> => {
    let begun: OpenRun | undefined;
    const id = await context.once("run", () => {
      if (runs.size >= maxRuns)
        throw new Error(
          `${maxRuns} programs run or wait for an answer. Try again when one has ended.`,
        );
      begun = newRun(context, allow, work);
      const key = crypto.randomUUID();
      runs.set(key, begun);
      void begun.ended.then(() => runs.delete(key));
      return key;
    });
    const run = begun ?? runs.get(id);
    if (run === undefined)
      throw new Error(
        "The program is over, since its question was answered too late or to another process. Look at what it has changed before you run it again.",
      );
    try {
      return (await follow(run, context)) as T;
    } catch (error) {
      // With a question, the work goes on: the answer comes with another request.
      if (!isInputPending(error)) run.stop.abort();
      throw error;
    }
  };
}

/** Begins work whose calls the user is asked for. */
function newRun(
  context: Context,
  allow: readonly string[],
  work: Work<unknown>,
): OpenRun {
  let [done, asked] = [0, 0];
  const stop = new AbortController();
  const questions = new Map<string, Question>();
  const allowed = new Set(allow);
  const options: RunOptions = {
    signal: stop.signal,
    onCall: ({ server, tool, state }) =>
      run.context.progress(++done, undefined, `${server}.${tool}: ${state}`),
    allow: (call) =>
      allowed.has(nameOf(call)) ||
      new Promise((settle) => {
        questions.set(`call-${++asked}`, { call, settle });
        run.wake();
      }),
  };
  // The work begins when all this is ready.
  const result = Promise.resolve().then(() => work(options));
  const ended = result.then(nothing, nothing);
  const wake = nothing;
  const run = { stop, ended, result, questions, allowed, context, wake };
  return run;
}

const nothing = (): void => {};

/** Asks what a run wants to know, until it is over. */
async function follow(run: OpenRun, context: Context): Promise<unknown> {
  const { signal } = context;
  run.context = context;
  for (;;) {
    const woken = new Promise<true>((resolve) => {
      const wake = (): void => resolve(true);
      run.wake = wake;
    });
    const open = [...run.questions];
    await Promise.all(
      open.map(([key, question]) => answer(run, key, question, context)),
    );
    if (run.questions.size > 0) continue;
    const wait = Promise.race([woken, run.ended]);
    if ((await unlessAborted(wait, signal)) !== true) return await run.result;
  }
}

/** Asks the user for one call. A client that cannot ask refuses it. */
async function answer(
  run: OpenRun,
  key: string,
  { call, settle }: Question,
  { elicit }: Context,
): Promise<void> {
  const name = nameOf(call);
  const isAllowed = async (): Promise<boolean> => {
    if (run.allowed.has(name)) return true;
    try {
      const args = argumentsOf(call);
      const message = `A program wants to call ${name}, which may change something, with the arguments ${args}. Allow this call?`;
      const { action, content } = await elicit(message, form, { key });
      if (action === "accept" && content.all === true) run.allowed.add(name);
      return action === "accept";
    } catch (error) {
      if (isInputPending(error)) throw error;
      return false;
    }
  };
  settle(await isAllowed());
  run.questions.delete(key);
}

const nameOf = ({ server, tool }: WantedCall): string => `${server}.${tool}`;

/** The arguments as text, with the number of the characters that are left out. */
function argumentsOf(call: WantedCall): string {
  const rest = JSON.stringify(call.arguments).length - maxShown;
  const start = shown(call.arguments, maxShown);
  return rest > 0 ? `${start}… and ${rest} more characters` : start;
}
