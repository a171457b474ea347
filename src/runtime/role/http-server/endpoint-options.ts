import type { Protection } from "../../protection.js";
import type { Authenticate } from "./authenticate.js";
import type { OriginOptions } from "./origins.js";
import type { HttpHandler } from "./exchange.js";

/** Limits of an endpoint. */
export interface HttpLimits {
  /** Maximum length of a body, in bytes; 4 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /**
   * Maximum length of all bodies together, in bytes, until their requests are answered; 64 MiB by default. The requests for streams of
   * notifications have as much again, of which one principal has at most a tenth.
   */
  readonly totalBodyBytes?: number | undefined;
  /**
   * Maximum number of open requests, counting each member of a batch and each incomplete body; 4,096 by default. Above it, the slowest
   * incomplete body is rejected. One principal has at most a quarter.
   */
  readonly requests?: number | undefined;
  /**
   * Maximum number of open streams of notifications without a session; 10,000 by default, of which one principal has at most a tenth. They
   * do not count as `requests`.
   */
  readonly listeners?: number | undefined;
  /**
   * Maximum number of sessions; 10,000 by default, of which one principal has at most a tenth. Sessions that only initialized are ended
   * first to make room.
   */
  readonly sessions?: number | undefined;
  /** Maximum number of events, of at most 1 MiB together, that a session keeps for a client that reconnects; 256 by default, 0 keeps none. */
  readonly sessionEvents?: number | undefined;
  /** Maximum length of the events that all sessions keep, in bytes; 64 MiB by default. */
  readonly totalEventBytes?: number | undefined;
  /** Maximum length of unsent data for one client, in bytes; beyond it the connection is closed; 4 MiB by default. */
  readonly waitingBytes?: number | undefined;
  /** Maximum length of unsent data for all clients, in bytes; beyond it connections of slow clients are closed; 256 MiB by default. */
  readonly totalWaitingBytes?: number | undefined;
}

/** Options of every HTTP endpoint. */
export interface EndpointOptions extends OriginOptions {
  /**
   * Returns the caller as a plain object such as `{ principal: "ada" }`, or the `Response` that rejects the request, such
   * as 401 with `WWW-Authenticate`. Anything else is answered with 500 and reported to `onError`. Called for every request, before
   * `legacySse`. Without a `principal`, a session belongs to the Authorization header that opened it.
   */
  readonly authenticate?: Authenticate | undefined;
  /** Accepts only requests with an access token: `protect` of `@mcpgen/auth/protect`. Excludes `authenticate`. */
  readonly protect?: Protection | undefined;
  /** Limits for all clients together. */
  readonly limits?: HttpLimits | undefined;
  /** The interval of keep-alive comments on open streams, in milliseconds; 15,000 by default. */
  readonly keepAliveTime?: number | undefined;
}

/** Options of `createHttpHandler`. */
export interface HttpOptions extends EndpointOptions {
  /**
   * True, the default, to open a session for clients that send `initialize`. Without sessions, the server cannot send requests or
   * announcements to these clients, and any process can answer any request.
   */
  readonly sessions?: boolean | undefined;
  /** The time after which an unused session ends, in milliseconds; 1,800,000 by default. */
  readonly sessionIdleTime?: number | undefined;
  /**
   * The handler of `createSseHandler` for clients of HTTP+SSE on the same URL; none by default. Closing this handler closes
   * both.
   */
  readonly legacySse?: HttpHandler | undefined;
}

/** Options of `createSseHandler`. */
export interface SseOptions extends EndpointOptions {
  /** The path or URL that clients use for their POSTs; by default the URL of the stream. */
  readonly postUrl?: string | undefined;
}
