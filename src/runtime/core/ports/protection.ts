import type { Refused } from "../errors.js";
import type { Reporting } from "../report.js";
import type { Awaitable } from "../../../common/timing.js";
import type { Auth } from "./transport.js";

/**
 * Decides which requests a server answers. `protect` of `@mcpgen/auth/protect`
 * returns one.
 */
export interface Protection {
  /**
   * Identifies the caller of a request, before its body is read. Returns a
   * promise only if the token is not known yet. `reporting` has the handlers of
   * errors and warnings of the server, which print by default.
   */
  admit(
    request: ProtectedRequest,
    reporting?: Reporting,
  ): Awaitable<Admission | Rejection>;
  /** The scopes that a method requires. */
  scopesOf(method: string): readonly string[];
  /**
   * The response to a caller who is admitted and may not do this: status 403,
   * or 401 if another token would help, and the headers. `auth` is undefined
   * for a caller without credentials.
   */
  refuse(
    auth: Auth | undefined,
    refused: Refused,
  ): Pick<Rejection, "status" | "headers">;
  /**
   * Calls `end` when the token of the caller expires or is revoked. Returns a
   * function that stops waiting.
   */
  whenEnded(auth: Auth, end: () => void): () => void;
  /** Handlers of the metadata documents, by path (RFC 9728). */
  readonly routes: Readonly<
    Record<string, (request: Request) => Promise<Response>>
  >;
}

/** The parts of a request that identify its caller. */
export interface ProtectedRequest {
  readonly method: string;
  /** Path and query, or the whole URL. */
  readonly url: string;
  /** The value of a header; the name is in lower case. */
  header(name: string): string | undefined;
}

/** A caller who may send requests. */
export interface Admission {
  /**
   * Handlers find it in `context.auth`. "anonymous" for a caller without
   * credentials: then that is undefined, and the caller has no scopes.
   */
  readonly auth: Auth | "anonymous";
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The response to a request without valid credentials. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Why the credentials could not be verified, for the operator. */
  readonly error?: unknown;
}
