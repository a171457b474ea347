import type { Awaitable } from "../../index.js";
import type { Auth } from "../transport.js";
import type { OriginOptions } from "./guard.js";
import type { HttpHandler } from "./serve-node.js";

/** How a server behaves behind HTTP, whichever way its clients speak. */
export interface DoorOptions extends OriginOptions {
  /** Who is calling, or the answer that turns the caller away, such as 401 with `WWW-Authenticate`. Runs for every request. */
  authenticate?(request: Request): Awaitable<Auth | Response>;
  /** Longest body, in bytes; 4 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** Most sessions; 10,000 by default. */
  readonly maxSessions?: number | undefined;
  /** Most that waits for a client that reads too slowly before its connection is cut, in bytes; 4 MiB by default. */
  readonly maxWaitingBytes?: number | undefined;
  /** How often a stream on which nothing happens gives a sign of life, in milliseconds; 15,000 by default. */
  readonly keepAliveTime?: number | undefined;
}

/** How much of what was sent is kept for clients that come back. */
export interface LogLimits {
  /** Most events that one session keeps; 256 by default, 0 keeps none. */
  readonly maxEvents?: number | undefined;
  /** Most text that one session keeps, in characters; 1,048,576 by default. The latest event is kept, however long. */
  readonly maxEventLength?: number | undefined;
}

/** How a server behaves behind the one URL that serves clients of all revisions. */
export interface HttpOptions extends DoorOptions, LogLimits {
  /**
   * Do clients that open with a handshake get a session? True by default. Without sessions each of their requests stands
   * alone: nothing can be asked or announced, and any process may answer.
   */
  readonly sessions?: boolean | undefined;
  /** Most POSTs that wait for their answer at once; 4,096 by default. */
  readonly maxRequests?: number | undefined;
  /** How long a session lives that nobody uses, in milliseconds; 1,800,000 by default. */
  readonly sessionIdleTime?: number | undefined;
  /**
   * Answers clients of HTTP+SSE that come to this very URL: what `createSseHandler` made. None by default. Closed together
   * with this handler.
   */
  readonly older?: HttpHandler | undefined;
}

/** How a server behaves behind HTTP+SSE. */
export interface SseOptions extends DoorOptions {
  /** Where clients are told to POST, as they see it: a path or a URL; by default the URL of the stream itself. */
  readonly postUrl?: string | undefined;
}
