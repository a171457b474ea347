/** Limits that clients and servers share. */
export interface Limits {
  /** Maximum number of messages in one batch; 100 by default. */
  readonly batch?: number | undefined;
  /** Maximum number of the peer's requests that one connection handles at the same time; 256 by default. */
  readonly inFlight?: number | undefined;
  /** Maximum number of input rounds of one call; 8 by default. */
  readonly rounds?: number | undefined;
  /**
   * Maximum number of progress notifications of one request per second; 20 by default. Of any more, only the latest is sent:
   * when the second ends, or before the answer.
   */
  readonly progressPerSecond?: number | undefined;
}

/** Limits of a client. */
export interface ClientLimits extends Limits {
  /** Maximum number of requests per minute from one server, such as elicitation and sampling; 600 by default. */
  readonly questionsPerMinute?: number | undefined;
}

/** Limits of a server. The limits of an HTTP endpoint, over all of its clients, are `HttpLimits`. */
export interface ServerLimits extends Limits {
  /** Maximum number of queued requests of one connection, besides those in flight; 1,024 by default. */
  readonly queue?: number | undefined;
  /** Maximum number of values, such as URIs, that one client may subscribe to; 1,000 by default. */
  readonly subscriptions?: number | undefined;
  /**
   * Maximum size of all subscribed values of all sessions, in bytes; 16 MiB by default. One principal, or one session without a
   * principal, may use a tenth of it.
   */
  readonly subscriptionBytes?: number | undefined;
  /** Maximum number of notification streams of one connection; 100 by default. */
  readonly listeners?: number | undefined;
  /** Maximum number of log messages to one session per second; 100 by default. More are dropped, and `onWarning` gets their number. */
  readonly logsPerSecond?: number | undefined;
  /**
   * Maximum number of tool calls of one caller per second; unlimited by default. A caller is a principal, or a session without
   * one; requests with neither share one limit. More calls fail with the error -32603.
   */
  readonly toolCallsPerSecond?: number | undefined;
  /** Maximum number of completion requests of one caller per second, counted in the same way; unlimited by default. */
  readonly completionsPerSecond?: number | undefined;
}
