import type { JsonObject } from "../../../common/object.js";
import type { Awaitable } from "../../../common/timing.js";

/**
 * Authorizes the requests of HTTP clients. `oauth` of `@mcpgen/auth` returns
 * one.
 */
export interface Authorizer {
  /**
   * Begins to authorize the requests of one connection to `server`. `onSignIn`
   * is called with true before a person is asked to sign in, and with false
   * when that is over; the timeouts of the connection stop meanwhile.
   */
  connect(server: URL, onSignIn: (isRunning: boolean) => void): Authorization;
}

/** Authorizes the requests of one connection. */
export interface Authorization {
  /**
   * Identifies the grant whose token is sent: it changes with another sign-in,
   * and not when a token is refreshed.
   */
  readonly identity: string | undefined;
  /** Capabilities that the client declares because of this authorization. */
  readonly capabilities?: JsonObject | undefined;
  /**
   * The headers of one attempt, by lower-case name. Returns a promise only if a
   * token must be obtained first.
   */
  headers(
    request: AuthorizedRequest,
  ): Awaitable<Readonly<Record<string, string>>>;
  /** Reads the head of each response. Absent if it is not needed. */
  answered?(
    request: AuthorizedRequest,
    header: (name: string) => string | undefined,
    status: number,
  ): void;
  /**
   * Called with a response of status 401 or 403. Resolves to true if the
   * request is to be sent again, with the headers of another call of `headers`;
   * false if the response is final. A rejection rejects the request.
   */
  challenged(challenge: Challenged): Promise<boolean>;
  /**
   * Called when the connection closes. Cancels a sign-in that no other
   * connection waits for.
   */
  close(): void;
}

/** One attempt of a request. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly url: URL;
  /** The JSON of a message, or of several. */
  readonly body?: string | undefined;
}

/** A response of status 401 or 403, which requires authorization. */
export interface Challenged extends AuthorizedRequest {
  readonly status: number;
  /** The value of a header of the response. */
  readonly header: (name: string) => string | undefined;
  /** The headers that `headers` returned for this attempt. */
  readonly sent: Readonly<Record<string, string>>;
  /** The same object for all attempts of one request. */
  readonly call: object;
  /** 1 for the first attempt of the request. */
  readonly attempt: number;
  /**
   * The revision that the client uses or offers; undefined before the first
   * message.
   */
  readonly revision: string | undefined;
  /**
   * True if that revision has no rule that authorization servers must publish
   * their support for PKCE.
   */
  readonly mayOmitPkce: boolean;
}
