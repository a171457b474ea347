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
