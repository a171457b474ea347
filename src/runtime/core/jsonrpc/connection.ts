import { endError, type McpError, rpcError, TransportError, ValidationError } from "../errors.js";
import { printable, report, shown, warn } from "../report.js";
import type { Revision } from "../tables.js";
import type { MessageInfo, Receiver, SendOptions, Transport } from "../ports/transport.js";
import type { Calls } from "./calls.js";
import type { Limits } from "./limits.js";
import type { Observing } from "../ports/observe.js";
import { isId, type RequestId, type WireNotification, type WireRequest } from "../message.js";
import { isObject, type JsonObject } from "../../../common/object.js";

/** Handles the peer's requests. A connection without a receiver reports requests and does not answer them. */
export interface RequestReceiver {
  request(message: WireRequest, info: MessageInfo | undefined): void;
  /**
   * Answers an invalid message with an error. `id` is undefined if it could not be read. Absent on a client: nothing waits for its
   * answer, and a server that logs what it does not expect would answer that, without end.
   */
  refuse?(id: RequestId | undefined, error: McpError): void;
  /** The peer sends nothing more, but still reads. */
  ended?(): void;
  /** Absent if no request stays open. */
  closed?(reason: Error): void;
}

/** Handles the peer's notifications. */
export interface NotificationReceiver {
  notification(message: WireNotification): void;
}

/** The options of a connection. */
export interface ConnectionOptions extends Observing {
  readonly limits?: Limits | undefined;
}

/** Classifies messages, pairs requests of this side with responses, and passes requests and notifications on. */
export class Connection implements Receiver {
  readonly transport: Transport;
  /** The rules of the negotiated revision: whether arrays of messages are allowed, and errors about unreadable requests have no id (JRPC-07). */
  rules: Pick<Revision, "batches" | "idlessErrors"> = { batches: false };
  requests: RequestReceiver | undefined;
  notifications: NotificationReceiver | undefined;
  onClosed: ((error?: Error) => void) | undefined;
  onRenewed: (() => void) | undefined;
  readonly reporting: ConnectionOptions;
  /** The requests that the peer has not answered yet. `callsOf` creates them, because most servers send no requests. */
  calls: Calls | undefined;
  /** True while the transport cannot deliver responses. */
  isPausedByTransport = false;
  #nextId = 0;
  /** How often a client got each kind of input that is not a message. */
  #ignored: Map<string, number> | undefined;
  #closed: Error | undefined;
  #closeController: AbortController | undefined;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.transport = transport;
    this.reporting = options;
  }

  /** Why the connection is closed; undefined if it is open. */
  get closeReason(): Error | undefined {
    return this.#closed;
  }

  /** Aborts when the connection closes. Created on first use, because few handlers use it. */
  get closeSignal(): AbortSignal {
    if (!this.#closeController) {
      this.#closeController = new AbortController();
      if (this.#closed) this.#closeController.abort(this.#closed);
    }
    return this.#closeController.signal;
  }

  /** Sets the rules of the negotiated revision. */
  adopt(revision: Revision): void {
    this.rules = revision;
  }

  /** Returns an id that this connection has not used before (JRPC-03). A cluster replaces it with ids that no process has used. */
  nextId(): RequestId {
    return this.#nextId++;
  }

  /** Sends a notification. Resolves once the transport has room for more. */
  async notify(method: string, params: unknown, options?: SendOptions): Promise<void> {
    await this.transport.send({ jsonrpc: "2.0", method, params }, options);
  }

  /** Sends a message without waiting. A transport that fails calls `closed`. */
  send(message: unknown, options: SendOptions): void {
    // A custom transport whose `send` returns `void` may return any value.
    this.transport.send(message, options)?.catch?.(() => {});
  }

  /** Reports an error that no call rejects with. `where` is the method of the request that was being answered. */
  report(error: unknown, where?: string): void {
    report(this.reporting, error, where);
  }

  /** Gives a warning to `onWarning`. */
  warn(message: string, ignored?: number): void {
    warn(this.reporting, message, ignored);
  }

  async close(): Promise<void> {
    const closing = this.transport.close();
    this.closed();
    await closing;
  }

  message(message: unknown, info?: MessageInfo): void {
    const { batch = 100 } = this.reporting.limits ?? {};
    // Any other array is an invalid message (BATCH-04, BATCH-05).
    if (this.rules.batches && Array.isArray(message) && message.length > 0 && message.length <= batch) {
      for (const item of message) this.#receive(item, info);
    } else this.#receive(message, info);
  }

  malformed({ message }: Error): void {
    this.#refuse(printable(message, 500), rpcError("PARSE_ERROR", message));
  }

  renewed(): void {
    this.onRenewed?.();
  }

  paused(isPaused: boolean): void {
    if (isPaused === this.isPausedByTransport) return;
    this.isPausedByTransport = isPaused;
    if (isPaused) this.calls?.pause();
    else this.calls?.resume();
  }

  get isPaused(): boolean {
    return this.calls?.isPaused ?? this.isPausedByTransport;
  }

  lost(id: RequestId | undefined, error: Error): void {
    this.calls?.reject(id, id === undefined ? endError(error, true) : error);
  }

  ended(): void {
    this.calls?.reject(undefined, new TransportError("The peer disconnected.", { mayHaveRun: true }));
    this.requests?.ended?.();
  }

  closed(error?: Error): void {
    if (this.#closed) return;
    this.#closed = error ?? new TransportError("The connection is closed.");
    this.#closeController?.abort(this.#closed);
    this.calls?.close(endError(this.#closed, true));
    this.requests?.closed?.(this.#closed);
    this.onClosed?.(error);
    for (const [kind, count] of this.#ignored ?? [])
      if (count > 1) this.warn(`${kind}: ${count - 1} more were ignored.`, count - 1);
  }

  #receive(received: unknown, info: MessageInfo | undefined): void {
    // Some peers write null for absent params.
    const isNull = isObject(received) && received["params"] === null;
    const message: unknown = isNull ? { ...received, params: undefined } : received;
    const { jsonrpc, id, method, result, error } = isObject(message) ? message : ({} as JsonObject);
    if (method === undefined && (result !== undefined || error !== undefined)) {
      if (!this.calls?.answer(message as JsonObject) && (id === undefined || id === null))
        this.report(new ValidationError(`The peer: ${shown(error ?? message, 1000)}`));
      return;
    }
    const isNotification = id === undefined && typeof method === "string";
    if (jsonrpc === "2.0" && typeof method === "string") {
      try {
        if (isNotification) {
          const { params } = message as WireNotification;
          if (params === undefined || isObject(params))
            return this.notifications?.notification(message as WireNotification);
          // A notification with invalid params is dropped and reported (JRPC-20).
          return this.report(new ValidationError(`${method}: params: expected an object.`));
        }
        if (isId(id) && this.requests) return this.requests.request(message as WireRequest, info);
      } catch (cause) {
        return this.report(cause, method);
      }
    }
    // A connection without a receiver does not answer a request (JRPC-14).
    const isRequest = jsonrpc === "2.0" && typeof method === "string" && isId(id);
    const text = `${isRequest ? "Unexpected request" : "Not a message"}: ${shown(message)}.`;
    const reply = isNotification ? undefined : rpcError("INVALID_REQUEST", "Invalid message");
    this.#refuse(text, reply, isId(id) ? id : undefined);
  }

  /**
   * Reports input that is not a message; a server answers it with `error`. A client warns of the first input of each kind, which is the
   * text before ": ", and counts the others.
   */
  #refuse(text: string, error: McpError | undefined, id?: RequestId): void {
    const { requests } = this;
    if (requests?.refuse) {
      this.report(new ValidationError(text));
      if (error) requests.refuse(id, error);
      return;
    }
    const ignored = (this.#ignored ??= new Map<string, number>());
    const [first = ""] = text.split(": ");
    const kind = ignored.has(first) || ignored.size < 20 ? first : "Other input";
    const count = ignored.get(kind) ?? 0;
    ignored.set(kind, count + 1);
    if (count === 0) this.warn(text, 1);
  }
}
