import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, type HttpHandler } from "@mcpgen/runtime/http";
import { type TaskOptions, tasks } from "@mcpgen/runtime/tasks";
import { expect } from "vitest";
import { type Answer, sendWeb } from "../http/kit/exchange.js";
import { ask, modernPost } from "../http/kit/messages.js";
import type { Open } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  type AnyContext,
  errorOf,
  type Json,
  makeServer,
  resultOf,
  type Revision,
  turns,
} from "../kit/index.js";
import { tool } from "../tasks/kit.js";
import { type Clock, realClock } from "../../../src/runtime/cluster/clock.js";
import { clusterWithClock } from "../../../src/runtime/cluster/cluster.js";
import { closedAfterTest, secret } from "./kit.js";

interface Options extends TaskOptions {
  readonly restart?: boolean;
  /** Whether the tool may be a task. */
  readonly support?: string;
  readonly clock?: Clock;
  readonly store?: SharedStore | undefined;
  readonly onError?: (error: Error) => void;
}
export type Work = (args: unknown, context: AnyContext) => unknown;

/**
 * A process of a server with one tool, `work`, or with other handlers. A caller
 * says its principal in a header, and then its scopes.
 */
export function startTaskProcess(
  revision: Revision,
  work: Work | object,
  {
    store,
    onError,
    restart = false,
    support,
    clock = realClock,
    ...options
  }: Options,
): Open & { readonly handler: HttpHandler } {
  const member = clusterWithClock({ secrets: [secret], store }, clock);
  const server = makeServer(revision.protocol, {
    handlers: {
      ...(typeof work === "function"
        ? tools([{ ...tool("work", work as Work, support), restart } as never])
        : work),
      ...tasks({ pollInterval: 5, ...options }),
    } as never,
    cluster: member,
    drainTime: 100,
    ...(onError && { onError }),
  });
  const handler = createHttpHandler(server, {
    cluster: member,
    authenticate({ headers }) {
      const [principal = "", ...scopes] = (
        headers.get("authorization") ?? "nobody"
      ).split(" ");
      return { principal, scopes };
    },
  });
  const send: Open["send"] = (sent) => sendWeb(handler, sent);
  const process = { port: 0, handler, send, close: () => handler.close() };
  return closedAfterTest(process, clock);
}

/** Three processes that share a store. */
export const startThree = (
  revision: Revision,
  work: Work,
  options: Options = {},
): [Open, Open, Open] => {
  const store = options.store ?? memorySharedStore();
  const start = (): Open =>
    startTaskProcess(revision, work, { ...options, store });
  return [start(), start(), start()];
};

/** Opens a session, starts a task with its tool, and reads the task. */
export const callsAt = (revision: Revision) => ({
  open: (
    process: Open,
    capabilities: Json = {},
    authorization = "ada",
  ): Promise<Session> =>
    Session.start(process, revision, capabilities, { authorization }),
  start: async (session: Session, task: Json = {}): Promise<string> => {
    const result = resultOf(
      await session.ask(
        ask(1, "tools/call", { name: "work", arguments: {}, task }),
      ),
    );
    return String((result["task"] as Json)["taskId"]);
  },
  get: async (session: Session, taskId: string): Promise<Json> =>
    resultOf(await session.ask(ask(2, "tasks/get", { taskId }))),
});

/** The same by the extension, without a session. */
export function callsByExtension(revision: Revision, capabilities: Json) {
  const post = (
    process: Open,
    method: string,
    params: Json,
    authorization = "ada",
  ): Promise<Answer> =>
    process.send(
      modernPost(revision, ask(1, method, params), {
        capabilities,
        headers: { authorization },
      }),
    );
  const send = async (...args: Parameters<typeof post>): Promise<Json> =>
    (await post(...args)).json();
  return {
    post,
    send,
    start: async (process: Open): Promise<string> => {
      const result = resultOf(
        await send(process, "tools/call", { name: "work", arguments: {} }),
      );
      expect(result).toMatchObject({ resultType: "task", status: "working" });
      return String(result["taskId"]);
    },
    /** Reads the task until it has one of these statuses. */
    settled: async (
      process: Open,
      taskId: string,
      ...statuses: string[]
    ): Promise<Json> => {
      for (;;) {
        const task = resultOf(await send(process, "tasks/get", { taskId }));
        if (statuses.includes(String(task["status"]))) return task;
        await turns(5);
      }
    },
  };
}

/** Checks the answer while the engine does not answer. */
export async function expectOutage(answer: Answer): Promise<void> {
  expect([answer.status, answer.header("retry-after")]).toEqual([503, "1"]);
  const error = {
    code: -32603,
    message: "The store of this server cannot be reached now. Try again.",
  };
  expect(errorOf(await answer.json())).toEqual({
    ...error,
    data: { reason: "unavailable" },
  });
}

/** An engine that can be stopped. */
export function stoppable(
  store = memorySharedStore(),
): SharedStore & { stop(): void; start(): void } {
  let isStopped = false;
  const check = <T>(work: () => Promise<T>): Promise<T> =>
    isStopped
      ? Promise.reject(new Error("The engine did not answer within 2000 ms."))
      : work();
  return {
    get: (key) => check(() => store.get(key)),
    put: (...args) => check(() => store.put(...args)),
    append: (...args) => check(() => store.append(...args)),
    follow: (...args) => check(() => store.follow(...args)),
    stop: () => void (isStopped = true),
    start: () => void (isStopped = false),
  };
}
