import { fromBase64 } from "../../../../common/base64.js";
import { ByteCollector } from "../../bytes.js";
import {
  isOwnError,
  isRejection,
  isTransportError,
  isValidationError,
  jsonRpcCodes,
  TransportError,
  ValidationError,
} from "../../errors.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import { messageOf, printable } from "../../report.js";
import { EventReader } from "./events.js";

/** Returns the value of a response header. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Receives one response: a head, data, and an end; or, at any time, an end with
 * an error.
 */
export interface ResponseSink {
  head(status: number, header: HeaderOf): void;
  data(chunk: Uint8Array): void;
  /**
   * `error` is a `TransportError` with `isRetryable` if an idle connection was
   * closed before anything was received.
   */
  end(error?: Error): void;
}

/** The events of one response. */
export interface ResponseHandler {
  /** A JSON value: the body, or the data of an event. */
  message(value: unknown): void;
  /** An event with a name of its own, which is not a message. */
  event?(name: string, data: string): void;
  /** An event that is not JSON; the stream continues. */
  onError(error: Error): void;
  /** A comment in a stream of events. */
  comment?(): void;
  /** The status and headers. */
  head?(response: ResponseReader, header: HeaderOf): void;
  /**
   * The end of the response, with an error if the connection broke or the data
   * is invalid. Called once.
   */
  end(response: ResponseReader, error: Error | undefined): void;
}

/**
 * The maximum length of a body that is not a message, such as that of an error
 * status, in bytes.
 */
const maxErrorBytes = 65_536;

/** Reads one HTTP response: a JSON value, or a stream of events (HTTP-07). */
export class ResponseReader implements ResponseSink {
  status = 0;
  isStream = false;
  /** The last event id and `retry` time (ms) of the server. */
  lastEventId: string | undefined;
  retryTime: number | undefined;
  /** How often the owner of a stream has looked since something arrived. */
  silence = 0;
  /** The JSON body of an error status. */
  errorBody: unknown;
  contentType = "";
  /** When the server wants the request again: seconds, or a date (RFC 9110). */
  retryAfter: string | undefined;
  /** The beginning of a body. */
  text = "";
  /** The headers of the user that were sent with the request. */
  sent: Readonly<Record<string, string>> = {};
  readonly #handler: ResponseHandler;
  #maxBytes: number;
  #events: EventReader | undefined;
  /** The body, unless it is a stream. */
  #body: ByteCollector | undefined;
  #isJson = false;
  #hasEnded = false;

  /** `maxBytes` is the maximum length of a message; 64 MiB by default. */
  constructor(handler: ResponseHandler, maxBytes: number = 64 * 1024 * 1024) {
    this.#handler = handler;
    this.#maxBytes = maxBytes;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /**
   * Formats text of the server for a message: at most 200 characters, escaped,
   * without the values of headers that were sent.
   */
  quote(text: string): string {
    // Longer than any header, so that none of them is cut and not recognized.
    let quoted = text.slice(0, maxErrorBytes);
    for (const secret of Object.values(this.sent).flatMap(secretsIn))
      quoted = quoted.replaceAll(secret, "…");
    return printable(JSON.stringify(quoted.slice(0, 200)), Infinity);
  }

  get #isMessage(): boolean {
    return this.isSuccess && this.#isJson;
  }

  head(status: number, header: HeaderOf): void {
    this.status = status;
    const type = (this.contentType = header("content-type") ?? "");
    if (!this.isSuccess) this.retryAfter = header("retry-after");
    if (this.isSuccess && /^text\/event-stream\b/i.test(type)) {
      this.isStream = true;
      this.#events = new EventReader(this, this.#maxBytes);
    } else {
      this.#body = new ByteCollector();
      this.#isJson = /^application\/([\w.+-]+\+)?json\b/i.test(type);
      if (!this.#isMessage)
        this.#maxBytes = Math.min(this.#maxBytes, maxErrorBytes);
    }
    try {
      this.#handler.head?.(this, header);
    } catch (error) {
      this.#endOnce(error as Error);
    }
  }

  data(chunk: Uint8Array): void {
    if (this.#hasEnded) return;
    this.silence = 0;
    if (this.#events) return this.#events.feed(chunk);
    if (!this.#body) return;
    if (this.#body.size + chunk.length <= this.#maxBytes) this.#body.add(chunk);
    else if (!this.#isMessage) this.end();
    else
      this.end(
        new ValidationError(
          `A message is longer than ${this.#maxBytes} bytes.`,
        ),
      );
  }

  end(error?: Error): void {
    if (this.#hasEnded) return;
    this.#events?.end();
    let finalError = error;
    if (!error && this.#body && this.#body.size > 0) {
      const text = decoder.decode(this.#body.take());
      this.text = text.slice(0, maxErrorBytes);
      const onError = (error: Error): void => {
        if (this.#isMessage) finalError = error;
      };
      if (this.#isJson) this.#value(text, onError);
    }
    this.#endOnce(finalError);
  }

  event(data: string, name: string | undefined, id: string | undefined): void {
    // An empty id resets it.
    if (id !== undefined) this.lastEventId = id || undefined;
    if (name !== undefined) this.#handler.event?.(name, data);
    // An event without data only sets the id (SSE-09).
    else if (data !== "")
      this.#value(data, (error) => this.#handler.onError(error));
  }

  retry(time: number): void {
    this.retryTime = time;
  }

  comment(): void {
    this.#handler.comment?.();
  }

  #value(text: string, onError: (error: Error) => void): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return onError(
        new ValidationError(`The response is not JSON: ${this.quote(text)}`),
      );
    }
    if (this.isSuccess) this.#handler.message(value);
    else this.errorBody = value;
  }

  #endOnce(error: Error | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#body?.clear();
    this.#handler.end(this, error);
  }
}

/** A header, its part after the scheme, and the password in it. */
function secretsIn(value: string): string[] {
  const [, scheme = "", token = ""] = /^(\S+) +(\S+)$/.exec(value) ?? [];
  const parts = [value, token];
  if (/^basic$/i.test(scheme))
    parts.push(
      decoder
        .decode(fromBase64(token) ?? new Uint8Array())
        .replace(/^[^:]*:/, ""),
    );
  return parts.filter((part) => part.length > 3);
}

const decoder = /* @__PURE__ */ new TextDecoder();

/** The JSON-RPC error in the body of an error status. */
function errorIn({ errorBody }: ResponseReader): JsonObject | undefined {
  const error =
    isObject(errorBody) && errorBody["jsonrpc"] === "2.0"
      ? errorBody["error"]
      : undefined;
  return isObject(error) && Number.isInteger(error["code"]) ? error : undefined;
}

/**
 * True if the call rejects with the JSON-RPC error in the body, not with the
 * status (HTTP-50). False for statuses about authorization and rate limits; for
 * a 500, true only if the server has answered before, because an old server may
 * send 500 for the first request (COMPAT-08).
 */
export const hasOwnError = (
  response: ResponseReader,
  hasAnswered: boolean,
): boolean =>
  (isRejection(response.status) || (hasAnswered && response.status === 500)) &&
  errorIn(response) !== undefined;

/**
 * True if this response to `initialize` may come from a server that supports
 * only HTTP+SSE (COMPAT-16, COMPAT-17).
 */
export function isMaybeSse(response: ResponseReader): boolean {
  if (!isRejection(response.status)) return false;
  // Servers of HTTP+SSE do not send these codes.
  const code = Number(errorIn(response)?.["code"] ?? 0);
  return (
    code !== jsonRpcCodes.METHOD_NOT_FOUND &&
    !(code <= -32020 && code >= -32099)
  );
}

/**
 * True if a response to a request of a session that it has answered before says
 * that the session is gone. Statuses about authorization, rate limits and
 * failures of a proxy say nothing about it.
 */
export function speaksOfSession(response: ResponseReader): boolean {
  const { status, text } = response;
  if (!isRejection(status) && status !== 500) return false;
  return (
    /session|not initialized/i.test(text.slice(0, 1000)) ||
    errorIn(response)?.["code"] === sessionNotFound
  );
}

/** The code of the official SDKs for an unknown session. */
const sessionNotFound = -32001;

/**
 * The error for a request without a JSON-RPC response. `address` has no
 * secrets.
 */
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
    isRetryable:
      status === 429 || status === 503 || isLostByProxy || isRefused(error),
    mayHaveRun:
      isSuccess ||
      isLostByProxy ||
      (error !== undefined && !precedesSending(error)),
  };
  const body =
    text && `: ${printable(response.contentType, 100)} ${response.quote(text)}`;
  const because = error ? reasonOf(error) : body;
  if (status === 0)
    return new TransportError(
      `${address} could not be reached${because}`,
      options,
    );
  if (isStream)
    return new TransportError(
      `${address}: the stream ended before the answer${because}`,
      options,
    );
  if (isSuccess)
    return new TransportError(
      `${address} answered ${status}, but not the request${because}`,
      options,
    );
  const message = errorIn(response)?.["message"];
  const detail =
    typeof message === "string" ? `: ${response.quote(message)}` : because;
  const mayBeLost = hasSession && (isRejection(status) || status === 500);
  const hint = mayBeLost ? ". The server may have lost the session." : "";
  return new TransportError(
    `${address} answered ${status}${detail}${hint}`,
    options,
  );
}

/** The error for a request that was not sent. */
export function unsentError(address: string, error: unknown): Error {
  if (error instanceof Error && isOwnError(error)) return error;
  const options = { cause: error, isRetryable: isRefused(error) };
  return new TransportError(
    `${address} could not be reached${reasonOf(error)}`,
    options,
  );
}

/**
 * The statuses with which a proxy says that the server did not answer, although
 * it may have the request; from 520 those of Cloudflare.
 */
const proxyLosses: ReadonlySet<number> = /* @__PURE__ */ new Set([
  502, 504, 520, 522, 524,
]);

/**
 * The message of an error and of its cause, since that of `fetch` itself says
 * nothing.
 */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as Error;
  return `: ${messageOf(error)}${cause instanceof Error ? `: ${messageOf(cause)}` : ""}`;
}

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/**
 * The error that Node made. `fetch` has it in the cause; a name with several
 * addresses has one for each.
 */
function systemErrorOf(error: unknown): SystemError {
  const { code, cause } = Object(error) as SystemError & {
    readonly cause?: unknown;
  };
  const inner = Object(code === undefined ? (cause ?? error) : error) as {
    readonly errors?: unknown;
  };
  return Object(
    Array.isArray(inner.errors) ? inner.errors[0] : inner,
  ) as SystemError;
}

/** True if a connection broke after it was open. */
export const isLost = (error: Error | undefined): boolean =>
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(systemErrorOf(error).code));

const isRefused = (error: unknown): boolean =>
  systemErrorOf(error).code === "ECONNREFUSED";

/**
 * True for the failure of a connection that was not open yet: nothing was sent.
 */
function precedesSending(error: Error): boolean {
  const { code, syscall } = systemErrorOf(error);
  return (
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    /^(ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|EPROTO)$|CERT|^ERR_(TLS|SSL)_|^UNABLE_TO_/.test(
      String(code),
    )
  );
}

/** The time (ms) of a `Retry-After` header. */
function timeIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.now();
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

/**
 * The error of a request whose session the server has lost (SESS-06, SESS-09).
 */
export function lostSessionError(
  address: string,
  status?: number,
): TransportError {
  const options = {
    isSessionLost: true,
    mayHaveRun: status === undefined,
    ...(status && { status }),
  };
  return new TransportError(`${address} no longer has this session.`, options);
}
