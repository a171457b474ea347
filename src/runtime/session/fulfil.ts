import { ValidationError } from "../errors.js";
import { Exchange } from "../jsonrpc/exchange.js";
import { either, pause } from "../timing.js";
import type { JsonObject, WireRequest } from "../message.js";

/** MRTR-05, MRTR-06: all answers under the keys of their questions, and the state as it came. */
export async function fulfil(
  what: string,
  { inputRequests, requestState }: JsonObject,
  signal: AbortSignal | undefined,
  round: number,
  answer: (request: WireRequest, exchange: Exchange) => unknown,
): Promise<JsonObject> {
  // MRTR-02
  if (!inputRequests && requestState === undefined) throw new ValidationError(`${what}: asks for nothing.`);
  // Before anything is begun, so that nothing rejects which nobody waits for.
  signal?.throwIfAborted();
  const done = new AbortController();
  const stop = either(signal, done.signal);
  const stopped = new Promise<never>((_, reject) =>
    stop.addEventListener("abort", () => reject(stop.reason)),
  );
  const one = async ([key, request]: [string, unknown]): Promise<[string, unknown]> => {
    const exchange = new Exchange(key, undefined);
    stop.addEventListener("abort", () => exchange.abort(stop.reason));
    return [key, await answer(request as WireRequest, exchange)];
  };
  const work = inputRequests
    ? Promise.all(Object.entries(inputRequests).map(one))
    : // MRTR-09
      pause(Math.min(50 * 2 ** round, 5000), stop).then(() => undefined);
  try {
    const answers = await Promise.race([work, stopped]);
    return { requestState, inputResponses: answers && Object.fromEntries(answers) };
  } finally {
    // MRTR-15: when one of them fails, no retry is sent and the others need not go on.
    done.abort(new DOMException("The call is over.", "AbortError"));
  }
}
