import { withRoom } from "./bytes.js";
import { isObject, type JsonObject } from "./object.js";
import { either } from "./timing.js";

/** The maximum length of the body of a response, in bytes. */
export const maxResponseBytes = 262_144;
/** The maximum time of a request with its redirects, in milliseconds. */
const maxTime = 10_000;

/** How a request is sent. */
export interface BoundedFetch {
  /**
   * Sends a request; must not follow a redirect by itself. The platform's
   * `fetch` by default.
   */
  readonly send?: (url: URL, init: RequestInit) => Promise<Response>;
  /**
   * The URL that a response redirects to; undefined for any response that is
   * not followed. No response is followed by default.
   */
  readonly follow?: (response: Response, url: URL) => URL | undefined;
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A response, the URL that it is from, and its body: undefined if it is too
 * long.
 */
export interface BoundedResponse {
  readonly response: Response;
  readonly url: URL;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Sends a request to a party that is not trusted: the time of the request and
 * the length of the body are limited.
 */
export async function boundedFetch(
  url: URL,
  init: RequestInit,
  { send = fetch, follow, signal }: BoundedFetch = {},
): Promise<BoundedResponse> {
  const timeLimit = either(signal, AbortSignal.timeout(maxTime));
  for (let target = url; ;) {
    const response = await send(target, {
      ...init,
      signal: timeLimit,
      redirect: "manual",
    });
    const next = follow?.(response, target);
    if (next === undefined)
      return {
        response,
        url: target,
        bytes: await readBytes(response.body, maxResponseBytes),
      };
    target = next;
  }
}

/** The JSON object that a body has; undefined for any other body. */
export function objectIn(
  bytes: Uint8Array | undefined,
): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a stream to its end. Resolves with undefined if it has more than
 * `maxBytes`; the rest is then cancelled.
 */
async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  let buffer: Uint8Array = new Uint8Array();
  let used = 0;
  const reader = stream?.getReader();
  for (
    let part = await reader?.read();
    part?.value;
    part = await reader?.read()
  ) {
    const size = used + part.value.length;
    if (size > maxBytes) {
      void reader?.cancel().catch(() => {});
      return undefined;
    }
    buffer = withRoom(buffer, used, size);
    buffer.set(part.value, used);
    used = size;
  }
  return buffer.subarray(0, used);
}
