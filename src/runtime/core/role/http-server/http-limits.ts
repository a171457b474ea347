/** Limits of an endpoint. */
export interface HttpLimits {
  /** Maximum length of a body, in bytes; 4 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /**
   * Maximum length of all bodies together, in bytes, until their requests are answered; 64 MiB by default, of which one principal has at
   * most a quarter. The requests for streams of notifications have as much again, as have the events that sessions keep for clients that
   * reconnect; the data that clients have not read yet has four times as much.
   */
  readonly bytes?: number | undefined;
  /**
   * Maximum number of open requests, counting each member of a batch and each incomplete body; 4,096 by default. Above it, the slowest
   * incomplete body is rejected. One principal has at most a quarter.
   */
  readonly requests?: number | undefined;
  /**
   * Maximum number of sessions, and of open streams of notifications without a session as many; 10,000 by default, of which one principal
   * has at most a tenth. Sessions that only initialized are ended first to make room.
   */
  readonly sessions?: number | undefined;
}
