import { Worker } from "node:worker_threads";
import { maxDelay } from "../../common/timing.js";
import type { EngineFault } from "./engine.js";
import type { CodeLimit, CodeLimits } from "./limits.js";

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

/** What a thread sends. Its last message says how the program ended. */
export type ToHost =
  /** `[server, tool, arguments]` as JSON. */
  | { readonly kind: "call"; readonly id: number; readonly text: string }
  | { readonly kind: "print"; readonly text: string }
  | ThreadEnd;

/** How a program ended. */
export type ThreadEnd =
  /** As the prelude says: a value, or what was thrown. */
  | { readonly kind: "ended"; readonly text: string }
  | { readonly kind: "exceeded"; readonly limit: CodeLimit }
  | {
      readonly kind: "failed";
      readonly fault: EngineFault;
      readonly message: string;
    }
  /** The engine has a fault. */
  | { readonly kind: "broken"; readonly message: string };

/** The answer to a call as JSON, or a change of the time of the run, in ms. */
export type FromHost =
  { readonly id: number; readonly text: string } | { readonly more: number };

/** What a run asks of its host. */
export interface ThreadHost {
  /**
   * Resolves with the answer as JSON. Never rejects. `more` gives the run more
   * time, or takes it back, in ms.
   */
  call(text: string, more: (time: number) => void): Promise<string>;
  print(text: string): void;
}

/** How long a thread may need to start and to notice its own end, in ms. */
const grace = 2_000;

/**
 * Runs a program in a thread of its own, and ends the thread with it. The
 * thread stops a program that exceeds a limit; a thread that does not answer,
 * since a function of the engine runs on, is ended from outside.
 *
 * @param signal ends the run, with the end `undefined`
 */
export async function runInThread(
  job: Job,
  host: ThreadHost,
  signal: AbortSignal,
): Promise<ThreadEnd | undefined> {
  // Beside this file in the package, also where an entry is one file.
  const url = new URL("./code/worker.js", import.meta.url);
  const worker = new Worker(url, {
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  const post = (message: FromHost): void => worker.postMessage(message, []);
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise<ThreadEnd | undefined>((resolve) => {
      let deadline = Date.now() + grace;
      const more = (time: number): void => {
        deadline += time;
        clearTimeout(timer);
        timer = setTimeout(
          () => resolve({ kind: "exceeded", limit: "time" }),
          Math.min(deadline - Date.now(), maxDelay),
        );
      };
      more(job.limits.time);
      const moreForAll = (time: number): void => {
        more(time);
        post({ more: time });
      };
      abort = () => resolve(undefined);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      worker.on("message", (message: ToHost) => {
        if (message.kind === "print") return host.print(message.text);
        if (message.kind !== "call") return resolve(message);
        const { id, text } = message;
        void host
          .call(text, moreForAll)
          .then((answer) => post({ id, text: answer }));
      });
      worker.on("error", (error) => resolve(endOfError(error)));
      worker.on("exit", (code) =>
        resolve({ kind: "broken", message: `The thread ended with ${code}.` }),
      );
    });
  } finally {
    clearTimeout(timer);
    if (abort) signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

function endOfError(error: unknown): ThreadEnd {
  const { code, message } = error as { code?: string; message?: string };
  return code === "ERR_WORKER_OUT_OF_MEMORY"
    ? { kind: "exceeded", limit: "memory" }
    : { kind: "broken", message: message ?? String(error) };
}
