import { type McpError, rpcError, TransportError, ValidationError } from "../errors.js";
import { report, type Reporting, warn } from "../report.js";
import type { Revision } from "../tables.js";
import type { MessageInfo, Receiver, SendOptions, Transport } from "../transport/transport.js";
import { type CallOptions, Calls } from "./calls.js";
import type { Limits } from "./limits.js";
import {
  isId,
  isObject,
  type JsonObject,
  type RequestId,
  type WireNotification,
  type WireRequest,
} from "../message.js";

/** Deals with what a peer asks; a connection without one answers nothing. */
export interface RequestReceiver {
  request(message: WireRequest, info: MessageInfo | undefined): void;
  /** Something came that cannot be answered as a request; the id is undefined where it could not be read. */
  refuse(id: RequestId | undefined, error: McpError): void;
  /** Nothing more will come, though the peer still reads. */
  ended?(): void;
  closed(reason: Error): void;
}

/** What a connection is given by the layer above. */
export interface ConnectionOptions extends Reporting {
  readonly limits?: Limits | undefined;
}

/** Tells messages apart, pairs our requests with the peer's responses, and hands on the rest. */
export class Connection implements Receiver {
  readonly transport: Transport;
  /** What the peer has not answered yet. */
  readonly calls: Calls = new Calls();
  /** Are arrays of messages allowed? Known once a revision is. */
  batches = false;
  /** Does an error about an unreadable request go without an id? */
  idlessErrors = false;
  requests: RequestReceiver | undefined;
  onNotification: ((message: WireNotification) => void) | undefined;
  onClosed: ((error?: Error) => void) | undefined;
  onRenewed: (() => void) | undefined;
  readonly reporting: ConnectionOptions;
  #nextId = 0;
  #closed: Error | undefined;
  #gone: AbortController | undefined;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.transport = transport;
    this.reporting = options;
  }

  /** Aborts when the connection is closed. Made when first asked for, since hardly anybody does. */
  get gone(): AbortSignal {
    if (!this.#gone) {
      this.#gone = new AbortController();
      if (this.#closed) this.#gone.abort(this.#closed);
    }
    return this.#gone.signal;
  }

  /** Takes over the rules of the revision that was agreed on. */
  adopt(revision: Revision): void {
    this.batches = revision.batches;
    this.idlessErrors = revision.idlessErrors === true;
  }

  /** JRPC-03: an id that was never used on this connection. */
  nextId(): RequestId {
    return this.#nextId++;
  }

  /** Sends a request and waits for its answer. Rejects with what the peer, the clock, the signal or the carrier says. */
  call(id: RequestId, method: string, params: unknown, options: CallOptions): Promise<unknown> {
    if (options.signal?.aborted) return Promise.reject(options.signal.reason as Error);
    if (this.#closed) return Promise.reject(this.#closed);
    const answer = this.calls.wait(id, method, options);
    try {
      this.send({ jsonrpc: "2.0", id, method, params }, options);
    } catch (error) {
      this.calls.reject(id, error);
    }
    return answer;
  }

  /** Sends a notification; it is never answered (JRPC-08). Resolves once the carrier has room. */
  async notify(method: string, params: unknown, options?: SendOptions): Promise<void> {
    await this.transport.send({ jsonrpc: "2.0", method, params }, options);
  }

  /** Sends a message that nobody waits for: a carrier that breaks says so by `closed`. */
  send(message: unknown, options: SendOptions): void {
    // A transport may return anything in place of nothing, which its type allows.
    this.transport.send(message, options)?.catch?.(() => {});
  }

  /** Reports an error that no call rejects with; `where` is the method that was being answered. */
  report(error: unknown, where?: string): void {
    report(this.reporting, error, where);
  }

  /** Reports what works but deserves attention. */
  warn(message: string): void {
    warn(this.reporting, message);
  }

  async close(): Promise<void> {
    const closing = this.transport.close();
    this.closed();
    await closing;
  }

  message(message: unknown, info?: MessageInfo): void {
    const { batch = 100 } = this.reporting.limits ?? {};
    // BATCH-04, BATCH-05: an array that is no batch is no message either.
    if (this.batches && Array.isArray(message) && message.length > 0 && message.length <= batch) {
      for (const one of message) this.#one(one, info);
    } else this.#one(message, info);
  }

  malformed(error: Error): void {
    this.report(error);
    this.requests?.refuse(undefined, rpcError("PARSE_ERROR", error.message));
  }

  renewed(): void {
    this.onRenewed?.();
  }

  lost(id: RequestId | undefined, error: Error): void {
    this.calls.reject(id, error);
  }

  ended(): void {
    this.calls.reject(undefined, new TransportError("The peer went away."));
    this.requests?.ended?.();
  }

  closed(error?: Error): void {
    if (this.#closed) return;
    this.#closed = error ?? new TransportError("The connection is closed.");
    this.#gone?.abort(this.#closed);
    this.calls.close(this.#closed);
    this.requests?.closed(this.#closed);
    this.onClosed?.(error);
  }

  #one(message: unknown, info: MessageInfo | undefined): void {
    const { jsonrpc, id, method, result, error } = isObject(message) ? message : ({} as JsonObject);
    if (method === undefined && (result !== undefined || error !== undefined)) {
      if (!this.calls.answer(message as JsonObject) && (id === undefined || id === null))
        this.report(new ValidationError(`The peer: ${JSON.stringify(error)}`));
      return;
    }
    const isNotification = id === undefined && typeof method === "string";
    if (jsonrpc === "2.0" && typeof method === "string") {
      try {
        if (isNotification) {
          const { params } = message as WireNotification;
          if (params === undefined || isObject(params)) return this.onNotification?.(message as never);
          // JRPC-20: dropped, but not in silence.
          return this.report(new ValidationError(`${method}: params: expected an object.`));
        }
        if (isId(id) && this.requests) return this.requests.request(message as WireRequest, info);
      } catch (fault) {
        return this.report(fault, method);
      }
    }
    // JRPC-14: what may not be asked is not answered.
    const text = `Not a message: method ${JSON.stringify(method)}, id ${JSON.stringify(id)}.`;
    this.report(new ValidationError(text));
    if (!isNotification) {
      this.requests?.refuse(isId(id) ? id : undefined, rpcError("INVALID_REQUEST", "Invalid message"));
    }
  }
}
