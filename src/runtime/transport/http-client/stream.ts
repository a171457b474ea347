import { isValidationError } from "../../errors.js";
import { isObject, type JsonObject, type RequestId } from "../../message.js";
import { maxDelay } from "../../timing.js";
import type { CallerHeaders } from "../binding.js";
import type { Drop, HeaderOf } from "./requests.js";
import type { HttpClientOptions } from "./options.js";
import type { Reader, Reading } from "./response-reader.js";

/** What a stream needs of the carrier it belongs to. */
export interface StreamHost {
  readonly options: HttpClientOptions;
  /** Can a stream be taken up again where it broke? Not in every revision. */
  readonly resumes: boolean;
  post(
    body: string,
    headers: Readonly<Record<string, string>> | undefined,
    reader: Reader,
    caller?: CallerHeaders,
  ): Drop;
  get(lastEventId: string | undefined, reader: Reader): Drop;
  message(value: unknown): void;
  fault(error: Error): void;
}

/** What a stream is for, and who hears of it. */
export interface StreamUse {
  /** The request whose answer comes over it. */
  readonly id?: RequestId;
  /** The session that it belongs to. */
  readonly session: string | undefined;
  readonly head?: Reader["head"] | undefined;
  /** Nothing more comes, over this connection or another. */
  end(reading: Reading, error: Error | undefined): void;
}

/** A stream that has lasted so long, in milliseconds, was no failed attempt. */
const lasting = 5000;
/** The same for an answer that the server lets the client come back for, with the wait that the server names. */
const polling = 1000;
/** Shortest wait before a stream is opened again, in milliseconds, unless the user sets a shorter one. */
const floor = 100;

/**
 * What comes of one request, over as many connections as that takes: a stream that breaks is taken up where it was. SSE-02,
 * SSE-06, SSE-07
 */
export class Stream implements Reader {
  readonly use: StreamUse;
  /** The server has taken the request. */
  isTaken = false;
  readonly #host: StreamHost;
  /** Did it begin with a message? Else it is for whatever the server has to say. */
  #isPosted = false;
  /** What was waited for has come. */
  #isAnswered = false;
  #lastEventId: string | undefined;
  #retryTime: number | undefined;
  #attempts = 0;
  #drop: Drop | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #begun = 0;
  /** Does what comes at the moment come as events? */
  #isStream = false;

  constructor(host: StreamHost, use: StreamUse) {
    this.#host = host;
    this.use = use;
  }

  post(body: string, headers: Readonly<Record<string, string>> | undefined, caller?: CallerHeaders): void {
    this.#isPosted = true;
    this.#begun = performance.now();
    this.#drop = this.#host.post(body, headers, this, caller);
  }

  get(): void {
    this.#begun = performance.now();
    this.#isStream = false;
    this.#drop = this.#host.get(this.#lastEventId, this);
  }

  drop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#drop?.();
  }

  /** The answer came, on this stream or another; a server that goes on talking is given a moment. */
  answered(): void {
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    if (this.#isStream) this.#timer = setTimeout(() => this.drop(), 1000);
  }

  head(reading: Reading, header: HeaderOf): void {
    this.#isStream = reading.isStream;
    this.isTaken ||= reading.isSuccess;
    this.use.head?.(reading, header);
  }

  message(value: unknown): void {
    if (this.#isOver) return;
    const { id } = this.use;
    const isOurs = id !== undefined && !this.#isStream && isIdlessError(value);
    this.#host.message(isOurs ? { ...value, id } : value);
  }

  fault(error: Error): void {
    if (!this.#isOver) this.#host.fault(error);
  }

  end(reading: Reading, error: Error | undefined): void {
    if (this.#isOver) return;
    this.drop();
    const { lastEventId, retryTime, status, isStream } = reading;
    if (lastEventId !== undefined) this.#lastEventId = lastEventId;
    const time = performance.now() - this.#begun;
    const isPolling = this.#isPosted && lastEventId !== undefined && time + (retryTime ?? 0) >= polling;
    if (isStream && (isPolling || time >= lasting)) this.#attempts = 0;
    this.#retryTime = retryTime ?? this.#retryTime;
    const { maxReconnects = 5, reconnectTime = 1000, maxReconnectTime = 30_000 } = this.#host.options;
    const isPassing = isStream || status === 0 || status >= 500;
    if (!this.#mayGoOn(error) || !isPassing || this.#attempts >= maxReconnects)
      return this.use.end(reading, error);
    const own = Math.min(maxReconnectTime, reconnectTime * 2 ** this.#attempts++);
    this.#isOver = false;
    const wait = Math.max(this.#retryTime ?? own, Math.min(own, floor));
    this.#timer = setTimeout(() => this.get(), Math.min(maxDelay, wait));
  }

  #mayGoOn(error: Error | undefined): boolean {
    if (!this.#isPosted) return true;
    return (
      this.#host.resumes && this.#lastEventId !== undefined && !this.#isAnswered && !isValidationError(error)
    );
  }
}

/** What a server says when it cannot read the id; in the body of an answer there is no doubt which request is meant. */
function isIdlessError(value: unknown): value is JsonObject {
  return isObject(value) && isObject(value["error"]) && (value["id"] ?? null) === null;
}
