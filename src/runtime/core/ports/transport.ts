import type { RequestId } from "../message.js";
import type { JsonObject } from "../../../common/object.js";
import type {
  Revision,
  SideTable,
  NotificationFacts,
  RequestRow,
  RequestFacts,
} from "../tables.js";
import type { SharedSession } from "./cluster.js";

/** The authenticated sender of a message. */
export interface Auth {
  /** Identifies the caller. Data of one principal is never sent to another. */
  readonly principal?: string;
  readonly [claim: string]: unknown;
}

/** The properties of a message besides its content. */
export interface MessageInfo {
  readonly auth?: Auth | undefined;
  /**
   * Identifies the session of the message in logs and traces. It opens no
   * session.
   */
  readonly session?: string | undefined;
  /** The length of the message, in bytes; for a batch, of the whole batch. */
  readonly bytes?: number;
  /** True if the message belongs to no session. */
  readonly isStateless?: true;
  /**
   * True for a message that the client sent before, to another process: an
   * observer does not see it again.
   */
  readonly isRepeated?: true;
  /**
   * Closes the connection of the client, which reconnects for the answer.
   * Absent if a client cannot reconnect.
   */
  release?(retryMs?: number): void;
}

/** Limits of a transport. */
export interface MessageLimits {
  /** Maximum length of a message, in bytes; 64 MiB by default. */
  readonly messageBytes?: number | undefined;
}

/** How to send one message. */
export interface SendOptions {
  /**
   * The headers of the caller, as `caller` of the transport resolved them;
   * without them, a transport with headers resolves them itself.
   */
  readonly caller?: CallerHeaders | undefined;
  /**
   * The request that the message answers or belongs to; a transport with one
   * stream per request chooses the stream by it.
   */
  readonly inReplyTo?: RequestId | undefined;
  /**
   * True for a request that changes nothing, which a transport may send again
   * over a new connection.
   */
  readonly isSafe?: boolean | undefined;
  /** How long the sender of a request waits for the answer, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The parts of the message that a transport with headers repeats in them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * The events of a transport. All come after `start` and none after `closed`.
 */
export interface Receiver {
  /** Receives one JSON value: a message, or an array of messages. */
  message(message: unknown, info?: MessageInfo): void;
  /** True if an array is a batch of messages, not an invalid message. */
  isBatch?(array: readonly unknown[]): boolean;
  /**
   * Reports input that is not JSON, or is too long. The transport stays open. A
   * message such as "A line is not JSON: …" names the kind of input before ":
   * ".
   */
  malformed(error: Error, info?: MessageInfo): void;
  /**
   * Rejects the pending request `id`, or all of them if undefined. The
   * transport stays open. Absent on a side that sends no requests.
   */
  lost?(id: RequestId | undefined, error: Error): void;
  /**
   * The peer identifies this client differently from now on, for example after
   * a new sign-in.
   */
  renewed?(): void;
  /**
   * Stops the timeouts of requests, for example while a person signs in, or
   * continues them.
   */
  paused?(isPaused: boolean): void;
  /** True while the timeouts are stopped. */
  readonly isPaused?: boolean;
  /** Reports an error that rejects no call. The transport stays open. */
  report?(error: Error): void;
  /** Warns of what rejects no call. */
  warn?(message: string): void;
  /** The peer sends nothing more, but still reads. */
  ended(): void;
  /**
   * The transport is closed, with an error unless either side closed it
   * normally.
   */
  closed(error?: Error): void;
}

/**
 * Warns of what a program should change in the params or the result that it
 * sends.
 */
export type Advise = (
  config: { readonly side: SideTable; readonly capabilities: JsonObject },
  method: string,
  value: unknown,
  warn: (text: string) => void,
) => void;

/**
 * Carries JSON values to one peer and back, in order. It implements framing,
 * independently of the meaning of messages. A custom transport implements
 * `start`, `send` and `close`; the other members are features that few carriers
 * have. It documents how it connects and exchanges messages (specification:
 * Transports, "Custom Transports").
 *
 * - Connections: `start` opens one, which lasts until `close` or until the
 *   transport calls `receiver.closed`. The messages of `initialize` are sent
 *   like any others.
 * - Messages: each value is one JSON-RPC message, sent unchanged; in revisions
 *   with batches, an array of them. Both sides may send at any time. A stream
 *   of bytes frames them as stdio does: UTF-8, one message per line, ended by
 *   "\n".
 * - Cancellation: a `notifications/cancelled` is sent, unless the transport has
 *   `cancel`. When the connection ends, all open requests end.
 * - Authentication: the transport authenticates before it delivers a message,
 *   and names the caller in `info.auth`.
 */
export interface Transport {
  /**
   * Opens the transport and begins to deliver. Rejects with a `TransportError`
   * when the peer cannot be reached, or when `close` is called before the
   * transport is open. The transports of this package throw a `TypeError` at a
   * second call.
   */
  start(receiver: Receiver): Promise<void> | void;
  /**
   * Sends one message. The promise, if any, resolves once there is room for
   * more, not once the peer has read the message. Throws a `TransportError`
   * when the transport is closed or cannot reach this peer, a `TypeError` when
   * the message is not JSON.
   */
  send(message: unknown, options?: SendOptions): Promise<void> | void;
  /**
   * Closes the transport after delivering what was sent. Resolves when it is
   * closed; never rejects.
   */
  close(): Promise<void>;
  /**
   * Cancels a request by closing its stream. Absent if requests have no
   * streams.
   */
  cancel?(id: RequestId): void;
  /**
   * Frees the resources of a request of the peer that will not be answered.
   * Absent if there are none.
   */
  drop?(id: RequestId): void;
  /**
   * Returns a new transport to the same peer, not yet started. `reason` is the
   * error that ended this one. Absent if the peer cannot be reached again.
   */
  reconnect?(reason?: Error): Transport;
  /**
   * What carries the messages: a pipe, as on stdio, or a protocol. Traces show
   * it. Over a protocol, a caller without `info.auth` may not use what has
   * scopes.
   */
  readonly carrier?: "pipe" | "http" | "websocket" | undefined;
  /** Checks what is sent, for a program in development; `memoryPair` has it. */
  readonly advise?: Advise;
  // The members below are of HTTP, which has a status for each request,
  // headers, and sessions of its own.
  /**
   * True if each request gets at least a status, so that a missing answer does
   * not suggest a legacy server.
   */
  readonly answersEach?: true;
  /**
   * True if each request has its own stream of messages from the server, which
   * ends with the answer.
   */
  readonly endsWithAnswer?: true;
  /**
   * Which parts of messages headers repeat, and which messages may be sent
   * twice; absent on a transport without headers.
   */
  readonly headerPolicy?: HeaderPolicy;
  /**
   * Opens a new session after the server lost it; absent if the connection is
   * the session.
   */
  readonly renewal?: Renewal;
  /** Capabilities that the client declares because of this transport. */
  readonly capabilities?: JsonObject | undefined;
  /** The session of this transport, if other processes have it too. */
  readonly shared?: SharedSession | undefined;
  /** The permanent address of the peer, if it has one. */
  readonly address?: string;
  /**
   * Sets the revision whose headers are sent and expected. `isAgreed` is true
   * once the revision is negotiated.
   */
  useRevision?(revision: Revision, isAgreed: boolean): void;
  /**
   * Resolves the user's headers for the next request, which identify the
   * caller; absent if there are none. Calls `receiver.renewed` first if the
   * transport authorizes this client by another grant than before.
   */
  caller?(): CallerHeaders | Promise<CallerHeaders>;
}

/** The headers that the user of a client sets, by lower-case name. */
export type CallerHeaders = Readonly<Record<string, string>>;

/**
 * How HTTP sends messages: with headers that repeat parts of them, as the
 * revision and the listed tools require, and which of them twice.
 */
export interface HeaderPolicy {
  /**
   * The headers of a message, and whether it may be sent twice. Throws a
   * `ValidationError` for a value that a header cannot hold.
   */
  options(
    revision: Revision,
    facts: RequestFacts | NotificationFacts,
    params: JsonObject | undefined,
  ): Pick<SendOptions, "headers" | "isSafe">;
  /**
   * Reads what listed tools say about their calls. Removes tools with invalid
   * headers from the list and calls `onWarning`.
   */
  learn(
    revision: Revision,
    facts: RequestFacts,
    result: JsonObject,
    onWarning: (reason: string) => void,
  ): JsonObject;
  /**
   * Sends a request with `ask`. If the server rejects its headers, reads the
   * list again and repeats the request once.
   */
  call(
    side: SideTable,
    row: RequestRow,
    params: JsonObject | undefined,
    ask: Ask,
  ): Promise<unknown>;
}

/** Continues calls after the peer lost their session. */
export interface Renewal {
  /**
   * Sends a request. If the peer rejects it because of a lost session, calls
   * `reopen`, sets again what the old session had, with other options than those
   * of the request, and repeats it once.
   */
  call(
    method: string,
    params: JsonObject | undefined,
    send: (options?: object) => Promise<unknown>,
    reopen: () => Promise<void>,
  ): Promise<unknown>;
}

/** Sends one request and resolves with its result. */
export type Ask = (
  row: RequestRow,
  params: JsonObject | undefined,
) => Promise<unknown>;
