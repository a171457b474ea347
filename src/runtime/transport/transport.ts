import type { RequestId } from "../message.js";
import type { CallerHeaders, SessionBinding } from "./binding.js";

/** Who sent a message, as far as the transport knows. */
export interface Auth {
  /** Identifies the caller; nothing that one principal received is sent to another. */
  readonly principal?: string;
  readonly [claim: string]: unknown;
}

/** What the transport knows about a message beside its content. */
export interface MessageInfo {
  readonly auth?: Auth | undefined;
  /** The length of the message, in bytes; for a batch, of the whole batch. */
  readonly bytes?: number;
  /** The message belongs to no session. */
  readonly isStateless?: true;
  /** Closes the connection of the client, which comes back for the answer. Absent where a client cannot come back. */
  release?(retryMs?: number): void;
}

/** Bounds of a transport. */
export interface MessageLimits {
  /** Longest message, in bytes; 64 MiB by default. */
  readonly messageBytes?: number | undefined;
}

/** How to send one message. */
export interface SendOptions {
  /** The headers of the caller, as `binding.caller` resolved them; without them, a transport with headers resolves them itself. */
  readonly caller?: CallerHeaders | undefined;
  /** The request that the message answers or belongs to; a transport with one stream per request chooses the stream by it. */
  readonly inReplyTo?: RequestId | undefined;
  /** The parts of the message that a transport with headers repeats in them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The events of a transport. All come after `start` and none after `closed`. */
export interface Receiver {
  /** Receives one JSON value: a message, or an array of messages. */
  message(message: unknown, info?: MessageInfo): void;
  /** Reports input that is not JSON, or is too long. The transport stays open. */
  malformed(error: Error, info?: MessageInfo): void;
  /** Rejects the pending request `id`, or all of them if undefined. The transport stays open. Absent on a side that sends no requests. */
  lost?(id: RequestId | undefined, error: Error): void;
  /** The peer identifies this client differently from now on, for example after a new sign-in. */
  renewed?(): void;
  /** Reports an error that rejects no call. The transport stays open. */
  report?(error: Error): void;
  /** The peer sends nothing more, but still reads. */
  ended(): void;
  /** The transport is closed; the error says why, unless either side closed it in good order. */
  closed(error?: Error): void;
}

/**
 * Carries JSON values to one peer and back, in order. Knows framing, never meaning. A transport of one's own needs `start`, `send` and
 * `close`; its documentation should say what this contract leaves to it (specification: Transports, Custom Transports).
 *
 * - Connections: `start` opens one, which lasts until `close` or until the transport calls `receiver.closed`. A handshake, where the
 *   revision has one, goes over it like other messages; without one, each request says what it needs in `_meta`.
 * - Messages: each value is one JSON-RPC message, sent unchanged; in revisions with batches, an array of them. Both sides may send at
 *   any time. A stream of bytes frames them as stdio does: UTF-8, one message per line, ended by "\n".
 * - Cancellation: a `notifications/cancelled` goes over the connection, unless the transport has `cancel`. When the connection ends, all
 *   open requests end.
 * - Authentication: the transport does it before it delivers, and names the caller in `info.auth` of each message.
 */
export interface Transport {
  /** Opens the transport and begins to deliver. Rejects with a `TransportError` when the peer cannot be reached. */
  start(receiver: Receiver): Promise<void> | void;
  /**
   * Sends one message. The promise, if any, resolves once there is room for more, not once the peer has read the message. Throws a
   * `TransportError` when the transport is closed or cannot reach this peer, a `TypeError` when the message is not JSON.
   */
  send(message: unknown, options?: SendOptions): Promise<void> | void;
  /** Closes the transport after delivering what was sent. Resolves when it is closed; never rejects. */
  close(): Promise<void>;
  /** What ties sessions to this transport beyond framing, as with HTTP; absent on a plain carrier of messages. */
  readonly binding?: SessionBinding;
  /** Cancels a request by closing the stream of its answer. Absent where a request has no such stream. */
  cancel?(id: RequestId): void;
  /** Frees what is kept for the answer to a request of the peer, since none will be sent. Absent where nothing is kept. */
  drop?(id: RequestId): void;
  /**
   * Returns a new transport to the same peer, not yet started. `reason` is the error that ended this one. Absent where the peer cannot be
   * reached a second time.
   */
  again?(reason?: Error): Transport;
}
