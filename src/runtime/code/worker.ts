/**
 * The thread of one run. It counts what the program uses, and stops it before
 * anything that is too large reaches the thread of the host.
 * @module
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  type CodeLimit,
  type CodeLimits,
  exceeded,
  type Failure,
} from "./limits.js";
import { preludeOf } from "./prelude.js";
import type { FromHost, Job, ToHost } from "./thread.js";

const engines = {
  "quickjs-wasi": () => import("./quickjs-wasi.js"),
  "quickjs-emscripten": () => import("./quickjs-emscripten.js"),
};

if (parentPort !== null) void work(workerData as Job, parentPort);

type Budget = ReturnType<typeof budgetOf>;
type Send = (message: Omit<ToHost, "printed">) => void;

/**
 * The limits of a run. The first that is exceeded ends it at once, whatever the
 * program does: an engine may go on where its guest catches its own end.
 */
function budgetOf(limits: CodeLimits, end: (failure: Failure) => void) {
  let deadline = Date.now() + limits.time;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const exceed = (limit: CodeLimit): void => {
    if (!isEnded) end(exceeded(limit, limits));
    isEnded = true;
  };
  const isOver = (): boolean => {
    if (Date.now() > deadline) exceed("time");
    return isEnded;
  };
  const more = (extra: number): void => {
    deadline += extra;
    clearTimeout(timer);
    // A program that only waits is not asked.
    timer = setTimeout(isOver, deadline - Date.now() + 1);
  };
  more(0);
  return { exceed, isOver, more };
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
  const { engine, limits, program, servers } = job;
  let [printed, size] = ["", 0];
  // What a program prints goes with the next message, so that a loop that
  // prints does not post thousands.
  const send: Send = (message) => {
    port.postMessage({ ...message, printed });
    printed = "";
  };
  const budget = budgetOf(limits, (end) => send({ end }));
  const { exceed, isOver } = budget;
  const print = (text: string): void => {
    size += bytesOf(text);
    if (size > limits.text) exceed("text");
    else printed += text;
  };
  const { call, answered } = caller(job, budget, send);
  const { memory } = limits;
  const prelude = preludeOf(servers);
  const guest = {
    prelude,
    program,
    memory,
    isOver,
    call,
    print,
  };
  port.on("message", (message: FromHost) => {
    if ("more" in message) budget.more(message.more);
    else answered(message.id, message.text);
  });
  const { runGuest } = await engines[engine]();
  const end = await runGuest(guest);
  if (isOver()) return;
  if ("limit" in end) exceed(end.limit);
  else if ("message" in end)
    send({ end: { ok: false, reason: "thrown", ...end } });
  else if (bytesOf(end.text) > limits.value) exceed("value");
  else send({ end });
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
