import type { Protection } from "../../ports/protection.js";
import type { Authenticate } from "./access.js";
import type { HttpCluster } from "../../ports/http-cluster.js";
import type { OriginOptions } from "./origins.js";
import type { HttpHandler } from "./exchange.js";
import type { HttpLimits } from "./http-limits.js";

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
  /**
   * The time after which an unused session ends, in milliseconds; 1,800,000 by default. In a cluster only this process forgets it then: see
   * `sessionTime` of `cluster`.
   */
  readonly sessionIdleTime?: number | undefined;
  /** The cluster of the servers, which they have as an option too: `cluster` of `@mcpgen/runtime/cluster`. */
  readonly cluster?: HttpCluster | undefined;
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
