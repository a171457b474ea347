import type { ClusterOptions } from "@mcpgen/runtime/cluster";
import { createHttpHandler, type HttpHandler, type HttpOptions } from "@mcpgen/runtime/http";
import { afterEach } from "vitest";
import { type Json, legacyRevisions, type Revision, type ServerOptions } from "../kit/index.js";
import { type Answer, sendWeb, type Sent } from "../http/kit/exchange.js";
import { type Open, serversWith, type Tools } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { until } from "../kit/watch.js";
import { type Clock, realClock } from "../../../src/runtime/cluster/bus.js";
import { clusterWithClock } from "../../../src/runtime/cluster/cluster.js";

export const secret = "a secret of at least thirty-two bytes";

/** A handler with a cluster of its own: what shares nothing with others but secrets and a store may as well be in another process. */
export interface Process extends Open {
  readonly handler: HttpHandler;
  /** Calls a function of `notify` of each of its servers that has it. */
  notify(name: string, params?: Json | string): void;
  /** Its name in the cluster. */
  readonly name: string;
}

/** How a process of a test differs from others. */
export interface ProcessOptions {
  readonly cluster?: Partial<ClusterOptions>;
  readonly tools?: Tools;
  readonly settings?: ServerOptions;
  readonly revisions?: readonly Revision[];
  readonly http?: HttpOptions;
  readonly clock?: Clock;
}

const opened = new Set<Process>();

/** Closes the processes of each test. */
export function closingProcesses(): void {
  afterEach(async () => {
    await Promise.all([...opened].map((one) => one.close()));
    opened.clear();
  });
}

/** Starts a process that answers with what a caller says as its principal, if anything. */
export function startProcess(options: ProcessOptions = {}): Process {
  const { tools = {}, settings = {}, revisions = legacyRevisions, http = {} } = options;
  const shared = clusterWithClock({ secrets: [secret], ...options.cluster }, options.clock ?? realClock);
  const servers = serversWith(tools, { ...settings, cluster: shared }, revisions);
  const handler = createHttpHandler(servers, { cluster: shared, ...http });
  const process: Process = {
    port: 0,
    handler,
    notify: (name, params) => {
      for (const { notify } of servers) notify[name]?.(params);
    },
    name: handler.health().process ?? "",
    send: (sent) => sendWeb(handler, sent),
    close: () => ended(handler.close(), options.clock),
  };
  opened.add(process);
  return process;
}

/** Waits for what may itself wait for a clock of the test. */
export async function ended(work: Promise<void>, clock: Clock | undefined): Promise<void> {
  let isDone = false;
  void work.then(() => (isDone = true));
  if (clock instanceof VirtualClock)
    await until(async () => {
      await clock.pass(100);
      return isDone;
    });
  await work;
}

/** A balancer that sends each request to the next process. */
export function inTurns(processes: readonly Process[]): Open {
  let turn = 0;
  const send = (sent: Sent): Promise<Answer> => (processes[turn++ % processes.length] as Process).send(sent);
  return { port: 0, send, close: async () => {} };
}

/** The principal is the value of the header Authorization. */
export const byHeader: HttpOptions = {
  authenticate: (request) => ({ principal: request.headers.get("authorization") ?? "nobody" }),
};

/** The same session, whose requests are sent to one process. */
export const at = (process: Process, session: Session): Session =>
  Object.assign(Object.create(Session.prototype) as Session, { ...session, open: process });

/** A clock that a test moves. */
export class VirtualClock implements Clock {
  #time = 0;
  readonly #timers = new Set<{ readonly time: number; readonly call: () => void }>();

  now(): number {
    return this.#time;
  }

  after(wait: number, call: () => void): () => void {
    const timer = { time: this.#time + wait, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Passes this many milliseconds. What waits for a time runs when it comes, and what follows from it before the next. */
  async pass(time: number): Promise<void> {
    const end = this.#time + time;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = [...this.#timers].filter((timer) => timer.time <= end).sort((a, b) => a.time - b.time)[0];
      if (!next) break;
      this.#time = Math.max(this.#time, next.time);
      this.#timers.delete(next);
      next.call();
    }
    this.#time = end;
  }
}
