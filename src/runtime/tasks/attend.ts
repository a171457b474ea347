import type { JsonObject } from "../../common/object.js";
import { pause, withTimeout } from "../../common/timing.js";
import type { RequestContext } from "../core/session/context.js";
import type { FeatureContext } from "../features/feature.js";
import { errorOf, hasEnded, openQuestions, type Outcome, type TaskState } from "./state.js";
import { expired } from "./store.js";

/** How often a task that somebody waits for is read, in milliseconds, also if no process says that it has changed. */
const readTime = 3000;
/** How often a store is given an answer that it does not take: for longer than an engine needs to start again. */
const maxTries = 40;
/** The wait between, in milliseconds. */
const retryTime = 500;

/** A task of a cluster for a request that waits for its end. */
interface Attended {
  read(): Promise<TaskState | undefined>;
  /** Calls a function when the task may have changed, until the returned function is called. */
  listen(listener: () => void): () => void;
  answer(responses: JsonObject): Promise<void>;
  report(error: unknown): void;
}

/** Waits for the end of a task, and sends its questions on the stream of this request. */
export async function attend(context: RequestContext, task: Attended): Promise<Outcome> {
  const { signal } = context;
  const asked = new Set<string>();
  let hasNews = true;
  let wake = (): void => {};
  const listener = (): void => {
    hasNews = true;
    wake();
  };
  const stop = task.listen(listener);
  signal.addEventListener("abort", listener);
  try {
    for (;;) {
      const news = new Promise<void>((resolve) => (wake = resolve));
      if (!hasNews) await withTimeout(readTime, news);
      signal.throwIfAborted();
      hasNews = false;
      const state = await task.read();
      if (!state) throw expired();
      if (state.outcome && hasEnded(state)) return state.outcome;
      for (const [key, question] of Object.entries(openQuestions(state))) {
        if (asked.has(key)) continue;
        asked.add(key);
        void ask(context, task, key, question as JsonObject);
      }
    }
  } finally {
    signal.removeEventListener("abort", listener);
    stop();
  }
}

/** Sends a question, and gives its answer to the task. Never rejects. */
async function ask(
  context: RequestContext,
  { answer, report }: Attended,
  key: string,
  { method, params }: JsonObject,
): Promise<void> {
  const { request } = context as unknown as FeatureContext;
  const response = await request(String(method), params as never).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: errorOf(error) }),
  );
  // Another request for the result asks again.
  if (context.signal.aborted) return;
  for (let i = 0; i < maxTries; i++) {
    try {
      return await answer({ [key]: response });
    } catch (error) {
      report(error);
      await pause(retryTime);
    }
  }
}
