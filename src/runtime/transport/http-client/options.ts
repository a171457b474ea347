import type { Awaitable } from "../../timing.js";
import type { Fetch } from "./requests.js";

/** How a server is reached over HTTP. */
export interface HttpClientOptions {
  /** Headers of every request, or what makes them, asked before each. The protocol's own headers come before these. */
  readonly headers?: Readonly<Record<string, string>> | (() => Awaitable<Readonly<Record<string, string>>>);
  /** Makes the requests. By default Node's own client on Node, and `fetch` elsewhere. It must not follow redirects. */
  readonly fetch?: Fetch;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
  /**
   * Told of an answer with status 401 or 403, without its body; when it says yes, the request is made once more, with
   * headers asked for anew.
   */
  onChallenge?(response: Response): Awaitable<boolean>;
  /** Longest message, in bytes; 64 MiB by default. */
  readonly maxMessageBytes?: number;
  /** Most connections at once, on Node; 256 by default. */
  readonly maxConnections?: number;
  /** Most attempts in a row to take up a stream that broke; 5 by default. */
  readonly maxReconnects?: number;
  /** First wait before such an attempt where the server names none, in milliseconds; twice as long each time; 1,000 by default. */
  readonly reconnectTime?: number;
  /** Longest such wait, in milliseconds; 30,000 by default. */
  readonly maxReconnectTime?: number;
  /** How long a server may take to hear that the session is over, in milliseconds; 1,000 by default. */
  readonly shutdownTime?: number;
}
