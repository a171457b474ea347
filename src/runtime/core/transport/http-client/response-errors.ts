import {
  isOwnError,
  isRejection,
  isTransportError,
  isValidationError,
  jsonRpcCodes,
  TransportError,
} from "../../errors.js";
import { isObject } from "../../../../common/object.js";
import { messageOf, printable } from "../../report.js";
import type { JsonObject } from "../../../../common/object.js";
import type { ResponseReader } from "./response-reader.js";

/** The JSON-RPC error in the body of an error status. */
function errorIn({ errorBody }: ResponseReader): JsonObject | undefined {
  const error = isObject(errorBody) && errorBody["jsonrpc"] === "2.0" ? errorBody["error"] : undefined;
  return isObject(error) && Number.isInteger(error["code"]) ? error : undefined;
}

/**
 * True if the call rejects with the JSON-RPC error in the body, not with the status (HTTP-50). False for statuses about authorization and
 * rate limits; for a 500, true only if the server has answered before, because an old server may send 500 for the first request
 * (COMPAT-08).
 */
export const hasOwnError = (response: ResponseReader, hasAnswered: boolean): boolean =>
  (isRejection(response.status) || (hasAnswered && response.status === 500)) &&
  errorIn(response) !== undefined;

/** True if this response to `initialize` may come from a server that supports only HTTP+SSE (COMPAT-16, COMPAT-17). */
export function isMaybeSse(response: ResponseReader): boolean {
  if (!isRejection(response.status)) return false;
  // Servers of HTTP+SSE do not send these codes.
  const code = Number(errorIn(response)?.["code"] ?? 0);
  return code !== jsonRpcCodes.METHOD_NOT_FOUND && !(code <= -32020 && code >= -32099);
}

/**
 * True if a response to a request of a session that it has answered before says that the session is gone. Statuses about authorization,
 * rate limits and failures of a proxy say nothing about it.
 */
export function speaksOfSession(response: ResponseReader): boolean {
  const { status, text } = response;
  if (!isRejection(status) && status !== 500) return false;
  return /session|not initialized/i.test(text) || errorIn(response)?.["code"] === sessionNotFound;
}

/** The code of the official SDKs for an unknown session. */
const sessionNotFound = -32001;

/** The error for a request without a JSON-RPC response. `address` has no secrets. */
export function responseError(
  address: string,
  response: ResponseReader,
  error: Error | undefined,
  hasSession = false,
): Error {
  const { status, isStream, isSuccess, text } = response;
  if (isTransportError(error) || isValidationError(error)) return error;
  const isLostByProxy = proxyLosses.has(status);
  const options = {
    ...(error && { cause: error }),
    ...(status > 0 && { status }),
    retryAfter: timeIn(response.retryAfter),
    isRetryable: status === 429 || status === 503 || isLostByProxy || isRefused(error),
    mayHaveRun: isSuccess || isLostByProxy || (error !== undefined && !precedesSending(error)),
  };
  const body = text && `: ${printable(response.contentType, 100)} ${response.quote(text)}`;
  const because = error ? reasonOf(error) : body;
  if (status === 0) return new TransportError(`${address} could not be reached${because}`, options);
  if (isStream)
    return new TransportError(`${address}: the stream ended before the answer${because}`, options);
  if (isSuccess)
    return new TransportError(`${address} answered ${status}, but not the request${because}`, options);
  const message = errorIn(response)?.["message"];
  const detail = typeof message === "string" ? `: ${response.quote(message)}` : because;
  const mayBeLost = hasSession && (isRejection(status) || status === 500);
  const hint = mayBeLost ? ". The server may have lost the session." : "";
  return new TransportError(`${address} answered ${status}${detail}${hint}`, options);
}

/** The error for a request that was not sent. */
export function unsentError(address: string, error: unknown): Error {
  if (error instanceof Error && isOwnError(error)) return error;
  const options = { cause: error, isRetryable: isRefused(error) };
  return new TransportError(`${address} could not be reached${reasonOf(error)}`, options);
}

/** The statuses with which a proxy says that the server did not answer, although it may have the request; from 520 those of Cloudflare. */
const proxyLosses: ReadonlySet<number> = /* @__PURE__ */ new Set([502, 504, 520, 522, 524]);

/** The message of an error and of its cause, since that of `fetch` itself says nothing. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as Error;
  return `: ${messageOf(error)}${cause instanceof Error ? `: ${messageOf(cause)}` : ""}`;
}

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** The error that Node made. `fetch` has it in the cause; a name with several addresses has one for each. */
function systemErrorOf(error: unknown): SystemError {
  const { code, cause } = Object(error) as SystemError & { readonly cause?: unknown };
  const inner = Object(code === undefined ? (cause ?? error) : error) as { readonly errors?: unknown };
  return Object(Array.isArray(inner.errors) ? inner.errors[0] : inner) as SystemError;
}

/** True if a connection broke after it was open. */
export const isLost = (error: Error | undefined): boolean =>
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(systemErrorOf(error).code));

const isRefused = (error: unknown): boolean => systemErrorOf(error).code === "ECONNREFUSED";

/** True for the failure of a connection that was not open yet: nothing was sent. */
function precedesSending(error: Error): boolean {
  const { code, syscall } = systemErrorOf(error);
  return (
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    /^(ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|EPROTO)$|CERT|^ERR_(TLS|SSL)_|^UNABLE_TO_/.test(String(code))
  );
}

/** The time (ms) of a `Retry-After` header. */
function timeIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

/** The error of a request whose session the server has lost (SESS-06, SESS-09). */
export function lostSessionError(address: string, status?: number): TransportError {
  const options = { isSessionLost: true, mayHaveRun: status === undefined, ...(status && { status }) };
  return new TransportError(`${address} no longer has this session.`, options);
}
