import type { JsonObject } from "../message.js";
import type { NotificationFacts, OutgoingRequest, RequestFacts, Revision, SideTable } from "../tables.js";

/** The headers that the user of a client sets, by names in lower case. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** What ties sessions to a transport beyond framing: HTTP has headers, a status for each request and sessions of its own. */
export interface SessionBinding {
  /** Every request is answered, at least by a status, so that the lack of an answer does not mean an old server. */
  readonly answersEach?: true;
  /** Everything that a server sends for a request has a stream of its own, which ends with the answer. */
  readonly endsWithAnswer?: true;
  /** What is repeated in headers; absent on a transport without headers. */
  readonly headerPolicy?: HeaderPolicy;
  /** Opens the session again when the server has forgotten it; absent where the connection is the session. */
  readonly renewal?: Renewal;
  /** The address of the peer, now and later; absent where the peer has none that lasts. */
  readonly address?: string;
  /** Sets the revision whose headers are sent and expected; `isAgreed` once the handshake is done. */
  useRevision?(revision: Revision, isAgreed: boolean): void;
  /** Resolves the headers of the user for the next request, which identify the caller; absent where there are none. */
  caller?(): CallerHeaders | Promise<CallerHeaders>;
}

/** What messages repeat in headers, as the revision and the lists of tools require. */
export interface HeaderPolicy {
  /** The headers of a message. Throws a `ValidationError` for a value that a header cannot hold. */
  headers(
    revision: Revision,
    facts: RequestFacts | NotificationFacts,
    params: JsonObject | undefined,
  ): Readonly<Record<string, string>> | undefined;
  /** Reads the headers that a list requires. Returns the list without the items that cannot be called, and calls `refuse` with the reason. */
  learn(
    revision: Revision,
    facts: RequestFacts,
    result: JsonObject,
    refuse: (reason: string) => void,
  ): JsonObject;
  /** Sends a request by `ask`, and once more when the server refused its headers and the list was read again. */
  call(side: SideTable, row: OutgoingRequest, params: JsonObject | undefined, ask: Ask): Promise<unknown>;
}

/** Continues calls when the peer has forgotten their session. */
export interface Renewal {
  /** Sends a request, and once more after `reopen` when the peer refused it because the session was gone. */
  call(send: () => Promise<unknown>, reopen: () => Promise<void>): Promise<unknown>;
}

/** Sends one request and resolves with its result. */
export type Ask = (row: OutgoingRequest, params: JsonObject | undefined) => Promise<unknown>;
