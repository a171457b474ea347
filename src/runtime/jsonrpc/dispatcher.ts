import { type McpError, rpcError } from "../errors.js";
import type { MessageInfo } from "../transport/transport.js";
import type { RequestReceiver, Connection } from "./connection.js";
import { Exchange, isThenable } from "./exchange.js";
import { sentError } from "./failure.js";
import type { ServerLimits } from "./limits.js";
import { isObject, type RequestId, type WireRequest } from "../message.js";
import { within } from "../timing.js";

/** Answers a request: returns or resolves with a result; an error that is thrown becomes the answer. */
export type RequestHandler = (message: WireRequest, exchange: Exchange) => unknown;

/** Answers the peer's requests, each once. */
export class RequestDispatcher implements RequestReceiver {
  readonly connection: Connection;
  protected readonly open: Map<RequestId, Exchange> = new Map<RequestId, Exchange>();
  readonly #answer: RequestHandler;
  readonly #maxOpen: number;

  constructor(connection: Connection, answer: RequestHandler, maxOpen: number = Infinity) {
    this.#maxOpen = maxOpen;
    this.connection = connection;
    this.#answer = answer;
    connection.requests = this;
  }

  request(message: WireRequest, info: MessageInfo | undefined): void {
    const { id } = message;
    // JRPC-04
    if (this.open.has(id)) {
      return this.refuse(id, rpcError("INVALID_REQUEST", "The id is in use."));
    }
    if (this.open.size >= this.#maxOpen) {
      return this.refuse(id, rpcError("INTERNAL_ERROR", "Too many requests."));
    }
    const exchange = new Exchange(id, info, message.method);
    this.open.set(id, exchange);
    try {
      const { method, params } = message;
      // JRPC-20
      if (params !== undefined && !isObject(params)) {
        throw rpcError("INVALID_PARAMS", `${method}: params: expected an object.`);
      }
      const result = this.#answer(message, exchange);
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

  refuse(id: RequestId | undefined, { code, message, data }: McpError): void {
    const error = { code, message, data };
    const { connection } = this;
    // JRPC-07: the id is missing, or null, only where it could not be read.
    const reply = id === undefined && connection.idlessErrors ? { error } : { id: id ?? null, error };
    try {
      connection.send({ jsonrpc: "2.0", ...reply }, { inReplyTo: id });
    } catch (failure) {
      connection.report(failure);
    }
  }

  /** CANC-03, CANC-04: the peer no longer wants an answer; an id that is not open is ignored. */
  cancel(id: unknown, reason: unknown): void {
    const exchange = this.open.get(id as RequestId);
    if (!exchange) return;
    exchange.abort(new DOMException(String(reason ?? "The request was cancelled."), "AbortError"));
    this.finish(exchange);
    this.connection.transport.drop?.(exchange.id as RequestId);
  }

  closed(reason: Error): void {
    for (const exchange of this.open.values()) exchange.abort(reason);
    this.open.clear();
  }

  protected finish(exchange: Exchange): void {
    exchange.over = true;
    this.open.delete(exchange.id as RequestId);
  }

  #reply(exchange: Exchange, result: unknown): void {
    if (exchange.over) return;
    const { id, accept } = exchange;
    exchange.flush?.();
    try {
      const sent = (accept ? accept(result) : result) ?? {};
      this.connection.send({ jsonrpc: "2.0", id, result: sent }, { inReplyTo: id });
    } catch (error) {
      return this.#fail(exchange, error);
    }
    this.finish(exchange);
  }

  #fail(exchange: Exchange, reason: unknown): void {
    if (exchange.over) return;
    exchange.flush?.();
    const error = sentError(reason, exchange.side, exchange.method, this.connection.reporting);
    exchange.failed?.(error);
    this.refuse(exchange.id, error);
    this.finish(exchange);
  }
}

/** How a server bounds and ends its work. */
export interface DispatchOptions {
  readonly limits?: ServerLimits | undefined;
  /** How long answers may still take once the client sends nothing more, or the server closes, in milliseconds; 1,000 by default. */
  readonly drainTime?: number | undefined;
}

/** A server's answers: bounded, and given to the end when a client stops asking. */
export class ServerDispatcher extends RequestDispatcher {
  readonly #options: DispatchOptions;
  readonly #queue: { readonly exchange: Exchange; start(): void }[] = [];
  #busy = 0;
  /** The work on notifications, which nobody waits for. */
  readonly #loose = new Set<Exchange>();
  #drained: (() => void) | undefined;

  constructor(connection: Connection, answer: RequestHandler, options: DispatchOptions) {
    super(connection, answer);
    this.#options = options;
  }

  /** Does the work at once, or when its turn comes, or never if it was cancelled by then. Throws when there is no room. */
  whenFree(exchange: Exchange, work: () => unknown): unknown {
    const { inFlight = 256, queue = 1024 } = this.#options.limits ?? {};
    if (this.#busy < inFlight) {
      this.#busy++;
      exchange.busy = true;
      return work();
    }
    if (this.#queue.length >= queue) {
      throw rpcError("INTERNAL_ERROR", "Too many requests.");
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        try {
          resolve(this.whenFree(exchange, work));
        } catch (error) {
          reject(error);
        }
      };
      this.#queue.push({ exchange, start });
    });
  }

  /** Does work that ends with the connection, and reports how it fails. */
  work(method: string, task: (exchange: Exchange) => unknown): void {
    const exchange = new Exchange(undefined, undefined, method);
    this.#loose.add(exchange);
    new Promise((resolve) => resolve(task(exchange)))
      .catch((error: unknown) => this.connection.report(error, method))
      .finally(() => this.#loose.delete(exchange));
  }

  /** STDIO-09: what was asked is answered, if that does not take long. */
  ended(): void {
    void this.drain();
  }

  /** Closes the connection once nothing is left to be answered, or after a while. */
  async drain(): Promise<void> {
    if (this.open.size > 0) {
      const drained = new Promise<void>((resolve) => (this.#drained = resolve));
      await within(this.#options.drainTime ?? 1000, drained);
    }
    await this.connection.close();
  }

  override closed(reason: Error): void {
    this.#drained?.();
    for (const exchange of this.#loose) exchange.abort(reason);
    super.closed(reason);
  }

  protected override finish(exchange: Exchange): void {
    super.finish(exchange);
    if (exchange.busy) {
      this.#busy--;
      let next = this.#queue.shift();
      while (next?.exchange.over) next = this.#queue.shift();
      next?.start();
    }
    if (this.open.size === 0) this.#drained?.();
  }
}
