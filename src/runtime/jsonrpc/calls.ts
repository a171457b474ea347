import { McpError, TimeoutError, ValidationError } from "../errors.js";
import type { SendOptions } from "../transport/transport.js";
import { Deadlines } from "./deadlines.js";
import { isObject, type JsonObject, type RequestId } from "../message.js";
import { maxDelay } from "../timing.js";

/** How one request is sent. Times are milliseconds; `Infinity` is no limit. */
export interface RequestOptions {
  /** Gives up when it aborts: the promise rejects at once with the signal's reason, and the peer is told to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Longest silence; progress resets the clock. */
  readonly timeout?: number | undefined;
  /** Longest wait in all. */
  readonly maxTimeout?: number | undefined;
  /** Asks for progress, and is told of it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Of a request to listen: hears what comes over this very stream, beside the handlers that hear of all streams. */
  readonly onNotice?: ((method: string, params: JsonObject) => void) | undefined;
}

/** Options of a request whose caller is known before it is sent. */
export interface CallerOptions extends RequestOptions, Pick<SendOptions, "caller"> {}

/** What the session adds for one request. */
export interface CallOptions extends CallerOptions {
  /** Names the progress of this request; each one resets the clock. */
  readonly token?: RequestId | undefined;
  /** Does progress go on after the answer? */
  readonly outlasts?: boolean | undefined;
  /** The peer's request on whose behalf this one is made. */
  readonly inReplyTo?: RequestId | undefined;
  /** What a carrier with headers repeats in them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes of the result what the caller gets, or throws; here, since a promise more would cost as much as the check. */
  readonly accept?: ((method: string, result: JsonObject) => unknown) | undefined;
  /** Called with the reason when the caller gives up, to notify the peer. */
  readonly cancel?: ((id: RequestId, reason: string) => void) | undefined;
}

/** How far a request has got. */
export interface Progress {
  /** Amount done; larger each time. */
  readonly progress: number;
  /** The amount at which it is done, if known. */
  readonly total?: number;
  /** What is going on, in words for people. */
  readonly message?: string;
}

interface Call {
  readonly id: RequestId;
  readonly method: string;
  readonly options: CallOptions;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
  silence?: Deadlines<Call> | undefined;
  limit?: ReturnType<typeof setTimeout> | undefined;
  abort?: (() => void) | undefined;
  progress: number;
}

/** The text of an abort reason, which goes to the peer with the cancellation. */
function textOf(reason: unknown): string {
  const text = isObject(reason) ? reason["message"] : reason;
  return typeof text === "string" && text !== "" ? text : "The request was cancelled.";
}

/** Our requests that wait for their answers, each with its clock, its signal and its progress. */
export class Calls {
  readonly #open = new Map<RequestId, Call>();
  readonly #tokens = new Map<RequestId, Call>();
  readonly #outlasting = new Map<RequestId, Call>();
  readonly #deadlines = new Map<number, Deadlines<Call>>();

  /** Begins to wait. The promise rejects with what the peer, the clock, the signal or the carrier says. */
  wait(id: RequestId, method: string, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeout = Infinity, maxTimeout = Infinity, token } = options;
      const call: Call = { id, method, options, resolve, reject, progress: -Infinity };
      this.#open.set(id, call);
      if (timeout < maxDelay) {
        call.silence = this.#deadline(timeout);
        call.silence.add(call);
      }
      if (token !== undefined) {
        this.#tokens.set(token, call);
        if (maxTimeout < maxDelay) call.limit = setTimeout(this.#expire, maxTimeout, call, maxTimeout);
      }
      if (signal) {
        // CANC-11
        const abort = (): void => this.#giveUp(id, signal.reason, textOf(signal.reason));
        call.abort = abort;
        signal.addEventListener("abort", abort);
      }
    });
  }

  /** A call that is waiting for its answer. */
  get(id: RequestId): Pick<Call, "method" | "options"> | undefined {
    return this.#open.get(id);
  }

  /** Ends a call as if its result had come. */
  settle(id: RequestId, result: unknown): void {
    this.#take(id)?.resolve(result);
  }

  /** Ends a call, or every call without an id, as if the answer could not come any more. */
  reject(id: RequestId | undefined, reason: unknown): void {
    if (id !== undefined) this.#take(id)?.reject(reason);
    else for (const one of this.#open.keys()) this.#take(one)?.reject(reason);
  }

  /** Nothing is waited for any more. */
  close(reason: unknown): void {
    this.reject(undefined, reason);
    for (const deadline of this.#deadlines.values()) deadline.clear();
  }

  /** PROG-02, PROG-03, PROG-07: passes on progress of a call that is open; an unknown token or a step back is ignored. */
  progress({ progressToken, ...update }: Progress & { progressToken: RequestId }): void {
    const call = this.#tokens.get(progressToken) ?? this.#outlasting.get(progressToken);
    if (!call || update.progress <= call.progress) return;
    call.progress = update.progress;
    call.silence?.add(call);
    call.options.onProgress?.(update);
  }

  /** Hands a response to its call. CANC-05: false for one that nobody waits for any more. */
  answer({ jsonrpc, id, result, error }: JsonObject): boolean {
    const call = this.#take(id as RequestId);
    if (!call) return false;
    // JRPC-05, JRPC-06
    if (jsonrpc === "2.0" && error === undefined && isObject(result)) {
      const { accept, outlasts, token } = call.options;
      if (outlasts && token !== undefined) this.#outlast(token, call);
      try {
        call.resolve(accept ? accept(call.method, result) : result);
      } catch (fault) {
        call.reject(fault);
      }
      return true;
    }
    const { code, message, data } = isObject(error) ? error : ({} as JsonObject);
    call.reject(
      jsonrpc === "2.0" && result === undefined && Number.isInteger(code) && typeof message === "string"
        ? new McpError(code as number, message, data)
        : new ValidationError(`${call.method}: not a JSON-RPC response.`),
    );
    return true;
  }

  /** PROG-06: hears of progress that comes later, for the thousand latest calls at most. */
  #outlast(token: RequestId, call: Call): void {
    call.silence = undefined;
    this.#outlasting.set(token, call);
    const [oldest] = this.#outlasting.keys();
    if (this.#outlasting.size > 1000) this.#outlasting.delete(oldest as RequestId);
  }

  #deadline(time: number): Deadlines<Call> {
    const known = this.#deadlines.get(time);
    if (known) return known;
    // A caller with ever other times would leave one behind for each.
    for (const [other, { idle }] of this.#deadlines) if (idle) this.#deadlines.delete(other);
    const fresh = new Deadlines<Call>(time, this.#expire);
    this.#deadlines.set(time, fresh);
    return fresh;
  }

  #expire = (call: Call, after: number | undefined = call.options.timeout): void => {
    const option = after === call.options.timeout ? "timeout" : "maxTimeout";
    const text = `${call.method}: no answer within ${after} ms. Raise \`${option}\` to wait longer.`;
    this.#giveUp(call.id, new TimeoutError(text), text);
  };

  /** TIME-02, CANC-09: rejects at once and tells the peer. */
  #giveUp(id: RequestId, reason: unknown, text: string): void {
    const call = this.#take(id);
    call?.reject(reason);
    call?.options.cancel?.(id, text);
  }

  #take(id: RequestId): Call | undefined {
    const call = this.#open.get(id);
    if (!call) return undefined;
    this.#open.delete(id);
    const { token, signal } = call.options;
    call.silence?.delete(call);
    if (token !== undefined) {
      this.#tokens.delete(token);
      clearTimeout(call.limit);
    }
    if (call.abort) signal?.removeEventListener("abort", call.abort);
    return call;
  }
}
