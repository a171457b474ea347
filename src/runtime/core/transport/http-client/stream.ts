import { isValidationError, TransportError } from "../../errors.js";
import type { RequestId } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import { maxDelay } from "../../../../common/timing.js";
import type { SendOptions } from "../../ports/transport.js";
import type { Drop } from "./requests.js";
import type { HttpClientOptions } from "./requester.js";
import {
  type HeaderOf,
  responseError,
  type ResponseHandler,
  type ResponseReader,
} from "./response-reader.js";
import type { ServerSession } from "./session.js";

/** The transport that a stream belongs to. */
export interface StreamHost {
  readonly options: HttpClientOptions;
  /** True if the revision lets a client resume a stream that broke. */
  readonly resumes: boolean;
  post(body: string, options: SendOptions, stream: Stream): Drop;
  get(lastEventId: string | undefined, stream: Stream): Drop;
  message(value: unknown): void;
  /** An event that is not JSON. */
  malformed(error: Error): void;
}

/** The purpose of a stream and its events. */
interface StreamUse {
  /** The request that it answers. */
  readonly id?: RequestId;
  /** The session that it belongs to. */
  readonly session: ServerSession;
  /**
   * Called instead of the host with each message if none is expected. The
   * stream is then not resumed.
   */
  readonly ignore?: (() => void) | undefined;
  readonly head?: ResponseHandler["head"] | undefined;
  /** The end of the stream, after the last attempt to resume it. */
  end(response: ResponseReader, error: Error | undefined): void;
}

/** A stream that lasts this long (ms) resets the number of attempts. */
const lastingTime = 5000;
/**
 * The same for a response that the client polls for, including the wait that
 * the server sets.
 */
const pollingTime = 1000;
/**
 * The interval (ms) at which a stream is checked whose server sends comments,
 * and how many of them it may be silent.
 */
const silenceTime = 15_000;
const maxSilence = 3;
/**
 * The minimum wait (ms) before a stream is opened again, unless the user sets a
 * shorter one.
 */
const minWait = 100;

/**
 * The response to one request, over several connections if needed: a stream
 * that breaks is resumed (SSE-02, SSE-06, SSE-07).
 */
export class Stream implements ResponseHandler {
  readonly use: StreamUse;
  /** True once the server has accepted the request. */
  isAccepted = false;
  /** True once the stream was requested by GET. */
  isGet = false;
  /**
   * When the stream ended first, in milliseconds since 1970, if no attempt to
   * resume it has lasted since.
   */
  breakTime = 0;
  readonly #host: StreamHost;
  /**
   * True for the response to a POST; false for the stream of the server's
   * messages.
   */
  #isPosted = false;
  /** True once the result or error of the request has arrived. */
  #isAnswered = false;
  #lastEventId: string | undefined;
  #retryTime: number | undefined;
  #attempts = 0;
  #drop: Drop | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;
  #startTime = 0;
  #response: ResponseReader | undefined;
  /** Set once the server has sent a comment. */
  #silenceTimer: ReturnType<typeof setInterval> | undefined;

  constructor(host: StreamHost, use: StreamUse) {
    this.#host = host;
    this.use = use;
  }

  /** True if a call waits for the stream. */
  get isCall(): boolean {
    return this.use.id !== undefined;
  }

  post(body: string, options: SendOptions): void {
    this.#isPosted = true;
    this.#startTime = performance.now();
    this.#drop = this.#host.post(body, options, this);
  }

  /** Opens the stream by GET, also once it is over. */
  get(): void {
    this.isGet = true;
    this.#hasEnded = false;
    this.#startTime = performance.now();
    this.#response = undefined;
    this.#drop = this.#host.get(this.#lastEventId, this);
  }

  drop(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    clearInterval(this.#silenceTimer);
    this.#silenceTimer = undefined;
    this.#drop?.();
  }

  /**
   * Called when the result or error has arrived, on this stream or another.
   * Closes the stream after one second if the server does not.
   */
  onAnswer(): void {
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    if (this.#response?.isStream)
      this.#timer = setTimeout(() => this.drop(), 1000);
  }

  /**
   * From now on, the server is expected to send comments. A process that is
   * stopped breaks no connection, and is silent.
   */
  comment(): void {
    if (this.#silenceTimer !== undefined || this.#hasEnded) return;
    this.#silenceTimer = setInterval(() => {
      const response = this.#response as ResponseReader;
      if (response.silence++ < maxSilence) return;
      const options = { mayHaveRun: true, isRetryable: true };
      this.end(
        response,
        new TransportError("The server has sent nothing for 45 s.", options),
      );
    }, silenceTime);
    (this.#silenceTimer as { unref?(): void }).unref?.();
  }

  head(response: ResponseReader, header: HeaderOf): void {
    this.#response = response;
    this.isAccepted ||= response.isSuccess;
    if (this.isGet && response.isStream) this.use.session.hasStreams = true;
    this.use.head?.(response, header);
  }

  message(value: unknown): void {
    if (this.#hasEnded) return;
    const { id, ignore } = this.use;
    if (ignore) return ignore();
    const isAnswer =
      id !== undefined && !this.#response?.isStream && isIdlessError(value);
    this.#host.message(isAnswer ? { ...value, id } : value);
  }

  onError(error: Error): void {
    if (!this.#hasEnded) this.#host.malformed(error);
  }

  end(response: ResponseReader, error: Error | undefined): void {
    if (this.#hasEnded) return;
    this.drop();
    const { lastEventId, retryTime, status, isStream } = response;
    if (lastEventId !== undefined) this.#lastEventId = lastEventId;
    // The server refuses the event id. A stream of its own may begin anew.
    else if (status >= 400 && status < 500) this.#lastEventId = undefined;
    const time = performance.now() - this.#startTime;
    const isPolling =
      this.#isPosted &&
      lastEventId !== undefined &&
      time + (retryTime ?? 0) >= pollingTime;
    if (isStream && (isPolling || time >= lastingTime)) this.#attempts = 0;
    if (this.#attempts++ === 0) this.breakTime = Date.now();
    this.#retryTime = retryTime ?? this.#retryTime;
    const {
      maxReconnects = 5,
      reconnectTime = 1000,
      maxReconnectTime = 30_000,
    } = this.#host.options;
    const isTemporary = isStream || status === 0 || status >= 500;
    if (
      !this.#mayResume(error) ||
      !isTemporary ||
      this.#attempts > maxReconnects
    )
      return this.use.end(response, error);
    const backoffTime = Math.min(
      maxReconnectTime,
      reconnectTime * 2 ** (this.#attempts - 1),
    );
    const wait = Math.max(
      this.#retryTime ?? backoffTime,
      Math.min(backoffTime, minWait),
    );
    this.#timer = setTimeout(() => this.get(), Math.min(maxDelay, wait));
  }

  #mayResume(error: Error | undefined): boolean {
    if (!this.#isPosted) return true;
    return (
      this.#host.resumes &&
      !this.use.ignore &&
      this.#lastEventId !== undefined &&
      !this.#isAnswered &&
      !isValidationError(error)
    );
  }
}

/**
 * True for an error without an id, which a server sends if it cannot read a
 * request. As the body of a response, it answers that request.
 */
function isIdlessError(value: unknown): value is JsonObject {
  return (
    isObject(value) &&
    isObject(value["error"]) &&
    (value["id"] ?? null) === null
  );
}

/** The transport that listens. */
export interface ListeningHost extends StreamHost {
  /**
   * Returns true, and drops the session, if a response says that the server has
   * lost it.
   */
  losesSession(response: ResponseReader, stream: Stream): boolean;
  readonly address: string;
  warn(text: string): void;
}

/**
 * The stream of messages that belong to no request (HTTP-14), which is opened
 * again after a call once it could not be resumed.
 */
export function listening(host: ListeningHost) {
  let current: Stream | undefined;
  /**
   * The time before which an ended stream is not opened again; undefined while
   * it is open, or if the server has none.
   */
  let nextTime: number | undefined;
  /** The end of the stream that was warned of. */
  let warnedTime = 0;
  const ended = (
    stream: Stream,
    response: ResponseReader,
    error: Error | undefined,
  ): void => {
    const hasNone =
      [404, 405].includes(response.status) && !stream.use.session.hasStreams;
    // A server without such a stream is not asked again (HTTP-15).
    if (host.losesSession(response, stream) || hasNone) return;
    nextTime = performance.now() + (host.options.maxReconnectTime ?? 30_000);
    if (stream.breakTime === warnedTime) return;
    warnedTime = stream.breakTime;
    const since = new Date(warnedTime).toISOString();
    const { message } = responseError(host.address, response, error);
    host.warn(
      `No notifications have arrived since ${since}. The next call opens their stream again. ${message}`,
    );
  };
  return {
    /**
     * Opens the stream, unless it is open, the server has none, or it ended
     * less than `maxReconnectTime` ago.
     */
    open(session: ServerSession): void {
      if (current && (nextTime === undefined || performance.now() < nextTime))
        return;
      nextTime = undefined;
      // The stream is the same one, so that the server sends the messages since
      // the last event.
      const stream: Stream = (current ??= new Stream(host, {
        session,
        end: (response, error) => ended(stream, response, error),
      }));
      stream.get();
    },
    close(): void {
      current?.drop();
      current = undefined;
    },
  };
}
