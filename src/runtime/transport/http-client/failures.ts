import { isTransportError, isValidationError, jsonRpcCodes, TransportError } from "../../errors.js";
import { isObject } from "../../message.js";
import type { JsonObject } from "../../message.js";
import type { ResponseReader } from "./response-reader.js";

/** The JSON-RPC error in the body of an error status. */
function errorIn({ refusal }: ResponseReader): JsonObject | undefined {
  const error = isObject(refusal) && refusal["jsonrpc"] === "2.0" ? refusal["error"] : undefined;
  return isObject(error) && Number.isInteger(error["code"]) ? error : undefined;
}

/**
 * Whether the JSON-RPC error in the body rejects the call in place of the status (HTTP-50). It does not for statuses about
 * authorization or rate limits; for a 500 it does only if the server has answered before, since an old server may answer the
 * first request so (COMPAT-08).
 */
export const hasOwnError = (response: ResponseReader, hasAnswered: boolean): boolean =>
  (isRefused(response) || (hasAnswered && response.status === 500)) && errorIn(response) !== undefined;

/** Whether a server that answers `initialize` so may support HTTP+SSE only. COMPAT-16, COMPAT-17 */
export function isMaybeSse(response: ResponseReader): boolean {
  if (!isRefused(response)) return false;
  // Servers of HTTP+SSE do not send these codes.
  const code = Number(errorIn(response)?.["code"] ?? 0);
  return code !== jsonRpcCodes.METHOD_NOT_FOUND && !(code <= -32020 && code >= -32099);
}

const isRefused = ({ status }: ResponseReader): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/** The error of a request without an answer. `address` has no secrets. */
export function failureOf(address: string, response: ResponseReader, error: Error | undefined): Error {
  const { status, isStream, isSuccess } = response;
  if (isTransportError(error) || isValidationError(error)) return error;
  const options = { ...(error && { cause: error }), ...(status > 0 && { status }) };
  const because = error ? `: ${error.message}` : "";
  if (status === 0) return new TransportError(`${address} could not be reached${because}`, options);
  if (isStream)
    return new TransportError(`${address}: the stream ended before the answer${because}`, options);
  if (isSuccess)
    return new TransportError(`${address} answered ${status}, but not the request${because}`, options);
  const message = errorIn(response)?.["message"];
  const detail = typeof message === "string" ? `: ${message.slice(0, 200)}` : because;
  return new TransportError(`${address} answered ${status}${detail}`, options);
}

/** SESS-06, SESS-09 */
export function sessionLost(address: string, status?: 404): TransportError {
  const options = { isSessionLost: true, ...(status && { status }) };
  return new TransportError(`${address} has no such session any more.`, options);
}
