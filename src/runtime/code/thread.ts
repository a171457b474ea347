import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { maxDelay, onAbort } from "../../common/timing.js";
import { messageOf } from "../core/report.js";
import type { Calls } from "./calls.js";
import { type CodeLimits, exceeded, type Failure } from "./limits.js";

/** The engines that there are adapters for, by the names of their packages. */
export type EngineName = "quickjs-wasi" | "quickjs-emscripten";

/** What a thread is started with. */
export interface Job {
  readonly engine: EngineName;
  /** JavaScript: the body of an async function. */
  readonly program: string;
  /** The names of the tools of each server. */
  readonly servers: Readonly<Record<string, readonly string[]>>;
  readonly limits: CodeLimits;
}

/** What a thread sends, with what the program has printed since. */
export interface ToHost {
  readonly printed: string;
  /** `[server, tool, arguments]` as JSON. */
  readonly wanted?: { readonly id: number; readonly text: string };
  /** The last message has it. */
  readonly end?: ThreadEnd;
}

/** How a program ended: with a text of the prelude, or without one. */
export type ThreadEnd = { readonly text: string } | Failure;

/** The answer to a call as JSON, or a change of the time of the run, in ms. */
export type FromHost =
  { readonly id: number; readonly text: string } | { readonly more: number };

/** How long a thread may need to start and to notice its own end, in ms. */
const grace = 2_000;

/**
 * Runs a program in a thread of its own, and ends the thread with it. The
 * thread stops a program that exceeds a limit; a thread that does not answer,
 * since a function of the engine runs on, is ended from outside.
 *
 * @param print gets what the program prints
 * @param signal ends the run
 * @throws if the engine has a fault
 */
export async function runInThread(
  job: Job,
  call: Calls["answer"],
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<ThreadEnd> {
  // Beside this file in the package, also where an entry is one file.
  const url = new URL("./code/worker.js", import.meta.url);
  const worker = new Worker(url, {
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  const { limits } = job;
  let timer: NodeJS.Timeout | undefined;
  let forget = (): void => {};
  let isOver = false;
  try {
    return await new Promise<ThreadEnd>((resolve, reject) => {
      let deadline = Date.now() + grace;
      const wait = (time: number): void => {
        deadline += time;
        clearTimeout(timer);
        timer = setTimeout(
          () => resolve(exceeded("time", limits)),
          Math.min(deadline - Date.now(), maxDelay),
        );
      };
      wait(limits.time);
      const post = (message: FromHost): void => worker.postMessage(message, []);
      const more = (time: number): void => {
        wait(time);
        post({ more: time });
      };
      const abort = (): void => resolve(aborted);
      forget = onAbort(signal, abort);
      if (signal.aborted) abort();
      const take = ({ printed, wanted, end }: ToHost): void => {
        if (isOver) return;
        print(printed);
        if (end !== undefined) resolve(end);
        if (wanted === undefined) return;
        const { id, text } = wanted;
        void call(text, more).then((answer) => post({ id, text: answer }));
      };
      // One message in each turn of the event loop: many calls at once must
      // not hold it for longer than one of them does.
      let turn: Promise<unknown> = Promise.resolve();
      worker.on("message", (message: ToHost) => {
        turn = turn.then(() => setImmediate()).then(() => take(message));
      });
      const fail = (reason: unknown): void => {
        const message = `The engine of the program failed: ${messageOf(reason)}`;
        reject(new Error(message, { cause: reason }));
      };
      worker.on("error", (error: Error & { readonly code?: string }) =>
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? resolve(exceeded("memory", limits))
          : fail(error),
      );
      worker.on("exit", () => fail("Its thread has ended."));
    });
  } finally {
    isOver = true;
    clearTimeout(timer);
    forget();
    await worker.terminate();
  }
}

const aborted: Failure = {
  ok: false,
  reason: "aborted",
  message: "The run was aborted.",
};
