import {
  type ClusterOptions,
  memorySharedStore,
} from "@mcpgen/runtime/cluster";
import {
  createHttpHandler,
  type HttpHandler,
  type HttpOptions,
} from "@mcpgen/runtime/http";
import { afterEach, expect } from "vitest";
import {
  type Json,
  legacyRevisions,
  type Revision,
  type ServerOptions,
} from "../kit/index.js";
import { type Answer, sendWeb, type Sent } from "../http/kit/exchange.js";
import { type Open, serversWith, type Tools } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { until } from "../kit/watch.js";
import { type Clock, realClock } from "../../../src/runtime/cluster/clock.js";
import { clusterWithClock } from "../../../src/runtime/cluster/cluster.js";

export const secret = "a secret of at least thirty-two bytes";

/**
 * A handler with a cluster of its own: what shares nothing with others but
 * secrets and a store may as well be in another process.
 */
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

const opened = new Set<Open>();

/** Closes the processes of each test. */
export function closingProcesses(): void {
  afterEach(async () => {
    await Promise.all([...opened].map((one) => one.close()));
    opened.clear();
  });
}

/**
 * Starts a process that answers with what a caller says as its principal, if
 * anything.
 */
export function startProcess(options: ProcessOptions = {}): Process {
  const {
    tools = {},
    settings = {},
    revisions = legacyRevisions,
    http = {},
  } = options;
  const shared = clusterWithClock(
    { secrets: [secret], ...options.cluster },
    options.clock ?? realClock,
  );
  const servers = serversWith(
    tools,
    { ...settings, cluster: shared },
    revisions,
  );
  const handler = createHttpHandler(servers, { cluster: shared, ...http });
  const process = {
    port: 0,
    handler,
    notify: (name: string, params?: Json | string) => {
      for (const { notify } of servers) notify[name]?.(params);
    },
    name: handler.health().process ?? "",
    send: (sent: Sent) => sendWeb(handler, sent),
    close: () => handler.close(),
  };
  return closedAfterTest(process, options.clock);
}

/**
 * The same process, which is closed after its test: `closingProcesses`. Its end
 * may wait for a clock of the test.
 */
export function closedAfterTest<T extends Open>(process: T, clock?: Clock): T {
  const own = { ...process, close: () => ended(process.close(), clock) };
  opened.add(own);
  return own;
}

/** Waits for what may itself wait for a clock of the test. */
async function ended(
  work: Promise<void>,
  clock: Clock | undefined,
): Promise<void> {
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
  const send = (sent: Sent): Promise<Answer> =>
    (processes[turn++ % processes.length] as Process).send(sent);
  return { port: 0, send, close: async () => {} };
}

/** Settings of a server that announces all changes. */
export const subscribing: ServerOptions = {
  capabilities: {
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
  },
};

/** Processes that share a store in memory. `start` starts one more. */
export function processes(
  count: number,
  options: ProcessOptions = {},
): {
  readonly store: ReturnType<typeof memorySharedStore>;
  start(more?: ProcessOptions): Process;
  readonly all: [Process, Process, Process];
  readonly up: Open;
} {
  const store = memorySharedStore();
  const cluster = { store, ...options.cluster };
  const start = (more: ProcessOptions = {}): Process =>
    startProcess({
      settings: subscribing,
      ...options,
      ...more,
      cluster: { ...cluster, ...more.cluster },
    });
  const all = Array.from({ length: count }, () => start());
  return {
    store,
    start,
    all: all as [Process, Process, Process],
    up: inTurns(all),
  };
}

/** JSON that can be read, but is nested too deeply to be written again. */
export const deep: string = `${'{"a":'.repeat(12_000)}{}${"}".repeat(12_000)}`;

export const latest = legacyRevisions[0] as Revision;

/** A session whose stream of notifications is open at a process. */
export async function listening(
  process: Process,
  session: Session,
): Promise<Answer> {
  const stream = await at(process, session).listen();
  expect(stream.status).toBe(200);
  return stream;
}

/** The method of the next message, and the URI in it. */
export async function nextNotice(stream: Answer): Promise<readonly unknown[]> {
  const { method, params } = await stream.message();
  return [method, (params as Json | undefined)?.["uri"]];
}

/** The principal is the value of the header Authorization. */
export const byHeader: HttpOptions = {
  authenticate: (request) => ({
    principal: request.headers.get("authorization") ?? "nobody",
  }),
};

/** The same session, whose requests are sent to one process. */
export const at = (open: Open, session: Session): Session =>
  Object.assign(Object.create(Session.prototype) as Session, {
    ...session,
    open,
  });

/** A clock that a test moves. */
export class VirtualClock implements Clock {
  #time = 0;
  readonly #timers = new Set<{
    readonly time: number;
    readonly call: () => void;
  }>();

  now(): number {
    return this.#time;
  }

  after(wait: number, call: () => void): () => void {
    const timer = { time: this.#time + wait, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /**
   * Passes this many milliseconds. What waits for a time runs when it comes,
   * and what follows from it before the next.
   */
  async pass(time: number): Promise<void> {
    const end = this.#time + time;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = [...this.#timers]
        .filter((timer) => timer.time <= end)
        .sort((a, b) => a.time - b.time)[0];
      if (!next) break;
      this.#time = Math.max(this.#time, next.time);
      this.#timers.delete(next);
      next.call();
    }
    this.#time = end;
  }
}
