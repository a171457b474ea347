import { invalidAt, McpError, rpcError } from "../errors.js";
import { jsonText, report, type Reporting, warn } from "../report.js";
import type { RequestRow, SideTable } from "../tables.js";
import type { MessageInfo } from "../ports/transport.js";
import type { RequestReceiver, Connection } from "./connection.js";
import { IdMap, type RequestId, type WireRequest } from "../message.js";
import type { ServerLimits } from "./limits.js";
import type {
  Observed,
  ObservedConnection,
  ObservedSource,
} from "../ports/observe.js";
import { isObject } from "../../../common/object.js";
import { isThenable, withTimeout } from "../../../common/timing.js";

/** One request of the peer while it is being answered. */
export class Exchange {
  /** Undefined for a notification. */
  readonly id: RequestId | undefined;
  readonly info: MessageInfo | undefined;
  /** The wire method, for reports. */
  readonly method: string | undefined;
  /**
   * True once the request is answered, cancelled or disconnected: nothing more
   * may be sent for it.
   */
  ended = false;
  /** True while its handler runs; false while it waits in the queue. */
  busy = false;
  /** The tables of the revision of this request, once it is known. */
  side: SideTable | undefined;
  /**
   * What completes the result before it is sent, as one of this row; undefined
   * if the answerer returns it as it is sent.
   */
  completer: Completer | undefined;
  row: RequestRow | undefined;
  /** The client that the completer completes the result for. */
  client: unknown;
  /**
   * Sends the notifications that were held back and must precede the answer.
   */
  flush: (() => void) | undefined;
  /** Undefined without an observer. */
  observed: Observed | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(
    id: RequestId | undefined,
    info: MessageInfo | undefined,
    method?: string,
  ) {
    this.id = id;
    this.info = info;
    this.method = method;
  }

  /**
   * Aborts when the peer cancels or disconnects. Created on first use, because
   * most handlers do not use it.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Ends the request without an answer. */
  abort(reason: unknown): void {
    this.ended = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.observed?.end(undefined, reason, true);
  }
}

/**
 * Completes results after the handler: done by the answerer itself, it would
 * take one more promise, which costs as much as the check.
 */
interface Completer {
  /**
   * The result as it is sent. Throws the error to send instead if it does not
   * match its type.
   */
  complete(row: RequestRow, value: unknown, client: unknown): unknown;
  /** Called with the error that is sent as the answer. */
  failed?(error: McpError): void;
}

/**
 * Answers a request: returns or resolves with the result, and throws or rejects
 * with the error to send.
 */
export interface Answerer {
  request(message: WireRequest, exchange: Exchange): unknown;
  /**
   * Answers the requests that stay open until somebody ends them: streams of
   * notifications.
   */
  endStreams?(): void;
}

/** Answers each of the peer's requests once. */
export class RequestDispatcher implements RequestReceiver {
  readonly connection: Connection;
  readonly open: IdMap<Exchange> = new IdMap<Exchange>();
  readonly #maxOpen: number;
  /** Set before the first request. */
  answerer!: Answerer;

  constructor(connection: Connection, maxOpen: number = Infinity) {
    this.#maxOpen = maxOpen;
    this.connection = connection;
    connection.requests = this;
  }

  request(message: WireRequest, info: MessageInfo | undefined): void {
    const { id } = message;
    // Two open requests cannot have the same id (JRPC-04).
    if (this.open.get(id)) {
      return this.refuse(id, rpcError("INVALID_REQUEST", "The id is in use."));
    }
    if (this.open.size >= this.#maxOpen) {
      return this.refuse(id, rpcError("INTERNAL_ERROR", "Too many requests."));
    }
    const exchange = new Exchange(id, info, message.method);
    this.open.set(id, exchange);
    const { connection } = this;
    const { observe } = connection.reporting;
    if (!observe || info?.isRepeated) return this.#answer(message, exchange);
    exchange.observed = observe(
      connection,
      "received",
      exchange,
      message.params,
    );
    const onError = (error: unknown): void =>
      connection.report(error, message.method);
    exchange.observed
      .inside(() => this.#answer(message, exchange))
      .catch(onError);
  }

  #answer(message: WireRequest, exchange: Exchange): void {
    try {
      const { method, params } = message;
      // Params are an object (JRPC-20).
      if (params !== undefined && !isObject(params)) {
        throw rpcError(
          "INVALID_PARAMS",
          `${method}: params: expected an object.`,
        );
      }
      const result = this.answerer.request(message, exchange);
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
    // The id is omitted or null only if it could not be read (JRPC-07).
    const reply =
      id === undefined && connection.rules.idlessErrors
        ? { error }
        : { id: id ?? null, error };
    try {
      connection.send({ jsonrpc: "2.0", ...reply }, { inReplyTo: id });
    } catch (cause) {
      connection.report(cause);
    }
  }

  /**
   * Aborts a request that the peer cancelled; no answer is sent (CANC-03).
   * Ignores an id that is not open (CANC-04).
   */
  cancel(id: unknown, reason: unknown): void {
    const exchange = this.open.get(id as RequestId);
    if (!exchange) return;
    exchange.abort(
      new DOMException(
        String(reason ?? "The request was cancelled."),
        "AbortError",
      ),
    );
    this.endRequest(exchange);
    this.connection.transport.drop?.(exchange.id as RequestId);
  }

  closed(reason: Error): void {
    for (const id of this.open.ids()) this.open.take(id)?.abort(reason);
  }

  protected endRequest(exchange: Exchange): void {
    exchange.ended = true;
    this.open.take(exchange.id as RequestId);
  }

  #reply(exchange: Exchange, result: unknown): void {
    if (exchange.ended) return;
    const { id, completer, row, client } = exchange;
    exchange.flush?.();
    try {
      const value =
        (row && completer ? completer.complete(row, result, client) : result) ??
        {};
      this.connection.send(
        { jsonrpc: "2.0", id, result: value },
        { inReplyTo: id },
      );
      exchange.observed?.end(value);
    } catch (error) {
      return this.#fail(exchange, error);
    }
    this.endRequest(exchange);
  }

  #fail(exchange: Exchange, reason: unknown): void {
    if (exchange.ended) return;
    exchange.flush?.();
    const error = errorToSend(
      reason,
      exchange.side,
      exchange.method,
      this.connection.reporting,
    );
    exchange.completer?.failed?.(error);
    this.refuse(exchange.id, error);
    exchange.observed?.end(undefined, error);
    this.endRequest(exchange);
  }
}

/**
 * In milliseconds: half of the 10 seconds after which Docker and others kill a
 * process that was told to end.
 */
export const defaultDrainTime = 5000;

/** Limits of a server's work, and how it ends. */
interface DispatchOptions {
  readonly limits?: ServerLimits | undefined;
  /**
   * How long open requests may still take after the client stops sending or the
   * server closes, in milliseconds; 5,000 by default.
   */
  readonly drainTime?: number | undefined;
}

/**
 * Answers requests on a server, within limits. Open requests are answered after
 * the client stops sending.
 */
export class ServerDispatcher extends RequestDispatcher {
  readonly #options: DispatchOptions;
  /** The requests that wait for another one to end. */
  #queue: { readonly exchange: Exchange; start(): void }[] | undefined;
  #busy = 0;
  /** Handlers of notifications that are running. */
  #background: Set<Exchange> | undefined;
  #drained: (() => void) | undefined;

  constructor(connection: Connection, options: DispatchOptions) {
    super(connection);
    this.#options = options;
  }

  /**
   * Runs the work now, or later if `limits.inFlight` requests are running; four
   * times as many wait. A request that is cancelled in the queue does not run.
   * Throws an `McpError` if the queue is full.
   */
  whenFree(exchange: Exchange, work: () => unknown): unknown {
    const { inFlight = 256 } = this.#options.limits ?? {};
    if (this.#busy < inFlight) {
      this.#busy++;
      exchange.busy = true;
      return work();
    }
    const queue = (this.#queue ??= []);
    if (queue.length >= inFlight * 4) {
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
      // It starts while another request ends.
      const { observed } = exchange;
      queue.push({
        exchange,
        start: observed ? () => void observed.inside(start) : start,
      });
    });
  }

  /**
   * Runs work that no request waits for, and reports its error. The work is
   * aborted when the connection closes.
   */
  work(method: string, task: (exchange: Exchange) => unknown): void {
    const exchange = new Exchange(undefined, undefined, method);
    const background = (this.#background ??= new Set());
    background.add(exchange);
    new Promise((resolve) => resolve(task(exchange)))
      .catch((error: unknown) => this.connection.report(error, method))
      .finally(() => background.delete(exchange));
  }

  /** Answers the open requests within `drainTime`, then closes (STDIO-09). */
  ended(): void {
    void this.drain();
  }

  /**
   * Ends streams of notifications, and closes the connection once all open
   * requests are answered, or after `drainTime`.
   */
  async drain(): Promise<void> {
    this.answerer.endStreams?.();
    if (this.open.size > 0) {
      const drained = new Promise<void>((resolve) => (this.#drained = resolve));
      await withTimeout(this.#options.drainTime ?? defaultDrainTime, drained);
    }
    await this.connection.close();
  }

  override closed(reason: Error): void {
    this.#drained?.();
    for (const exchange of this.#background ?? []) exchange.abort(reason);
    super.closed(reason);
  }

  protected override endRequest(exchange: Exchange): void {
    super.endRequest(exchange);
    if (exchange.busy) {
      this.#busy--;
      let next = this.#queue?.shift();
      while (next?.exchange.ended) next = this.#queue?.shift();
      next?.start();
    }
    if (this.open.size === 0) this.#drained?.();
  }
}

const advice = "Use a positive code, or one below -32768.";

/**
 * The error to send for any thrown value. Reports a value that is not sent as
 * it is, or that cannot be sent.
 */
export function errorToSend(
  reason: unknown,
  side: SideTable | undefined,
  method: string | undefined,
  to: Reporting,
): McpError {
  const error = McpError.from(reason);
  if (error.cause === reason) report(to, reason, method);
  const issue = issueOf(error, side);
  if (issue) {
    issue.cause = error;
    report(to, issue, method);
    return rpcError("INTERNAL_ERROR", "Internal error");
  }
  const {
    errors = {},
    opening,
    replacedCodes,
    revision,
  } = side?.revision ?? {};
  const { code } = error;
  // Clients repeat a request after this code, and only the transport compares
  // headers.
  if (code === errors["HEADER_MISMATCH"]) {
    report(to, error, method);
    return rpcError("INTERNAL_ERROR", "Internal error");
  }
  const [, , replacement] =
    replacedCodes?.find(([from, last]) => code >= from && code <= last) ?? [];
  const isDefined = Object.values(errors).includes(code);
  // Older revisions leave these codes to implementations (JRPC-18).
  const isVague =
    opening === "per-request" &&
    replacement === undefined &&
    code <= -32000 &&
    code >= -32019;
  if (isVague && !isDefined)
    warn(
      to,
      `${method}: the error ${code} has other meanings in other programs. ${advice}`,
    );
  if (replacement === undefined || replacement === code || isDefined)
    return error;
  // The revision reserves this code and does not define it (JRPC-15).
  warn(
    to,
    `${method}: the error ${code} is sent as ${replacement}, because revision ${revision} does not allow it.`,
  );
  return new McpError(replacement, error.message, error.data);
}

/** Why an error cannot be sent; undefined if it can (JRPC-15). */
function issueOf(
  { code, message, data }: McpError,
  side: SideTable | undefined,
): Error | undefined {
  const text = data === undefined ? "" : jsonText(data);
  if (
    text === undefined ||
    !Number.isInteger(code) ||
    typeof message !== "string"
  )
    return new TypeError(
      "An McpError needs an integer code, a string message, and data that is JSON.",
    );
  const guard = side?.failures?.[code];
  const answer = guard && {
    jsonrpc: "2.0",
    error: { code, message, data: text && JSON.parse(text) },
  };
  if (!answer || guard(answer)) return undefined;
  const { message: expected, path } = side.lastIssue(answer);
  return invalidAt(`The error ${code}`, expected, path ?? []);
}

/**
 * Runs work that no dispatcher answers, that of a question inside a result or
 * of a task, and lets the observer see it.
 */
export async function observeWork<T>(
  connection: ObservedConnection,
  exchange: ObservedSource & { observed: Observed | undefined },
  params: unknown,
  work: () => T,
  taskId?: string,
): Promise<Awaited<T>> {
  const observed = connection.reporting.observe?.(
    connection,
    "received",
    exchange,
    params,
    taskId,
  );
  if (!observed) return await work();
  exchange.observed = observed;
  try {
    const value = await observed.inside(work);
    observed.end(value);
    return value;
  } catch (error) {
    observed.end(undefined, error);
    throw error;
  }
}
