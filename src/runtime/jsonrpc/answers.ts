import { McpError, rpcError } from "../errors.js";
import type { MessageInfo, RequestId } from "../transport/transport.js";
import type { Answerer, Connection } from "./connection.js";
import { Exchange, isThenable } from "./exchange.js";
import type { WireRequest } from "./message.js";

/** Answers a request: returns or resolves with a result; an error that is thrown becomes the answer. */
export type Answer = (message: WireRequest, exchange: Exchange) => unknown;

/** Answers the peer's requests, each once. */
export class Answers implements Answerer {
  readonly connection: Connection;
  protected readonly open: Map<RequestId, Exchange> = new Map<RequestId, Exchange>();
  readonly #answer: Answer;
  readonly #maxOpen: number;

  constructor(connection: Connection, answer: Answer, maxOpen: number = Infinity) {
    this.#maxOpen = maxOpen;
    this.connection = connection;
    this.#answer = answer;
    connection.answerer = this;
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
    const exchange = new Exchange(id, info);
    this.open.set(id, exchange);
    try {
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
      connection.send({ jsonrpc: "2.0", ...reply }, id);
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
    const { id } = exchange;
    try {
      this.connection.send({ jsonrpc: "2.0", id, result: result ?? {} }, id);
    } catch (error) {
      return this.#fail(exchange, error);
    }
    this.finish(exchange);
  }

  #fail(exchange: Exchange, reason: unknown): void {
    if (exchange.over) return;
    const { connection } = this;
    const error = McpError.from(reason);
    if (error !== reason) connection.report(reason);
    this.refuse(exchange.id, error);
    this.finish(exchange);
  }
}
