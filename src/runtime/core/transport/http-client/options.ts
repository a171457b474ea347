import type { Authorizer } from "../../ports/authorizer.js";
import type { Awaitable } from "../../../../common/timing.js";
import type { Fetch } from "./requests.js";

/** Options of `http` and `sse`. */
export interface HttpClientOptions {
  /** Headers of every request, or a function that is called before each request. Headers of the protocol take precedence. */
  readonly headers?: Readonly<Record<string, string>> | (() => Awaitable<Readonly<Record<string, string>>>);
  /**
   * Obtains tokens and sends them with each request: `oauth` of `@mcpgen/auth`, or an `Authorizer` of your own. A request is sent at
   * most four times.
   */
  readonly auth?: Authorizer;
  /** Sends the requests. By default `node:http` on Node, and `fetch` elsewhere. It must not follow redirects. */
  readonly fetch?: Fetch;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
  /** Maximum length of a message, in bytes; 64 MiB by default. */
  readonly maxMessageBytes?: number;
  /** Maximum number of connections for open calls, on Node; 256 by default. Answers, cancellations and the stream of notifications have others. */
  readonly maxConnections?: number;
  /**
   * Maximum number of attempts in a row to resume a stream that broke; 5 by default. After them, the stream of notifications is opened
   * again when a call succeeds, at most once in `maxReconnectTime`.
   */
  readonly maxReconnects?: number;
  /** The wait before the first attempt, if the server names none, in milliseconds; it doubles with each; 1,000 by default. */
  readonly reconnectTime?: number;
  /** The maximum wait, in milliseconds; 30,000 by default. */
  readonly maxReconnectTime?: number;
  /** The maximum wait for the server to end the session, in milliseconds; 1,000 by default. */
  readonly shutdownTime?: number;
}
