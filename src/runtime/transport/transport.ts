import type { JsonObject, RequestId } from "../message.js";
import type { NotificationFacts, OutgoingRequest, RequestFacts, Revision, SideTable } from "../tables.js";

/** Who sent a message, as far as its carrier knows. */
export interface Auth {
  /** Names the caller; what one principal was told never answers another. */
  readonly principal?: string;
  readonly [claim: string]: unknown;
}

/** What the carrier knows of a message beside the message. */
export interface MessageInfo {
  readonly auth?: Auth | undefined;
  /** The length of the message, in bytes; of a batch, that of all of it. */
  readonly bytes?: number;
  /** The message stands alone, with no session around it. */
  readonly isAlone?: true;
  /** Lets the client's connection go; the answer waits until it comes back. Absent where it could not come back. */
  release?(retryMs?: number): void;
}

/** Bounds of a carrier of messages. */
export interface MessageLimits {
  /** Longest message, in bytes; 64 MiB by default. */
  readonly messageBytes?: number | undefined;
}

/** The headers that a client's user sets, by names in lower case. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** How to send one message. */
export interface SendOptions {
  /** The headers of the caller, resolved before by `caller`; a transport that has headers resolves them itself without these. */
  readonly caller?: CallerHeaders | undefined;
  /** The request that the message answers or belongs to; a carrier with one stream per request picks by it. */
  readonly inReplyTo?: RequestId | undefined;
  /** What a carrier with headers repeats of the message in them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a transport tells the layer above. All calls come after `start` and none after `closed`. */
export interface Receiver {
  /** One JSON value came: a message, or an array of them. */
  message(message: unknown, info?: MessageInfo): void;
  /** Something came that is not JSON, or is too long; the carrier goes on. */
  malformed(error: Error, info?: MessageInfo): void;
  /** The answer to one of our requests, or to any without an id, will not come; the carrier goes on. Absent where nothing is asked. */
  lost?(id: RequestId | undefined, error: Error): void;
  /** The peer takes us for somebody else from now on. */
  renewed?(): void;
  /** Something failed that nobody waits for; the carrier goes on. */
  report?(error: Error): void;
  /** Nothing more will come, though the peer still reads. */
  ended(): void;
  /** The carrier is gone; the error says why unless it was closed in good order. */
  closed(error?: Error): void;
}

/** What a carrier with headers repeats of messages in them, as the revision and the lists of what can be called ask for. */
export interface Mirroring {
  /** The headers of a message. Throws a `ValidationError` for what no header can say. */
  headers(
    revision: Revision,
    facts: RequestFacts | NotificationFacts,
    params: JsonObject | undefined,
  ): Readonly<Record<string, string>> | undefined;
  /** Learns from a result. Returns it without what may not be called over this carrier, and tells why. */
  learn(
    revision: Revision,
    facts: RequestFacts,
    result: JsonObject,
    refuse: (reason: string) => void,
  ): JsonObject;
  /** Sends a request by `ask`, and once more when its headers were refused and the list was read anew. */
  call(side: SideTable, row: OutgoingRequest, params: JsonObject | undefined, ask: Ask): Promise<unknown>;
}

/** Goes on with calls where the peer has forgotten the session that they are made in. */
export interface Renewal {
  /** Sends a request, and once more after `reopen` when there was no session for it any more. */
  call(send: () => Promise<unknown>, reopen: () => Promise<void>): Promise<unknown>;
}

/** Sends one request and resolves with its result. */
export type Ask = (row: OutgoingRequest, params: JsonObject | undefined) => Promise<unknown>;

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
  /** Opens the carrier and begins to deliver. Rejects with a `TransportError` when there is nobody to talk to. */
  start(receiver: Receiver): Promise<void> | void;
  /**
   * Takes one message. The promise, when there is one, resolves once the carrier has room again, not once the peer has
   * read it. Throws a `TransportError` when the carrier is gone or has no way to this peer, a `TypeError` when the
   * message is not JSON.
   */
  send(message: unknown, options?: SendOptions): Promise<void> | void;
  /** Takes the carrier down after delivering what was sent. Resolves when it is gone; never rejects. */
  close(): Promise<void>;
  /** Each request has an answer of its own, a status at least, so that silence tells nothing of who is there. */
  readonly answersEach?: true;
  /** What a server sends for a request has a stream of its own, which ends with the answer. */
  readonly endsWithAnswer?: true;
  readonly mirroring?: Mirroring;
  /** Absent where the connection is the session. */
  readonly renewal?: Renewal;
  /** Where the peer is found, this time and the next; absent where there is no next time. */
  readonly address?: string;
  /** Learns which revision's headers to send and to expect; `isAgreed` once the handshake is done. */
  speak?(revision: Revision, isAgreed: boolean): void;
  /** Resolves the user's headers for the next request, which say who asks; absent where there are none. */
  caller?(): CallerHeaders | Promise<CallerHeaders>;
  /** Drops what carries the answer to a request, in place of telling the peer; absent where there is no such thing. */
  cancel?(id: RequestId): void;
  /** Learns that a request of the peer's will not be answered; absent where nothing is kept for the answer. */
  drop?(id: RequestId): void;
  /**
   * A new transport to the same peer, not yet started; absent when the peer cannot be reached a second time. `reason` is the
   * error that ended the first one.
   */
  again?(reason?: Error): Transport;
}
