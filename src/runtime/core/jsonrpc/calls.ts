import {
  endError,
  McpError,
  TimeoutError,
  ValidationError,
} from "../errors.js";
import type { SendOptions } from "../ports/transport.js";
import { IdMap, isId, type RequestId } from "../message.js";
import { shown } from "../report.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import { maxDelay, onAbort } from "../../../common/timing.js";

/**
 * Options of one request. Times are in milliseconds; `Infinity` means no limit.
 */
export interface RequestOptions {
  /**
   * Cancels the request: the promise rejects at once with the signal's reason,
   * and the peer gets a cancellation.
   */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time without an answer or progress. */
  readonly timeout?: number | undefined;
  /** Maximum time in total, regardless of progress. */
  readonly maxTimeout?: number | undefined;
  /** Members to add to the `_meta` of the params, such as a trace context. */
  readonly meta?: { readonly [key: string]: unknown } | undefined;
  /** Requests progress notifications, and is called with each. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * For a listen request: called with each notification of its stream. The
   * handlers of the client get it as well.
   */
  readonly onNotice?:
    ((method: string, params: JsonObject) => void) | undefined;
}

/** Options of a request whose caller is known before it is sent. */
export interface CallerOptions
  extends RequestOptions, Pick<SendOptions, "caller"> {}

/** The options that the session adds to one request. */
export interface CallOptions extends CallerOptions {
  /** The progress token of this request. */
  readonly token?: RequestId | undefined;
  /** True if progress continues after the answer, as for a task. */
  readonly outlasts?: boolean | undefined;
  /** The id of the peer's request during which this one is sent. */
  readonly inReplyTo?: RequestId | undefined;
  /** True if the request changes nothing on the peer, and may be sent twice. */
  readonly isSafe?: boolean | undefined;
  /** Headers for a transport that has them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Checks and converts the result. The call rejects if it throws. A callback,
   * because one more promise would cost as much as the check.
   */
  readonly accept?:
    ((method: string, result: JsonObject) => unknown) | undefined;
  /** Sends the cancellation when the caller stops waiting. */
  readonly cancel?: ((id: RequestId, reason: string) => void) | undefined;
}

/** The progress of a request. */
export interface Progress {
  /** The amount done; it increases with each notification. */
  readonly progress: number;
  /** The total amount, if known. */
  readonly total?: number;
  /** A description for people. */
  readonly message?: string;
}

interface Call {
  readonly id: RequestId;
  readonly method: string;
  readonly options: CallOptions;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
  /** When the call ends without progress. */
  deadline: number;
  /** When it ends in any case. */
  readonly limit: number;
  /** Removes the listener of the signal. */
  forget?: (() => void) | undefined;
  progress: number;
}

/**
 * The text of an abort reason, which the cancellation sends to the peer
 * (CANC-11).
 */
function textOf(reason: unknown): string {
  const text = isObject(reason) ? reason["message"] : reason;
  return typeof text === "string" && text !== ""
    ? text
    : "The request was cancelled.";
}

/**
 * How late a timer may be, in milliseconds, before the answers that have
 * arrived are read first.
 */
const maxLateness = 20;

type Timer = ReturnType<typeof setTimeout> & {
  ref?(): unknown;
  unref?(): unknown;
};

/**
 * The pending requests of this side, with their timeouts, signals and progress.
 * They share one timer, because one each would cost more than the rest of a
 * call.
 */
export class Calls {
  readonly #open = new IdMap<Call>();
  /**
   * The calls with progress, also those of tasks, whose progress continues
   * after the answer.
   */
  readonly #tokens = new Map<RequestId, Call>();
  #pauses = 0;
  /** The time, while it is stopped. */
  #stopTime = 0;
  #stoppedFor = 0;
  /** Set for `#wakeTime`, the first end of a call since it was set. */
  #timer: Timer | undefined;
  #wakeTime = Infinity;

  /** True while timeouts are stopped. */
  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  /** The time that timeouts are measured in, in milliseconds. */
  get #now(): number {
    return this.isPaused
      ? this.#stopTime
      : performance.now() - this.#stoppedFor;
  }

  /** Stops the timeouts until `resume` is called as often. */
  pause(): void {
    this.#stopTime = this.#now;
    this.#pauses++;
    clearTimeout(this.#timer);
  }

  resume(): void {
    if (--this.#pauses > 0) return;
    this.#stoppedFor = performance.now() - this.#stopTime;
    this.#check();
  }

  /**
   * Adds a pending request. The promise rejects with the peer's error, a
   * timeout, the signal's reason or a transport error.
   */
  wait(id: RequestId, method: string, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const {
        signal,
        timeout = Infinity,
        maxTimeout = Infinity,
        token,
      } = options;
      const [deadline, limit] = [this.#now + timeout, this.#now + maxTimeout];
      const call: Call = {
        id,
        method,
        options,
        resolve,
        reject,
        progress: -Infinity,
        deadline,
        limit,
      };
      this.#open.set(id, call);
      if (token !== undefined) this.#tokens.set(token, call);
      this.#wakeBy(Math.min(deadline, limit));
      this.#timer?.ref?.();
      // The reason of the signal goes to the caller, its text to the peer
      // (CANC-11).
      if (signal)
        call.forget = onAbort(signal, () =>
          this.#giveUp(id, signal.reason, textOf(signal.reason)),
        );
    });
  }

  /** The ids of the pending calls. */
  ids(): Iterable<RequestId> {
    return this.#open.ids();
  }

  /** The pending call with this id. */
  get(id: RequestId): Pick<Call, "method" | "options"> | undefined {
    return this.#open.get(id);
  }

  /** Rejects a pending call, or all of them if `id` is undefined. */
  reject(id: RequestId | undefined, reason: unknown): void {
    if (id !== undefined) this.#take(id)?.reject(reason);
    else
      for (const pending of this.#open.ids())
        this.#take(pending)?.reject(reason);
  }

  /** Rejects all pending calls and stops the timers. */
  close(reason: unknown): void {
    this.reject(undefined, reason);
    clearTimeout(this.#timer);
  }

  /**
   * Calls `onProgress` of the pending call with this token and restarts its
   * timeout. Ignores an unknown token and progress that does not increase
   * (PROG-02, PROG-03, PROG-07).
   */
  progress({
    progressToken,
    ...update
  }: Progress & { progressToken: RequestId }): void {
    const call = this.#tokens.get(progressToken);
    if (!call || update.progress <= call.progress) return;
    call.progress = update.progress;
    call.deadline = this.#now + (call.options.timeout ?? Infinity);
    call.options.onProgress?.(update);
  }

  /**
   * Settles the call that the response belongs to. Returns false if no call is
   * pending, as after a cancellation (CANC-05).
   */
  answer({ jsonrpc, id, result, error }: JsonObject): boolean {
    const call = this.#take(id as RequestId);
    if (!call) return this.#isMistyped(id);
    // A response has either a result or an error with an integer code and a
    // message (JRPC-05, JRPC-06).
    if (jsonrpc === "2.0" && error === undefined && isObject(result)) {
      const { accept, outlasts, token } = call.options;
      if (outlasts && token !== undefined) this.#outlast(token, call);
      try {
        call.resolve(accept ? accept(call.method, result) : result);
      } catch (error) {
        call.reject(error);
      }
      return true;
    }
    const { code, message, data } = Object(error) as JsonObject;
    call.reject(
      jsonrpc === "2.0" &&
        result === undefined &&
        Number.isInteger(code) &&
        typeof message === "string"
        ? new McpError(code as number, message, data)
        : new ValidationError(
            `${call.method}: not a JSON-RPC response: ${shown(error ?? { jsonrpc, result })}`,
          ),
    );
    return true;
  }

  /**
   * Rejects the call that is meant by an id of the wrong type, such as "0" in
   * place of 0.
   */
  #isMistyped(id: unknown): boolean {
    // An object may have no primitive value, and the conversion would throw.
    if (!isId(id)) return false;
    const other = typeof id === "number" ? String(id) : Number(id);
    const call = String(other) === String(id) ? this.#take(other) : undefined;
    const text = `the answer has the id ${JSON.stringify(id)}, but the request has ${JSON.stringify(other)}.`;
    call?.reject(new ValidationError(`${call.method}: ${text}`));
    return call !== undefined;
  }

  /**
   * Keeps the token of a task's call, so that later progress still arrives
   * (PROG-06); at most 1,000 of them.
   */
  #outlast(token: RequestId, call: Call): void {
    this.#tokens.set(token, call);
    if (this.#tokens.size <= 1000 + this.#open.size) return;
    for (const [oldest, { id }] of this.#tokens)
      if (!this.#open.get(id)) return void this.#tokens.delete(oldest);
  }

  /** Sets the timer for a time, unless it is set for an earlier one. */
  #wakeBy(time: number): void {
    if (time >= this.#wakeTime || this.isPaused) return;
    clearTimeout(this.#timer);
    this.#wakeTime = time;
    this.#timer = setTimeout(
      this.#wake,
      Math.min(Math.ceil(time - this.#now), maxDelay),
    );
  }

  /**
   * A process that was busy, so that the timer is late, first reads the answers
   * that have arrived.
   */
  #wake = (): void => {
    if (this.#now > this.#wakeTime + maxLateness)
      this.#timer = setTimeout(this.#check);
    else this.#check();
  };

  /** Ends the calls whose time is over. */
  #check = (): void => {
    this.#wakeTime = Infinity;
    for (const id of this.#open.ids()) {
      const call = this.#open.get(id);
      // The end of another call may have ended it.
      if (!call) continue;
      const { method, options, deadline, limit } = call;
      const option = deadline <= limit ? "timeout" : "maxTimeout";
      const text = `${method}: no answer within ${options[option]} ms. Raise \`${option}\` to wait longer.`;
      if (Math.min(deadline, limit) <= this.#now)
        this.#giveUp(id, new TimeoutError(text), text);
      else this.#wakeBy(Math.min(deadline, limit));
    }
  };

  /** Rejects the call at once and sends a cancellation (TIME-02, CANC-09). */
  #giveUp(id: RequestId, reason: unknown, text: string): void {
    const call = this.#take(id);
    call?.reject(reason);
    call?.options.cancel?.(id, text);
  }

  #take(id: RequestId): Call | undefined {
    const call = this.#open.take(id);
    if (!call) return undefined;
    const { token } = call.options;
    if (this.#open.size === 0) this.#timer?.unref?.();
    call.forget?.();
    if (token !== undefined) this.#tokens.delete(token);
    return call;
  }
}

/** The part of a connection that sends requests. */
interface Sender {
  calls: Calls | undefined;
  readonly closeReason: Error | undefined;
  send(message: unknown, options: SendOptions): void;
}

/** The pending requests of a connection. */
export function callsOf(connection: Sender): Calls {
  return (connection.calls ??= new Calls());
}

/**
 * Sends a request and resolves with its result. Rejects as `Calls.wait` does.
 */
export function call(
  connection: Sender,
  id: RequestId,
  method: string,
  params: unknown,
  options: CallOptions,
): Promise<unknown> {
  if (options.signal?.aborted)
    return Promise.reject(options.signal.reason as Error);
  if (connection.closeReason)
    return Promise.reject(endError(connection.closeReason, false));
  const calls = callsOf(connection);
  const answer = calls.wait(id, method, options);
  try {
    connection.send({ jsonrpc: "2.0", id, method, params }, options);
  } catch (error) {
    calls.reject(id, error);
  }
  return answer;
}
