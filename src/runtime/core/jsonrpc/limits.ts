import { getOwn, type JsonObject } from "../../../common/object.js";

/** Limits that clients and servers share. */
export interface Limits {
  /** Maximum number of messages in one batch; 100 by default. */
  readonly batch?: number | undefined;
  /**
   * Maximum number of the peer's requests that one connection handles at the
   * same time; 256 by default. On a server, four times as many wait.
   */
  readonly inFlight?: number | undefined;
  /** Maximum number of input rounds of one call; 8 by default. */
  readonly rounds?: number | undefined;
}

/** Limits of a client. */
export interface ClientLimits extends Limits {
  /**
   * Maximum number of requests per minute from one server, such as elicitation
   * and sampling; 600 by default.
   */
  readonly questionsPerMinute?: number | undefined;
}

/**
 * Limits of a server. The limits of an HTTP endpoint, over all of its clients,
 * are `HttpLimits`.
 */
export interface ServerLimits extends Limits {
  /**
   * Maximum number of values, such as URIs, that one client may subscribe to;
   * 1,000 by default.
   */
  readonly subscriptions?: number | undefined;
  /**
   * Maximum number of tool calls of one caller per second, and of completion
   * requests as many; unlimited by default. A caller is a principal, or a
   * session without one; requests with neither share one limit. More fail with
   * the error -32603.
   */
  readonly toolCallsPerSecond?: number | undefined;
}

/** Options that an earlier version had, and what to do in place of them. */
const removed = {
  "totalBodyBytes totalEventBytes totalWaitingBytes": "set `limits.bytes`",
  listeners: "set `limits.sessions` of the HTTP handler",
  completionsPerSecond: "set `limits.toolCallsPerSecond`",
  queue: "set `limits.inFlight`",
  "headersTimeout sendTimeout": "set `requestTimeout`",
  headerBytes: "start Node.js with --max-http-header-size",
  "progressPerSecond logsPerSecond subscriptionBytes sessionEvents waitingBytes":
    "remove it: the limit is fixed",
};

/** Throws a `TypeError` for an option of an earlier version. */
export function checkRemoved(options: object | undefined): void {
  for (const [names, remedy] of Object.entries(removed)) {
    const name = names
      .split(" ")
      .find(
        (name) => getOwn((options ?? {}) as JsonObject, name) !== undefined,
      );
    if (name)
      throw new TypeError(`The option ${name} no longer exists: ${remedy}.`);
  }
}
