import { jsonRpcCodes, McpError, TimeoutError, TransportError, ValidationError } from "../errors.js";
import type { Revision } from "../tables.js";
import type { MessageInfo, Receiver, RequestId, Transport } from "../transport/transport.js";
import { Exchange, isThenable } from "./exchange.js";
import { isId, isObject, type JsonObject, type WireNotification, type WireRequest } from "./message.js";

/** Answers what the peer sends. */
export interface Dispatcher {
  /** Returns or resolves with a result; an error that is thrown becomes the answer. */
  request(message: WireRequest, exchange: Exchange): unknown;
  notification(message: WireNotification, info: MessageInfo | undefined): void;
  closed?(): void;
}

/** How a connection deals with its peer. Limits are counts unless they say otherwise. */
export interface ConnectionOptions {
  /** A server answers what it cannot read; a client only reports it. */
  readonly side: "client" | "server";
  /** Most messages in one batch; 100 by default. */
  readonly maxBatch?: number | undefined;
  /** Most requests of the peer's being answered at once; 256 by default. */
  readonly maxInFlight?: number | undefined;
  /** Most requests of the peer's waiting beyond those; 1,024 by default. */
  readonly maxQueue?: number | undefined;
  /** How long answers may still take once the peer sends nothing more, in milliseconds; 1,000 by default. */
  readonly drainTime?: number | undefined;
  /** Told of faults that nobody waits for. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Times are milliseconds; `Infinity` is no limit. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest silence. */
  readonly timeout: number;
  /** Longest wait in all, progress or not. */
  readonly maxTimeout: number;
  /** Names the progress of this request; each one resets the clock. */
  readonly token?: RequestId | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The peer's request on whose behalf this one is made. */
  readonly inReplyTo?: RequestId | undefined;
  /** Called when the answer is no longer wanted. */
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
  silence?: Timer | undefined;
  limit?: Timer | undefined;
  abort?: (() => void) | undefined;
  progress: number;
}
type Timer = ReturnType<typeof setTimeout>;

/** Pairs requests with responses over one transport, both ways, and keeps the rules of JSON-RPC. */
export class Connection implements Receiver {
  readonly transport: Transport;
  dispatcher: Dispatcher;
  /** Are arrays of messages allowed? Known once a revision is. */
  batches = false;
  /** Does an error about an unreadable request go without an id? */
  idlessErrors = false;
  /** A peer that may not be answered at all. */
  mute = false;
  codes: typeof jsonRpcCodes = jsonRpcCodes;
  /** Told when the connection is gone. */
  onClosed: ((error?: Error) => void) | undefined;
  readonly #options: ConnectionOptions;
  readonly #calls = new Map<RequestId, Call>();
  readonly #tokens = new Map<RequestId, Call>();
  readonly #open = new Map<RequestId, Exchange>();
  readonly #loose = new Set<Exchange>();
  readonly #queue: (() => void)[] = [];
  readonly #maxInFlight: number;
  #nextId = 0;
  #drain: Timer | undefined;
  #state: "open" | "ended" | "closed" = "open";

  constructor(transport: Transport, dispatcher: Dispatcher, options: ConnectionOptions) {
    this.transport = transport;
    this.dispatcher = dispatcher;
    this.#options = options;
    this.#maxInFlight = options.maxInFlight ?? 256;
  }

  async start(): Promise<void> {
    await this.transport.start(this);
  }

  /** Takes over the rules of the revision that was agreed on. */
  adopt(revision: Revision): void {
    this.batches = revision.batches;
    this.idlessErrors = revision.idlessErrors === true;
    this.codes = { ...jsonRpcCodes, ...revision.errors };
  }

  /** JRPC-03: an id that was never used on this connection. */
  nextId(): RequestId {
    return this.#nextId++;
  }

  /** Sends a request and waits for its answer. Rejects with what the peer, the clock, the signal or the carrier says. */
  call(id: RequestId, method: string, params: unknown, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeout, maxTimeout, token } = options;
      if (signal?.aborted) return reject(signal.reason);
      if (this.#state !== "open") return reject(new TransportError("The connection is closed."));
      const call: Call = { id, method, options, resolve, reject, progress: -Infinity };
      this.#calls.set(id, call);
      if (timeout < maxDelay) call.silence = setTimeout(this.#expire, timeout, id, timeout);
      if (token !== undefined) {
        this.#tokens.set(token, call);
        if (maxTimeout < maxDelay) call.limit = setTimeout(this.#expire, maxTimeout, id, maxTimeout);
      }
      if (signal) {
        call.abort = () => this.#giveUp(id, signal.reason, "The caller no longer wants an answer.");
        signal.addEventListener("abort", call.abort, { once: true });
      }
      try {
        this.transport.send({ jsonrpc: "2.0", id, method, params }, options)?.catch(ignore);
      } catch (error) {
        this.#take(id);
        reject(error);
      }
    });
  }

  /** Sends a notification. JRPC-08: nothing comes back. Resolves once the carrier has room. */
  async notify(method: string, params: unknown, inReplyTo?: RequestId): Promise<void> {
    await this.transport.send({ jsonrpc: "2.0", method, params }, { inReplyTo });
  }

  /** PROG-02, PROG-03, PROG-07: passes on progress of a call that is open; an unknown token or a step back is ignored. */
  progress(token: RequestId, update: Progress): void {
    const call = this.#tokens.get(token);
    if (!call || update.progress <= call.progress) return;
    call.progress = update.progress;
    if (call.silence !== undefined) {
      clearTimeout(call.silence);
      call.silence = setTimeout(this.#expire, call.options.timeout, call.id, call.options.timeout);
    }
    call.options.onProgress?.(update);
  }

  /** The method of a call that is waiting for its answer. */
  waiting(id: RequestId): string | undefined {
    return this.#calls.get(id)?.method;
  }

  /** Ends a call as if its result had come. */
  settle(id: RequestId, result: unknown): void {
    this.#take(id)?.resolve(result);
  }

  /** CANC-03, CANC-04: the peer no longer wants an answer; an id that is not open is ignored. */
  cancel(id: RequestId, reason: string): void {
    const exchange = this.#open.get(id);
    if (!exchange) return;
    exchange.abort(new DOMException(reason, "AbortError"));
    this.#finish(exchange);
  }

  /** Undefined when a request may be worked on at once, else a promise for its turn. Throws when there is no room. */
  turn(): Promise<void> | undefined {
    const { maxQueue = 1024 } = this.#options;
    if (this.#open.size - this.#queue.length <= this.#maxInFlight) return undefined;
    if (this.#queue.length >= maxQueue) {
      throw new McpError(this.codes.INTERNAL_ERROR, "Too many requests are waiting to be answered.");
    }
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  /** The work on a notification: nobody waits for it, but it ends with the connection. */
  detached(): Exchange {
    const exchange = new Exchange(undefined, undefined);
    this.#loose.add(exchange);
    return exchange;
  }

  /** Watches over such work until it is done. */
  release(exchange: Exchange, outcome: unknown): void {
    Promise.resolve(outcome)
      .catch((error: unknown) => this.report(error))
      .finally(() => this.#loose.delete(exchange));
  }

  async close(): Promise<void> {
    const closing = this.transport.close();
    this.closed();
    await closing;
  }

  message(message: unknown, info?: MessageInfo): void {
    if (!Array.isArray(message)) return this.#one(message, info);
    const { maxBatch = 100 } = this.#options;
    // BATCH-04, BATCH-05
    if (!this.batches) return this.#invalid(undefined, "An array is not a message.");
    if (message.length === 0) return this.#invalid(undefined, "A batch has at least one message.");
    if (message.length > maxBatch) {
      return this.#invalid(undefined, `A batch has at most ${maxBatch} messages.`);
    }
    for (const one of message) this.#one(one, info);
  }

  malformed(error: Error): void {
    this.report(error);
    if (this.#options.side === "server") this.#refuse(undefined, this.codes.PARSE_ERROR, error.message);
  }

  ended(): void {
    if (this.#state !== "open") return;
    this.#state = "ended";
    this.#rejectCalls(new TransportError("The peer went away before it answered."));
    if (this.#open.size === 0) void this.close();
    else this.#drain = setTimeout(() => void this.close(), this.#options.drainTime ?? 1000);
  }

  closed(error?: Error): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    clearTimeout(this.#drain);
    const reason = error ?? new TransportError("The connection was closed.");
    this.#rejectCalls(reason);
    for (const exchange of [...this.#open.values(), ...this.#loose]) exchange.abort(reason);
    this.#open.clear();
    this.dispatcher.closed?.();
    this.onClosed?.(error);
  }

  /** Tells whoever listens of a fault that nobody waits for. */
  report(error: unknown): void {
    this.#options.onError?.(
      error instanceof Error ? error : new Error("Something that is no error was thrown.", { cause: error }),
    );
  }

  #one(message: unknown, info: MessageInfo | undefined): void {
    if (!isObject(message)) return this.#invalid(undefined, "A message is an object.");
    const { id, method } = message;
    if (method === undefined && ("result" in message || "error" in message)) return this.#settle(message);
    if (typeof method !== "string")
      return this.#invalid(id, "A request has a method, a response a result or an error.");
    if (message["jsonrpc"] !== "2.0") {
      return this.#invalid(id, 'A message has "jsonrpc": "2.0".', !("id" in message));
    }
    if (!("id" in message)) {
      try {
        return this.dispatcher.notification(message as unknown as WireNotification, info);
      } catch (error) {
        return this.report(error);
      }
    }
    if (!isId(id)) return this.#invalid(undefined, "The id of a request is a string or an integer.");
    if (this.mute)
      return this.report(new ValidationError(`The peer sent the request ${method}, which it may not.`, []));
    // JRPC-04
    if (this.#open.has(id)) return this.#invalid(id, "Another request with this id is still being answered.");
    this.#answer(message as unknown as WireRequest, new Exchange(id, info));
  }

  #answer(message: WireRequest, exchange: Exchange): void {
    this.#open.set(message.id, exchange);
    try {
      const result = this.dispatcher.request(message, exchange);
      if (isThenable(result)) {
        result.then(
          (value) => this.#reply(exchange, value),
          (error: unknown) => this.#fail(exchange, error),
        );
      } else this.#reply(exchange, result);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #reply(exchange: Exchange, result: unknown): void {
    if (exchange.over) return;
    const { id } = exchange;
    try {
      this.transport.send({ jsonrpc: "2.0", id, result: result ?? {} }, { inReplyTo: id })?.catch(ignore);
    } catch (error) {
      return this.#fail(exchange, error);
    }
    this.#finish(exchange);
  }

  #fail(exchange: Exchange, reason: unknown): void {
    if (exchange.over) return;
    const error = McpError.from(reason, this.codes.INTERNAL_ERROR);
    if (error !== reason) this.report(reason);
    this.#refuse(exchange.id, error.code, error.message, error.data);
    this.#finish(exchange);
  }

  #finish(exchange: Exchange): void {
    exchange.over = true;
    this.#open.delete(exchange.id as RequestId);
    this.#queue.shift()?.();
    if (this.#state === "ended" && this.#open.size === 0) void this.close();
  }

  #refuse(id: RequestId | undefined, code: number, message: string, data?: unknown): void {
    const error = { code, message, data };
    // JRPC-07: the id is missing, or null, only where it could not be read.
    const reply =
      id !== undefined
        ? { jsonrpc: "2.0", id, error }
        : this.idlessErrors
          ? { jsonrpc: "2.0", error }
          : { jsonrpc: "2.0", id: null, error };
    try {
      this.transport.send(reply, { inReplyTo: id })?.catch(ignore);
    } catch (failure) {
      this.report(failure);
    }
  }

  #invalid(id: unknown, message: string, silent = false): void {
    this.report(new ValidationError(`The peer sent an invalid message: ${message}`, [{ message, path: [] }]));
    if (!silent && !this.mute) this.#refuse(isId(id) ? id : undefined, this.codes.INVALID_REQUEST, message);
  }

  #settle(message: JsonObject): void {
    const { id, result, error } = message;
    if (id === undefined || id === null) {
      return this.report(
        new ValidationError(`The peer could not read a message: ${JSON.stringify(error)}`, []),
      );
    }
    // CANC-05: an answer that nobody waits for any more is ignored.
    const call = isId(id) ? this.#take(id) : undefined;
    if (!call) return;
    // JRPC-05, JRPC-06
    if ("result" in message !== "error" in message) {
      if ("result" in message && isObject(result)) return call.resolve(result);
      if (isObject(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string") {
        return call.reject(new McpError(error["code"] as number, error["message"], error["data"]));
      }
    }
    call.reject(new ValidationError(`${call.method}: the answer is not a JSON-RPC response.`, []));
  }

  #expire = (id: RequestId, after: number): void => {
    const method = this.waiting(id);
    const message = `${method}: no answer within ${after} ms`;
    this.#giveUp(id, new TimeoutError(message), message);
  };

  /** TIME-02, CANC-09: rejects at once and tells the peer. */
  #giveUp(id: RequestId, reason: unknown, text: string): void {
    const call = this.#take(id);
    if (!call) return;
    call.reject(reason);
    call.options.cancel?.(id, text);
  }

  #take(id: RequestId): Call | undefined {
    const call = this.#calls.get(id);
    if (!call) return undefined;
    this.#calls.delete(id);
    const { token, signal } = call.options;
    if (call.silence !== undefined) clearTimeout(call.silence);
    if (token !== undefined) {
      this.#tokens.delete(token);
      clearTimeout(call.limit);
    }
    if (call.abort) signal?.removeEventListener("abort", call.abort);
    return call;
  }

  #rejectCalls(reason: unknown): void {
    for (const id of [...this.#calls.keys()]) this.#take(id)?.reject(reason);
  }
}

/** Beyond this a timer would fire at once. */
const maxDelay = 2 ** 31 - 1;
const ignore = (): void => {};
