import {
  type Capabilities,
  declares,
  type Follow,
  type JsonObject,
  McpError,
  type Provided,
  type RequestFacts,
  type SideTable,
} from "../../index.js";
import { wait } from "./outcome.js";

/** The kinds of answer among these rows that the extension puts in place of the ordinary one. */
export const kindsOf = (rows: readonly RequestFacts[], extension: Capabilities): string[] =>
  rows.flatMap(({ variants = {} }) =>
    Object.keys(variants).filter((kind) => declares(extension, variants[kind] as Capabilities)),
  );

/** The extension on the client: whoever calls waits for the task as for any answer. */
export function provideClient(side: SideTable): Provided {
  const { getTask = "", updateTask, cancelTask } = side.revision.jobs;
  const extension = side.sends[getTask]?.facts.extension;
  if (!extension) return { handlers: {} };
  const follow: Follow = async ({ taskId, pollIntervalMs }, { signal, ask, answer }) => {
    const answered = new Set<string>();
    let state: JsonObject = { pollIntervalMs };
    try {
      for (;;) {
        await wait(state["pollIntervalMs"], signal);
        state = await ask(getTask, { taskId }, signal);
        const { status, inputRequests } = state;
        if (status !== "working" && status !== "input_required") return outcomeOf(state);
        // XTASK-06: a question that was answered may still be there.
        const open = Object.entries((inputRequests ?? {}) as JsonObject).filter(
          ([key]) => !answered.has(key),
        );
        if (open.length === 0) continue;
        for (const [key] of open) answered.add(key);
        const inputResponses = await answer(Object.fromEntries(open) as JsonObject);
        await ask(updateTask, { taskId, inputResponses }, signal);
      }
    } catch (reason) {
      // XTASK-12: a task has a request of its own for this, and nobody else follows it.
      ask(cancelTask, { taskId }).catch(() => {});
      throw reason;
    }
  };
  const rows = Object.values(side.sends).map(({ facts }) => facts);
  const kinds = kindsOf(rows, extension).map((kind) => [kind, follow]);
  return { handlers: {}, capabilities: extension, follow: Object.fromEntries(kinds) };
}

/** XTASK-08: a task fails with the error that the request would have been answered with. */
function outcomeOf({ status, result, error, statusMessage }: JsonObject): Promise<unknown> {
  if (status === "completed") return Promise.resolve(result);
  const { code, message, data } = (error ?? {}) as Partial<McpError>;
  return Promise.reject(
    code === undefined
      ? new DOMException(String(statusMessage ?? `The task was ${status}.`), "AbortError")
      : new McpError(code, String(message), data),
  );
}
