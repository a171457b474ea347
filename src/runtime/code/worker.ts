/**
 * The thread of one run. It counts what the program uses, and stops it before
 * anything that is too large reaches the thread of the host.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { EngineError, type RunGuest } from "./engine.js";
import type { CodeLimit } from "./limits.js";
import { preludeOf } from "./prelude.js";
import type { EngineName, FromHost, Job, ToHost } from "./thread.js";

const engines: Readonly<
  Record<EngineName, () => Promise<{ readonly runGuest: RunGuest }>>
> = {
  "quickjs-wasi": () => import("./quickjs-wasi.js"),
  "quickjs-emscripten": () => import("./quickjs-emscripten.js"),
};

if (parentPort !== null) {
  const port = parentPort;
  const send = (message: ToHost): void => port.postMessage(message);
  // The port keeps the thread alive only while the program runs.
  void work(workerData as Job, send, (listener) =>
    port.on("message", listener),
  ).then(() => port.close());
}

type Exceed = (limit: CodeLimit) => void;
type Send = (message: ToHost) => void;
type Listen = (listener: (message: FromHost) => void) => void;

/** What a program prints, in few messages: a loop of short texts is no flood. */
function printer({ limits }: Job, send: Send, exceed: Exceed) {
  let printed = 0;
  let lines = "";
  const flush = (): void => {
    if (lines === "") return;
    send({
      kind: "print",
      text: lines,
    });
    lines = "";
  };
  const print = (text: string): void => {
    printed += bytesOf(text);
    if (printed > limits.text) return exceed("text");
    lines += text;
    if (lines.length > 4096) flush();
  };
  return { print, flush };
}

/** The calls of a program: some run, the others wait for their turn. */
function caller({ limits }: Job, send: Send, exceed: Exceed) {
  const answers = new Map<number, (text: string) => void>();
  const waiting: (() => void)[] = [];
  let [calls, running] = [0, 0];
  const start = (id: number, text: string): void => {
    running++;
    send({
      kind: "call",
      id,
      text,
    });
  };
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
      if (running < limits.callsAtOnce) start(id, text);
      else waiting.push(() => start(id, text));
    });
  return { call, answered };
}

/** Runs a program, and sends how it ended as its last message. */
export async function work(
  job: Job,
  send: Send,
  listen: Listen,
): Promise<void> {
  const { limits } = job;
  let deadline = Date.now() + limits.time;
  let exceeded: CodeLimit | undefined;
  let stop: Exceed = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (limit) => reject(new Error(limit));
  });
  // Nobody may wait for it when a limit is exceeded.
  stopped.catch(() => {});

  /** The first limit that is exceeded ends the run, whatever it does. */
  const exceed = (limit: CodeLimit): void => {
    exceeded ??= limit;
    stop(exceeded);
  };
  const isOver = (): boolean => {
    if (Date.now() > deadline) exceed("time");
    return exceeded !== undefined;
  };
  const { print, flush } = printer(job, send, exceed);
  const sendAfterText: Send = (message) => {
    flush();
    send(message);
  };
  const { call, answered } = caller(job, sendAfterText, exceed);
  // A program that only waits is not asked.
  let timer: NodeJS.Timeout | undefined;
  const more = (time: number): void => {
    deadline += time;
    clearTimeout(timer);
    timer = setTimeout(isOver, deadline - Date.now() + 1);
  };
  more(0);
  listen((message) => {
    if ("more" in message) more(message.more);
    else answered(message.id, message.text);
  });
  try {
    const { runGuest } = await engines[job.engine]();
    const { program } = job;
    const { memory } = limits;
    const prelude = preludeOf(job.servers);
    const guest = {
      prelude,
      program,
      memory,
      isOver,
      call,
      print,
    };
    const text = await Promise.race([runGuest(guest), stopped]);
    if (bytesOf(text) > limits.value) exceed("value");
    sendAfterText(
      exceeded === undefined
        ? { kind: "ended", text }
        : { kind: "exceeded", limit: exceeded },
    );
  } catch (error) {
    sendAfterText(endOf(error, exceeded));
  } finally {
    clearTimeout(timer);
  }
}

/** How a run ended that an engine did not bring to its end. */
function endOf(error: unknown, exceeded: CodeLimit | undefined): ToHost {
  if (exceeded !== undefined)
    return {
      kind: "exceeded",
      limit: exceeded,
    };
  if (!(error instanceof EngineError))
    return { kind: "broken", message: String(error) };
  const { fault, message } = error;
  if (fault === "memory") return { kind: "exceeded", limit: "memory" };
  return { kind: "failed", fault, message };
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
