/**
 * The thread of one run. It counts what the program uses, and stops it before
 * anything that is too large reaches the thread of the host.
 * @module
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { EngineError, type RunGuest } from "./engine.js";
import {
  type CodeLimit,
  type CodeLimits,
  exceeded,
  type Failure,
} from "./limits.js";
import { preludeOf } from "./prelude.js";
import type { EngineName, FromHost, Job, ToHost } from "./thread.js";

const engines: Readonly<
  Record<EngineName, () => Promise<{ readonly runGuest: RunGuest }>>
> = {
  "quickjs-wasi": () => import("./quickjs-wasi.js"),
  "quickjs-emscripten": () => import("./quickjs-emscripten.js"),
};

if (parentPort !== null) void work(workerData as Job, parentPort);

type Budget = ReturnType<typeof budgetOf>;
type Send = (message: Omit<ToHost, "printed">) => void;

/** The limits of a run. The first that is exceeded ends it, whatever it does. */
function budgetOf(limits: CodeLimits) {
  let deadline = Date.now() + limits.time;
  let failure: Failure | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stop: ((failure: Failure) => void) | undefined;
  const over = new Promise<Failure>((resolve) => (stop = resolve));
  const exceed = (limit: CodeLimit): void =>
    stop?.((failure ??= exceeded(limit, limits)));
  const isOver = (): boolean => {
    if (Date.now() > deadline) exceed("time");
    return failure !== undefined;
  };
  const more = (extra: number): void => {
    deadline += extra;
    clearTimeout(timer);
    // A program that only waits is not asked.
    timer = setTimeout(isOver, deadline - Date.now() + 1);
  };
  more(0);
  return {
    over,
    exceed,
    isOver,
    more,
    failure: () => failure,
  };
}

/** The calls of a program: some run, the others wait for their turn. */
function caller({ limits }: Job, { exceed }: Budget, send: Send) {
  const answers = new Map<number, (text: string) => void>();
  const waiting: (() => void)[] = [];
  let [calls, running] = [0, 0];
  const answered = (id: number, text: string): void => {
    running--;
    answers.get(id)?.(text);
    answers.delete(id);
    waiting.shift()?.();
  };
  const call = (text: string): Promise<string> =>
    new Promise((resolve) => {
      if (bytesOf(text) > limits.argument) return exceed("argument");
      if (++calls > limits.calls) return exceed("calls");
      const id = calls;
      answers.set(id, resolve);
      const start = (): void => {
        running++;
        send({ wanted: { id, text } });
      };
      if (running < limits.callsAtOnce) start();
      else waiting.push(start);
    });
  return { call, answered };
}

/** Runs a program, and sends how it ended as its last message. */
export async function work(job: Job, port: MessagePort): Promise<void> {
  const { limits } = job;
  const budget = budgetOf(limits);
  let [printed, size] = ["", 0];
  const print = (text: string): void => {
    size += bytesOf(text);
    if (size > limits.text) budget.exceed("text");
    else printed += text;
  };
  // What a program prints goes with the next message, so that a loop that
  // prints does not post thousands.
  const send: Send = (message) => {
    port.postMessage({ ...message, printed });
    printed = "";
  };
  const { call, answered } = caller(job, budget, send);
  port.on("message", (message: FromHost) => {
    if ("more" in message) budget.more(message.more);
    else answered(message.id, message.text);
  });
  const { runGuest } = await engines[job.engine]();
  const { program, servers } = job;
  const prelude = preludeOf(servers);
  const { memory } = limits;
  const { isOver } = budget;
  const guest = {
    prelude,
    program,
    memory,
    isOver,
    call,
    print,
  };
  const run = runGuest(guest).then(
    (text) => ({ text }),
    (error: unknown) => failureOf(error, limits),
  );
  const ended = await Promise.race([run, budget.over]);
  if ("text" in ended && bytesOf(ended.text) > limits.value)
    budget.exceed("value");
  send({ end: budget.failure() ?? ended });
}

/** Why an engine did not run a program to its end. */
function failureOf(error: unknown, limits: CodeLimits): Failure {
  if (!(error instanceof EngineError)) throw error;
  const { isMemory, message } = error;
  if (isMemory) return exceeded("memory", limits);
  return { ok: false, reason: "thrown", message };
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
