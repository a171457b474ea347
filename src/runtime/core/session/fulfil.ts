import { ValidationError } from "../errors.js";
import type { Connection } from "../jsonrpc/connection.js";
import { Exchange } from "../jsonrpc/dispatcher.js";
import { observeWork } from "../jsonrpc/observe-work.js";
import { either, pause } from "../../../common/timing.js";
import type { WireRequest } from "../message.js";
import type { JsonObject } from "../../../common/object.js";

/** How long to wait before a call is repeated because the server only returned a state, in milliseconds (MRTR-09). */
export const retryDelay = (round: number): number => Math.min(50 * 2 ** round, 5000);

/**
 * Answers all questions of a result and returns the members of the next request: the answers by key (MRTR-05), and the
 * `requestState` unchanged (MRTR-06). `what` names the result in errors, `round` counts from 1.
 *
 * @throws ValidationError for a result without questions and without a state.
 */
export async function fulfil(
  what: string,
  { inputRequests, requestState }: JsonObject,
  signal: AbortSignal | undefined,
  round: number,
  connection: Connection,
  answer: (request: WireRequest, exchange: Exchange) => unknown,
): Promise<JsonObject> {
  // The result has at least one of the two (MRTR-02).
  if (!inputRequests && requestState === undefined)
    throw new ValidationError(`${what}: expected inputRequests or requestState.`);
  // Before promises are created that could reject without a handler.
  signal?.throwIfAborted();
  const done = new AbortController();
  const stop = either(signal, done.signal);
  const stopped = new Promise<never>((_, reject) =>
    stop.addEventListener("abort", () => reject(stop.reason)),
  );
  const one = async ([key, request]: [string, unknown]): Promise<[string, unknown]> => {
    const { method, params } = request as WireRequest;
    const exchange = new Exchange(key, undefined, method);
    stop.addEventListener("abort", () => exchange.abort(stop.reason));
    const work = (): unknown => answer(request as WireRequest, exchange);
    return [key, await observeWork(connection, exchange, params, work)];
  };
  const work = inputRequests
    ? Promise.all(Object.entries(inputRequests).map(one))
    : // Without questions the client waits before it retries (MRTR-09).
      pause(retryDelay(round), stop).then(() => undefined);
  try {
    const answers = await Promise.race([work, stopped]);
    return { requestState, inputResponses: answers && Object.fromEntries(answers) };
  } finally {
    // If one answer fails, no retry is sent and the others are aborted (MRTR-15).
    done.abort(new DOMException("The call has ended.", "AbortError"));
  }
}
