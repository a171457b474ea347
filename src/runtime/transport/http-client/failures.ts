import { isTransportError, isValidationError, jsonRpcCodes, TransportError } from "../../errors.js";
import { isObject } from "../../message.js";
import type { JsonObject } from "../../message.js";
import type { Reading } from "./response-reader.js";

/** The JSON-RPC error that an answer other than success came with. */
function errorIn({ refusal }: Reading): JsonObject | undefined {
  const error = isObject(refusal) && refusal["jsonrpc"] === "2.0" ? refusal["error"] : undefined;
  return isObject(error) && Number.isInteger(error["code"]) ? error : undefined;
}

/**
 * HTTP-50: does the answer carry a JSON-RPC error that says more than its status? COMPAT-08: not where the status says who may
 * ask or how often, and a 500 only from a server that has answered before, since in the first answer an error is a sign of an old
 * server.
 */
export const speaksForItself = (reading: Reading, hasAnswered: boolean): boolean =>
  (isRefused(reading) || (hasAnswered && reading.status === 500)) && errorIn(reading) !== undefined;

/** COMPAT-16, COMPAT-17: might a server that answers its opening request like this be one of the first kind? */
export function isOld(reading: Reading): boolean {
  if (!isRefused(reading)) return false;
  // Codes that no server of that time sends.
  const code = Number(errorIn(reading)?.["code"] ?? 0);
  return code !== jsonRpcCodes.METHOD_NOT_FOUND && !(code <= -32020 && code >= -32099);
}

const isRefused = ({ status }: Reading): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/** Why a request has no answer. `place` is what may be said of the address. */
export function failureOf(place: string, reading: Reading, error: Error | undefined): Error {
  const { status, isStream, isSuccess } = reading;
  if (isTransportError(error) || isValidationError(error)) return error;
  const options = { ...(error && { cause: error }), ...(status > 0 && { status }) };
  const because = error ? `: ${error.message}` : "";
  if (status === 0) return new TransportError(`${place} could not be reached${because}`, options);
  if (isStream) return new TransportError(`${place}: the stream ended before the answer${because}`, options);
  if (isSuccess)
    return new TransportError(`${place} answered ${status}, but not the request${because}`, options);
  const said = errorIn(reading)?.["message"];
  const words = typeof said === "string" ? `: ${said.slice(0, 200)}` : because;
  return new TransportError(`${place} answered ${status}${words}`, options);
}

/** SESS-06, SESS-09 */
export function sessionLost(place: string, status?: 404): TransportError {
  const options = { isSessionLost: true, ...(status && { status }) };
  return new TransportError(`${place} has forgotten the session.`, options);
}
