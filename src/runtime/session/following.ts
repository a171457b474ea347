import {
  type ClientHost,
  either,
  type Follow,
  type JsonObject,
  type OutgoingRequest,
  own,
  type RequestOptions,
  TimeoutError,
  unknown,
} from "../index.js";

/** What the follower of an answer needs of the link that it came over. */
export interface Followed {
  readonly host: ClientHost;
  ask(row: OutgoingRequest, params: JsonObject, options: RequestOptions): Promise<unknown>;
  answer(requests: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/** Only a limit in all that the caller set himself holds here: what goes on after its answer may well be long. */
export async function following(
  { host, ask, answer }: Followed,
  follow: Follow,
  first: JsonObject,
  { signal, maxTimeout }: RequestOptions,
): Promise<unknown> {
  const { side } = host;
  const late = new AbortController();
  const stop = either(signal, late.signal);
  const end = (): void => late.abort(new TimeoutError(`There was no answer within ${maxTimeout} ms.`));
  const timer = Number.isFinite(maxTimeout) ? setTimeout(end, maxTimeout) : undefined;
  try {
    return await follow(first, {
      signal: stop,
      ask: async (method, params, signal) => {
        const row = own(side.sends, method);
        if (!row) throw unknown(side, String(method));
        return (await ask(row, params, { signal })) as JsonObject;
      },
      answer: (requests) => answer(requests, stop),
    });
  } finally {
    clearTimeout(timer);
  }
}
