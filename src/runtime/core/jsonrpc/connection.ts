import {
  endError,
  type McpError,
  rpcError,
  TransportError,
  ValidationError,
} from "../errors.js";
import { printable, report, shown, warn } from "../report.js";
import type { Revision } from "../tables.js";
import type {
  MessageInfo,
  Receiver,
  SendOptions,
  Transport,
} from "../ports/transport.js";
import type { Calls } from "./calls.js";
import type { Limits } from "./limits.js";
import type { Observing } from "../ports/observe.js";
import {
  isId,
  type RequestId,
  type WireNotification,
  type WireRequest,
} from "../message.js";
import { isObject, type JsonObject } from "../../../common/object.js";

/**
 * Handles the peer's requests. A connection without a receiver reports requests
 * and does not answer them.
 */
export interface RequestReceiver {
  request(message: WireRequest, info: MessageInfo | undefined): void;
  /**
   * Answers an invalid message with an error. `id` is undefined if it could not
   * be read.
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
interface ConnectionOptions extends Observing {
  readonly limits?: Limits | undefined;
}

/**
 * The rules before a revision is negotiated. Shared, because a connection is
 * made for each request without a session.
 */
const noRules = { batches: false };

/**
 * Classifies messages, pairs requests of this side with responses, and passes
 * requests and notifications on.
 */
export class Connection implements Receiver {
  readonly transport: Transport;
  /**
   * The rules of the negotiated revision: whether arrays of messages are
   * allowed, and errors about unreadable requests have no id (JRPC-07).
   */
  rules: Pick<Revision, "batches" | "idlessErrors"> = noRules;
  requests: RequestReceiver | undefined;
  notifications: NotificationReceiver | undefined;
  onClosed: ((error?: Error) => void) | undefined;
  readonly reporting: ConnectionOptions;
  /**
   * The requests that the peer has not answered yet. `callsOf` creates them,
   * because most servers send no requests.
   */
  calls: Calls | undefined;
  #nextId = 0;
  /** Why the connection is closed; undefined if it is open. */
  closeReason: Error | undefined;
  #closeController: AbortController | undefined;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.transport = transport;
    this.reporting = options;
  }

  /**
   * Aborts when the connection closes. Created on first use, because few
   * handlers use it.
   */
  get closeSignal(): AbortSignal {
    this.#closeController ??= new AbortController();
    if (this.closeReason) this.#closeController.abort(this.closeReason);
    return this.#closeController.signal;
  }

  /**
   * Returns an id that this connection has not used before (JRPC-03). A cluster
   * replaces it with ids that no process has used.
   */
  nextId(): RequestId {
    return this.#nextId++;
  }

  /** Sends a notification. Resolves once the transport has room for more. */
  async notify(
    method: string,
    params: unknown,
    options?: SendOptions,
  ): Promise<void> {
    await this.transport.send({ jsonrpc: "2.0", method, params }, options);
  }

  /** Sends a message without waiting. A transport that fails calls `closed`. */
  send(message: unknown, options: SendOptions): void {
    // A custom transport whose `send` returns `void` may return any value.
    this.transport.send(message, options)?.catch?.(() => {});
  }

  /**
   * Reports an error that no call rejects with. `where` is the method of the
   * request that was being answered.
   */
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
    // Any other array is an invalid message (BATCH-04, BATCH-05).
    if (Array.isArray(message) && this.isBatch(message))
      for (const item of message) this.#receive(item, info);
    else this.#receive(message, info);
  }

  isBatch({ length }: readonly unknown[]): boolean {
    const { batch = 100 } = this.reporting.limits ?? {};
    return this.rules.batches && length > 0 && length <= batch;
  }

  malformed({ message }: Error): void {
    this.refuse(printable(message, 500), rpcError("PARSE_ERROR", message));
  }

  lost(id: RequestId | undefined, error: Error): void {
    this.calls?.reject(id, id === undefined ? endError(error, true) : error);
  }

  ended(): void {
    this.calls?.reject(
      undefined,
      new TransportError("The peer disconnected.", { mayHaveRun: true }),
    );
    this.requests?.ended?.();
  }

  closed(error?: Error): void {
    if (this.closeReason) return;
    this.closeReason = error ?? new TransportError("The connection is closed.");
    this.#closeController?.abort(this.closeReason);
    this.calls?.close(endError(this.closeReason, true));
    this.requests?.closed?.(this.closeReason);
    this.onClosed?.(error);
  }

  #receive(received: unknown, info: MessageInfo | undefined): void {
    // Some peers write null for absent params.
    const isNull = isObject(received) && received["params"] === null;
    const message: unknown = isNull
      ? { ...received, params: undefined }
      : received;
    const { jsonrpc, id, method, result, error } = Object(
      message,
    ) as JsonObject;
    if (method === undefined && (result !== undefined || error !== undefined)) {
      if (
        !this.calls?.answer(message as JsonObject) &&
        (id === undefined || id === null)
      )
        this.report(
          new ValidationError(`The peer: ${shown(error ?? message, 1000)}`),
        );
      return;
    }
    const isNotification = id === undefined && typeof method === "string";
    const isCall = jsonrpc === "2.0" && typeof method === "string";
    if (isCall) {
      try {
        if (isNotification) {
          const { params } = message as WireNotification;
          if (params === undefined || isObject(params))
            return this.notifications?.notification(
              message as WireNotification,
            );
          // A notification with invalid params is dropped and reported
          // (JRPC-20).
          return this.report(
            new ValidationError(`${method}: params: expected an object.`),
          );
        }
        if (isId(id) && this.requests)
          return this.requests.request(message as WireRequest, info);
      } catch (cause) {
        return this.report(cause, method);
      }
    }
    // A connection without a receiver does not answer a request (JRPC-14).
    const text = `${isCall && isId(id) ? "Unexpected request" : "Not a message"}: ${shown(message)}.`;
    const reply = isNotification
      ? undefined
      : rpcError("INVALID_REQUEST", "Invalid message");
    this.refuse(text, reply, isId(id) ? id : undefined);
  }

  /**
   * Reports input that is not a message, and answers it with the error, if any.
   */
  protected refuse(text: string, error?: McpError, id?: RequestId): void {
    this.report(new ValidationError(text));
    if (error) this.requests?.refuse?.(id, error);
  }
}
