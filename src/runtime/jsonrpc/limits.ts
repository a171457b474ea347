/** Bounds that clients and servers share. */
export interface Limits {
  /** Most messages in one batch; 100 by default. */
  readonly batch?: number | undefined;
  /** Most requests of the peer that one connection answers at once; 256 by default. */
  readonly inFlight?: number | undefined;
  /** Most times one call may go back to the client for input; 8 by default. */
  readonly rounds?: number | undefined;
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
  /** Most streams of notifications that one connection may listen to; 100 by default. */
  readonly listeners?: number | undefined;
}
