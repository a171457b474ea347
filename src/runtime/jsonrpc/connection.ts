import { jsonRpcCodes, McpError, TimeoutError, TransportError, ValidationError } from "../errors.js";
import type { Revision } from "../tables.js";
import type { MessageInfo, Receiver, RequestId, SendOptions, Transport } from "../transport/transport.js";
import { Deadlines } from "./deadlines.js";
import { isId, isObject, type JsonObject, type WireNotification, type WireRequest } from "./message.js";

/** Deals with what a peer asks; a connection without one answers nothing. */
export interface Answerer {
  request(message: WireRequest, info: MessageInfo | undefined): void;
  /** Something came that cannot be answered as a request; the id is undefined where it could not be read. */
  refuse(id: RequestId | undefined, error: McpError): void;
  /** Nothing more will come, though the peer still reads. */
  ended?(): void;
  closed(reason: Error): void;
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
  /** Told of notifications that say they belong to this request. */
  readonly onNotice?: ((method: string, params: JsonObject) => void) | undefined;
  /** Does progress go on after the answer? */
  readonly outlasts?: boolean | undefined;
  /** The peer's request on whose behalf this one is made. */
  readonly inReplyTo?: RequestId | undefined;
  /** What a carrier with headers repeats in them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes of the result what the caller gets, or throws; here, since a promise more would cost as much as the check. */
  readonly accept?: ((method: string, result: JsonObject) => unknown) | undefined;
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
  silence?: Deadlines<Call> | undefined;
  limit?: ReturnType<typeof setTimeout> | undefined;
  abort?: (() => void) | undefined;
  progress: number;
}

/** What a connection is given by the layer above. */
export interface ConnectionOptions {
  /** Most messages in one batch; 100 by default. */
  readonly maxBatch?: number | undefined;
  /** Told of faults that nobody waits for. */
  onError?(error: Error): void;
}

/** Tells messages apart, pairs our requests with the peer's responses, and hands on the rest. */
export class Connection implements Receiver {
  readonly transport: Transport;
  /** Are arrays of messages allowed? Known once a revision is. */
  batches = false;
  /** Does an error about an unreadable request go without an id? */
  idlessErrors = false;
  codes: typeof jsonRpcCodes = jsonRpcCodes;
  answerer: Answerer | undefined;
  onNotification: ((message: WireNotification) => void) | undefined;
  onClosed: ((error?: Error) => void) | undefined;
  onRenewed: (() => void) | undefined;
  readonly #options: ConnectionOptions;
  readonly #calls = new Map<RequestId, Call>();
  readonly #tokens = new Map<RequestId, Call>();
  readonly #outlasting = new Set<RequestId>();
  readonly #deadlines = new Map<number, Deadlines<Call>>();
  #nextId = 0;
  #closed: Error | undefined;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.transport = transport;
    this.#options = options;
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
      signal?.throwIfAborted();
      if (this.#closed) throw this.#closed;
      const call: Call = { id, method, options, resolve, reject, progress: -Infinity };
      this.#calls.set(id, call);
      if (timeout < maxDelay) {
        call.silence = this.#deadline(timeout);
        call.silence.add(call);
      }
      if (token !== undefined) {
        this.#tokens.set(token, call);
        if (maxTimeout < maxDelay) call.limit = setTimeout(this.#expire, maxTimeout, call, maxTimeout);
      }
      if (signal) {
        call.abort = () => this.#giveUp(id, signal.reason, "The answer is no longer wanted.");
        signal.addEventListener("abort", call.abort);
      }
      try {
        this.#post({ jsonrpc: "2.0", id, method, params }, options);
      } catch (error) {
        this.#take(id)?.reject(error);
      }
    });
  }

  /** Sends a notification; it is never answered (JRPC-08). Resolves once the carrier has room. */
  async notify(
    method: string,
    params: unknown,
    inReplyTo?: RequestId,
    headers?: SendOptions["headers"],
  ): Promise<void> {
    await this.transport.send({ jsonrpc: "2.0", method, params }, { inReplyTo, headers });
  }

  /** Sends a message that nobody waits for: a carrier that breaks says so by `closed`. */
  send(message: unknown, inReplyTo: RequestId | undefined): void {
    this.#post(message, inReplyTo === undefined ? undefined : { inReplyTo });
  }

  #post(message: unknown, options: SendOptions | undefined): void {
    this.transport.send(message, options)?.catch(() => {});
  }

  /** PROG-02, PROG-03, PROG-07: passes on progress of a call that is open; an unknown token or a step back is ignored. */
  progress({ progressToken, ...update }: Progress & { progressToken: RequestId }): void {
    const call = this.#tokens.get(progressToken);
    if (!call || update.progress <= call.progress) return;
    call.progress = update.progress;
    call.silence?.add(call);
    call.options.onProgress?.(update);
  }

  /** A call that is waiting for its answer. */
  waiting(id: RequestId): Pick<Call, "method" | "options"> | undefined {
    return this.#calls.get(id);
  }

  /** Ends a call as if its result had come. */
  settle(id: RequestId, result: unknown): void {
    this.#take(id)?.resolve(result);
  }

  /** Tells whoever listens of a fault that nobody waits for. */
  report(error: unknown): void {
    this.#options.onError?.(error instanceof Error ? error : new Error(String(error), { cause: error }));
  }

  async close(): Promise<void> {
    const closing = this.transport.close();
    this.closed();
    await closing;
  }

  message(message: unknown, info?: MessageInfo): void {
    const { maxBatch = 100 } = this.#options;
    // BATCH-04, BATCH-05: an array that is no batch is no message either.
    if (this.batches && Array.isArray(message) && message.length > 0 && message.length <= maxBatch) {
      for (const one of message) this.#one(one, info);
    } else this.#one(message, info);
  }

  malformed(error: Error): void {
    this.report(error);
    this.answerer?.refuse(undefined, new McpError(this.codes.PARSE_ERROR, error.message));
  }

  renewed(): void {
    this.onRenewed?.();
  }

  lost(id: RequestId, error: Error): void {
    this.#take(id)?.reject(error);
  }

  ended(): void {
    this.#rejectCalls(new TransportError("The peer went away."));
    this.answerer?.ended?.();
  }

  closed(error?: Error): void {
    if (this.#closed) return;
    this.#closed = error ?? new TransportError("The connection is closed.");
    this.#rejectCalls(this.#closed);
    for (const deadline of this.#deadlines.values()) deadline.clear();
    this.answerer?.closed(this.#closed);
    this.onClosed?.(error);
  }

  #one(message: unknown, info: MessageInfo | undefined): void {
    const { jsonrpc, id, method, result, error } = isObject(message) ? message : ({} as JsonObject);
    if (method === undefined && (result !== undefined || error !== undefined)) {
      return this.#settle(message as JsonObject);
    }
    const isNotification = id === undefined && typeof method === "string";
    if (jsonrpc === "2.0" && typeof method === "string") {
      try {
        if (isNotification) return this.onNotification?.(message as WireNotification);
        if (isId(id) && this.answerer) return this.answerer.request(message as WireRequest, info);
      } catch (fault) {
        return this.report(fault);
      }
    }
    // JRPC-14: what may not be asked is not answered.
    const text = `Not a message: method ${JSON.stringify(method)}, id ${JSON.stringify(id)}.`;
    this.report(new ValidationError(text, []));
    if (!isNotification) {
      this.answerer?.refuse(
        isId(id) ? id : undefined,
        new McpError(this.codes.INVALID_REQUEST, "Invalid message"),
      );
    }
  }

  #settle({ jsonrpc, id, result, error }: JsonObject): void {
    // CANC-05: an answer that nobody waits for any more is ignored.
    const call = this.#take(id as RequestId);
    if (!call)
      return id === undefined || id === null
        ? this.report(new Error(`The peer: ${JSON.stringify(error)}`))
        : undefined;
    // JRPC-05, JRPC-06
    if (jsonrpc === "2.0" && error === undefined && isObject(result)) {
      const { accept, outlasts, token } = call.options;
      if (outlasts && token !== undefined) this.#outlast(token, call);
      try {
        return call.resolve(accept ? accept(call.method, result) : result);
      } catch (fault) {
        return call.reject(fault);
      }
    }
    const { code, message, data } = isObject(error) ? error : ({} as JsonObject);
    call.reject(
      jsonrpc === "2.0" && result === undefined && Number.isInteger(code) && typeof message === "string"
        ? new McpError(code as number, message, data)
        : new ValidationError(`${call.method}: not a JSON-RPC response.`, []),
    );
  }

  /** PROG-06: hears of progress that comes later, for the thousand latest calls at most. */
  #outlast(token: RequestId, call: Call): void {
    call.silence = undefined;
    this.#tokens.set(token, call);
    this.#outlasting.add(token);
    const [oldest] = this.#outlasting;
    if (this.#outlasting.size <= 1000 || oldest === undefined) return;
    this.#outlasting.delete(oldest);
    this.#tokens.delete(oldest);
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

  #expire = (call: Call, after: number = call.options.timeout): void => {
    const text = `${call.method}: no answer within ${after} ms.`;
    this.#giveUp(call.id, new TimeoutError(text), text);
  };

  /** TIME-02, CANC-09: rejects at once and tells the peer. */
  #giveUp(id: RequestId, reason: unknown, text: string): void {
    const call = this.#take(id);
    call?.reject(reason);
    call?.options.cancel?.(id, text);
  }

  #take(id: RequestId): Call | undefined {
    const call = this.#calls.get(id);
    if (!call) return undefined;
    this.#calls.delete(id);
    const { token, signal } = call.options;
    call.silence?.delete(call);
    if (token !== undefined) {
      this.#tokens.delete(token);
      clearTimeout(call.limit);
    }
    if (call.abort) signal?.removeEventListener("abort", call.abort);
    return call;
  }

  #rejectCalls(reason: unknown): void {
    for (const id of this.#calls.keys()) this.#take(id)?.reject(reason);
  }
}

/** Beyond this a timer would fire at once. */
const maxDelay = 2 ** 31 - 1;
