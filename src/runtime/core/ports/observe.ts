import type { RequestId } from "../message.js";
import type { Reporting } from "../report.js";
import type { JsonObject } from "../../../common/object.js";
import type { SideTable } from "../tables.js";
import type { MessageInfo, Transport } from "./transport.js";

/**
 * What is known of a request when it begins. All of a received one but
 * `principal` and `session` is text of the other side.
 */
export interface ObservedRequest {
  /** `sent`: this side waits for the answer. `received`: this side answers. */
  readonly direction: "sent" | "received";
  readonly method: string;
  /** The tool or prompt that the params name, or the URI of the resource. */
  readonly name: string | undefined;
  /** The id of the request; the key of a question that is inside a result. */
  readonly id: RequestId | undefined;
  /** The caller, on a server that knows it. */
  readonly principal: string | undefined;
  readonly params: JsonObject | undefined;
  /**
   * The `_meta` of the params, such as a trace context; an empty object without
   * one.
   */
  readonly meta: JsonObject;
  /**
   * The session, on a server over HTTP that has sessions: its id, or in a
   * cluster a key that all processes share and that gives no access.
   */
  readonly session: string | undefined;
  /** The id of the task whose work begins. Its request was answered before. */
  readonly taskId: string | undefined;
  readonly carrier: Transport["carrier"];
  /** The URL of the server, on a client over HTTP. */
  readonly address: string | undefined;
}

/** How a request ended. */
export interface RequestOutcome {
  /**
   * `tool_error`: the result of a tool that failed. `error`: any error but a
   * timeout. `cancelled`: the caller gave up or disconnected, and nobody gets
   * the answer.
   */
  readonly kind: "ok" | "tool_error" | "error" | "cancelled" | "timeout";
  /** The time since the request began. */
  readonly milliseconds: number;
  /**
   * The revision of the request; undefined if it has no such method, or none
   * was agreed on.
   */
  readonly revision: string | undefined;
  /**
   * Aborts when the session of the request ends; undefined without a session.
   */
  readonly sessionEnd: AbortSignal | undefined;
  /** The result, of `ok` and `tool_error`. */
  readonly result: unknown;
  /** The reason of any other outcome. */
  readonly error: unknown;
  /** The code of an error of JSON-RPC, if the answer is one. */
  readonly code: number | undefined;
}

/** What follows from a request that began. All members are optional. */
export interface Observation {
  /** Members to add to the `_meta` of a request that is sent. */
  readonly meta?: JsonObject | undefined;
  /** Called once, when the request has ended. */
  end?(outcome: RequestOutcome): void;
  /**
   * Runs the work of the request, such as its handler, in a context of
   * `AsyncLocalStorage`. It calls `work` at once.
   */
  run?(work: () => void): void;
}

/** Called when a request begins. */
export type Observe = (request: ObservedRequest) => Observation | void;

/** A request that is observed. */
export interface Observed {
  /** Members to add to the `_meta` of the request. */
  readonly meta: JsonObject | undefined;
  /** Runs the work at once. */
  inside<T>(work: () => T): Promise<Awaited<T>>;
  /** Ends the observation; only the first call counts. */
  end(result: unknown, error?: unknown, isCancelled?: boolean): void;
  /**
   * Sends the request with `send`, which gets the options with what the
   * observer adds, and ends the observation with its outcome.
   */
  send<Options extends SendingOptions>(
    options: Options,
    send: (options: Options) => Promise<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** What an observer adds to the options of a request. */
interface SendingOptions {
  readonly meta?: JsonObject | undefined;
  readonly accept?:
    ((method: string, result: JsonObject) => unknown) | undefined;
}

/** The part of a connection that an observer reads. */
export interface ObservedConnection {
  readonly reporting: Observing;
  readonly transport: Transport;
  readonly closeSignal: AbortSignal;
}

/** What one side knows of a request; `side` may be set later. */
export interface ObservedSource {
  readonly id: RequestId | undefined;
  readonly method: string | undefined;
  readonly info?: MessageInfo | undefined;
  readonly side: SideTable | undefined;
}

/** Observes requests: `observer` makes one. Only this package calls it. */
export type Observer = (
  connection: ObservedConnection,
  direction: ObservedRequest["direction"],
  source: ObservedSource,
  params: unknown,
  taskId?: string,
) => Observed;

/** Handlers of errors, warnings and requests. */
export interface Observing extends Reporting {
  /**
   * Observes each request, sent or received, also questions to the client and
   * the work of tasks: `observer((request) => …)`. None by default.
   */
  readonly observe?: Observer | undefined;
}
