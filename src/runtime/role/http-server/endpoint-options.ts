import type { Authenticate } from "./authenticate.js";
import type { OriginOptions } from "./origins.js";
import type { HttpHandler } from "./exchange.js";

/** Bounds of an endpoint. */
export interface HttpLimits {
  /** Longest body, in bytes; 4 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /** Most bytes of bodies, from when they are read until what they ask for is answered; 64 MiB by default. */
  readonly totalBodyBytes?: number | undefined;
  /** Most requests that are read or wait for their answer at once, each member of a batch counted; 4,096 by default. */
  readonly requests?: number | undefined;
  /** Most such requests of one principal; 1,024 by default. */
  readonly requestsPerPrincipal?: number | undefined;
  /** Most streams of notifications that clients listen to without a session; 10,000 by default. They are no `requests`. */
  readonly listeners?: number | undefined;
  /** Most such streams of one principal; 1,000 by default. */
  readonly listenersPerPrincipal?: number | undefined;
  /** Most bytes of the requests of all such streams, of which one principal holds at most a tenth; 64 MiB by default. */
  readonly listenerBytes?: number | undefined;
  /** Most sessions; 10,000 by default. Those that only initialized make room for new ones. */
  readonly sessions?: number | undefined;
  /** Most sessions of one principal; 1,000 by default. */
  readonly sessionsPerPrincipal?: number | undefined;
  /** Most events that one session keeps for clients that come back; 256 by default, 0 keeps none. */
  readonly sessionEvents?: number | undefined;
  /** Most text of events that one session keeps, in bytes; 1 MiB by default. */
  readonly sessionEventBytes?: number | undefined;
  /** Most text of events that all sessions keep together, in bytes; 64 MiB by default. */
  readonly totalEventBytes?: number | undefined;
  /** Most that waits for one client that reads too slowly before its connection is cut, in bytes; 4 MiB by default. */
  readonly waitingBytes?: number | undefined;
  /** Most that waits for all clients together before the connections of slow ones are cut, in bytes; 256 MiB by default. */
  readonly totalWaitingBytes?: number | undefined;
}

/** How a server behaves behind HTTP, whichever way its clients speak. */
export interface EndpointOptions extends OriginOptions {
  /**
   * Returns who is calling, as a plain object such as `{ principal: "ada" }`, or the `Response` that turns the caller away, such
   * as 401 with `WWW-Authenticate`. Anything else is answered with 500 and reported to `onError`. Runs for every request, before
   * `legacySse` sees it. Without a `principal`, sessions belong to the Authorization header that they were opened with.
   */
  readonly authenticate?: Authenticate | undefined;
  /** The most that the endpoint takes on, over all of its clients. */
  readonly limits?: HttpLimits | undefined;
  /** How often a stream on which nothing happens gives a sign of life, in milliseconds; 15,000 by default. */
  readonly keepAliveTime?: number | undefined;
}

/** How a server behaves behind the one URL that serves clients of all revisions. */
export interface HttpOptions extends EndpointOptions {
  /**
   * Do clients that open with a handshake get a session? True by default. Without sessions each of their requests stands
   * alone: nothing can be asked or announced, and any process may answer.
   */
  readonly sessions?: boolean | undefined;
  /** How long a session lives that nobody uses, in milliseconds; 1,800,000 by default. */
  readonly sessionIdleTime?: number | undefined;
  /**
   * Answers clients of HTTP+SSE that come to this very URL: what `createSseHandler` made. None by default. Closed together
   * with this handler.
   */
  readonly legacySse?: HttpHandler | undefined;
}

/** How a server behaves behind HTTP+SSE. */
export interface SseOptions extends EndpointOptions {
  /** Where clients are told to POST, as they see it: a path or a URL; by default the URL of the stream itself. */
  readonly postUrl?: string | undefined;
}
