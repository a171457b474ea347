import type { JsonObject } from "../message.js";
import type { NotificationFacts, OutgoingRequest, RequestFacts, Revision, SideTable } from "../tables.js";

/** The headers that the user of a client sets, by lower-case name. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** The features of a transport beyond framing that sessions use: HTTP has headers, a status per request and its own sessions. */
export interface SessionBinding {
  /** True if each request gets at least a status, so that a missing answer does not suggest a legacy server. */
  readonly answersEach?: true;
  /** True if each request has its own stream of messages from the server, which ends with the answer. */
  readonly endsWithAnswer?: true;
  /** Which parts of messages headers repeat; absent on a transport without headers. */
  readonly headerPolicy?: HeaderPolicy;
  /** Opens a new session after the server lost it; absent if the connection is the session. */
  readonly renewal?: Renewal;
  /** Capabilities that the client declares because of this transport. */
  readonly capabilities?: JsonObject | undefined;
  /** The permanent address of the peer, if it has one. */
  readonly address?: string;
  /** Sets the revision whose headers are sent and expected. `isAgreed` is true once the revision is negotiated. */
  useRevision?(revision: Revision, isAgreed: boolean): void;
  /**
   * Resolves the user's headers for the next request, which identify the caller; absent if there are none. Calls `receiver.renewed`
   * first if the transport authorizes this client by another grant than before.
   */
  caller?(): CallerHeaders | Promise<CallerHeaders>;
}

/** Headers that repeat parts of messages, as the revision and the listed tools require. */
export interface HeaderPolicy {
  /** The headers of a message. Throws a `ValidationError` for a value that a header cannot hold. */
  headers(
    revision: Revision,
    facts: RequestFacts | NotificationFacts,
    params: JsonObject | undefined,
  ): Readonly<Record<string, string>> | undefined;
  /** Reads the headers that listed tools require. Removes tools with invalid headers from the list and calls `onWarning`. */
  learn(
    revision: Revision,
    facts: RequestFacts,
    result: JsonObject,
    onWarning: (reason: string) => void,
  ): JsonObject;
  /** Sends a request with `ask`. If the server rejects its headers, reads the list again and repeats the request once. */
  call(side: SideTable, row: OutgoingRequest, params: JsonObject | undefined, ask: Ask): Promise<unknown>;
}

/** Continues calls after the peer lost their session. */
export interface Renewal {
  /** Sends a request. If the peer rejects it because of a lost session, calls `reopen` and repeats it once. */
  call(send: () => Promise<unknown>, reopen: () => Promise<void>): Promise<unknown>;
}

/** Sends one request and resolves with its result. */
export type Ask = (row: OutgoingRequest, params: JsonObject | undefined) => Promise<unknown>;
