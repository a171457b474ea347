import type { SendOptions } from "../ports/transport.js";
import type { JsonObject } from "../../../common/object.js";
import type { NotificationFacts, RequestRow, RequestFacts, Revision, SideTable } from "../tables.js";

/** The headers that the user of a client sets, by lower-case name. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** How HTTP sends messages: with headers that repeat parts of them, as the revision and the listed tools require, and which of them twice. */
export interface HeaderPolicy {
  /** The headers of a message, and whether it may be sent twice. Throws a `ValidationError` for a value that a header cannot hold. */
  options(
    revision: Revision,
    facts: RequestFacts | NotificationFacts,
    params: JsonObject | undefined,
  ): Pick<SendOptions, "headers" | "isSafe">;
  /** Reads what listed tools say about their calls. Removes tools with invalid headers from the list and calls `onWarning`. */
  learn(
    revision: Revision,
    facts: RequestFacts,
    result: JsonObject,
    onWarning: (reason: string) => void,
  ): JsonObject;
  /** Sends a request with `ask`. If the server rejects its headers, reads the list again and repeats the request once. */
  call(side: SideTable, row: RequestRow, params: JsonObject | undefined, ask: Ask): Promise<unknown>;
}

/** Continues calls after the peer lost their session. */
export interface Renewal {
  /** Sends a request. If the peer rejects it because of a lost session, calls `reopen` and repeats it once. */
  call(send: () => Promise<unknown>, reopen: () => Promise<void>): Promise<unknown>;
}

/** Sends one request and resolves with its result. */
export type Ask = (row: RequestRow, params: JsonObject | undefined) => Promise<unknown>;
