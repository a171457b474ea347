/** Bounds that clients and servers share. */
export interface Limits {
  /** Most messages in one batch; 100 by default. */
  readonly batch?: number | undefined;
  /** Most requests of the peer that one connection answers at once; 256 by default. */
  readonly inFlight?: number | undefined;
  /** Most times one call may go back to the client for input; 8 by default. */
  readonly rounds?: number | undefined;
  /**
   * Most progress notifications of one request in one second; 20 by default. Of those beyond, only the latest is sent: when
   * the second ends, or before the answer.
   */
  readonly progressPerSecond?: number | undefined;
}

/** Bounds of a client. */
export interface ClientLimits extends Limits {
  /** Most questions of one server, such as elicitation and sampling, that handlers answer in one minute; 600 by default. */
  readonly questionsPerMinute?: number | undefined;
}

/** Bounds of a server. Those of an endpoint, over all of its clients, are `HttpLimits`. */
export interface ServerLimits extends Limits {
  /** Most requests of one connection that wait beyond those in flight; 1,024 by default. */
  readonly queue?: number | undefined;
  /** Most values, such as URIs, that one client may subscribe to; 1,000 by default. */
  readonly subscriptions?: number | undefined;
  /**
   * Most text that the clients of all sessions subscribe to, in bytes, of which one principal, or one session where nobody is known,
   * has at most a tenth; 16 MiB by default.
   */
  readonly subscriptionBytes?: number | undefined;
  /** Most streams of notifications that one connection may listen to; 100 by default. */
  readonly listeners?: number | undefined;
  /** Most log messages to one session in one second; 100 by default. Others are dropped, and `onWarning` is called with their number. */
  readonly logsPerSecond?: number | undefined;
  /**
   * Most tool calls of one caller in one second; no bound by default. A caller is a principal, or a session where nobody is
   * known; requests with neither count together. A call beyond is refused with the error -32603.
   */
  readonly toolCallsPerSecond?: number | undefined;
  /** Most requests for completion of one caller in one second, likewise; no bound by default. */
  readonly completionsPerSecond?: number | undefined;
}
