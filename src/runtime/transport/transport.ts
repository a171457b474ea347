import type { Revision } from "../tables.js";

/** What ties a response to its request. An integer when it is a number. */
export type RequestId = string | number;

/** Who sent a message, as far as its carrier knows. */
export interface Auth {
  /** Names the caller; what one principal was told never answers another. */
  readonly principal?: string;
  readonly [claim: string]: unknown;
}

/** What the carrier knows of a message beside the message. */
export interface MessageInfo {
  readonly auth?: Auth | undefined;
  /** The message stands alone, with no session around it. */
  readonly isAlone?: true;
  /** Lets the client's connection go; the answer waits until it comes back. Absent where it could not come back. */
  release?(retryMs?: number): void;
}

/** How to send one message. */
export interface SendOptions {
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
  /** The answer to one of our requests will not come; the carrier goes on. Absent where nothing is asked. */
  lost?(id: RequestId, error: Error): void;
  /** The peer takes us for somebody else from now on. */
  renewed?(): void;
  /** Something failed that nobody waits for; the carrier goes on. */
  report?(error: Error): void;
  /** Nothing more will come, though the peer still reads. */
  ended(): void;
  /** The carrier is gone; the error says why unless it was closed in good order. */
  closed(error?: Error): void;
}

/** What a carrier with headers repeats of calls in them, as the lists of what can be called ask for. */
export interface Mirroring {
  /** Learns from a list. Returns what may be called over this carrier, and tells why the rest may not. */
  learn(items: readonly unknown[], refuse: (reason: string) => void): readonly unknown[];
  /** The headers of a call, by names that begin with the prefix. Throws a `ValidationError` for what no header can say. */
  headers(prefix: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>;
}

/** Carries JSON values to one peer and back, in order. Knows framing, never meaning. */
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
  readonly mirroring?: Mirroring;
  /** Where the peer is found, this time and the next; absent where there is no next time. */
  readonly address?: string;
  /** Learns which revision's headers to send and to expect; `isAgreed` once the handshake is done. */
  speak?(revision: Revision, isAgreed: boolean): void;
  /** Drops what carries the answer to a request, in place of telling the peer; absent where there is no such thing. */
  cancel?(id: RequestId): void;
  /** Learns that a request of the peer's will not be answered; absent where nothing is kept for the answer. */
  drop?(id: RequestId): void;
  /** A new transport to the same peer, not yet started; absent when the peer cannot be reached a second time. */
  again?(): Transport;
}
