import {
  isTimeoutError,
  isTransportError,
  mayPass,
  TransportError,
} from "../../errors.js";
import type { Revision } from "../../tables.js";
import type { Renewal } from "../../ports/transport.js";
import type { JsonObject } from "../../../../common/object.js";
import type { HeaderOf } from "./response-reader.js";

/** The session header for revisions that define none. */
const defaultHeader = "mcp-session-id";

const newSession = (id?: string): ServerSession => ({
  id,
  hasAnswered: false,
  hasStreams: false,
});

/** What is known about one session of the server. */
export interface ServerSession {
  /** Undefined if the server assigned none (SESS-03). */
  readonly id: string | undefined;
  /** True once a request other than `initialize` has a result. */
  hasAnswered: boolean;
  /** True once a GET has opened a stream. */
  hasStreams: boolean;
}

/** The session of a client, and the headers that it adds to each request. */
export class HttpClientSession {
  current: ServerSession = newSession();
  /**
   * True once the server has lost the session: requests fail until `initialize`
   * succeeds again (SESS-05).
   */
  isLost = false;
  isAgreed = false;
  /** The headers of every request; names in lower case. */
  headers: Readonly<Record<string, string>> = {};
  #revision: Revision | undefined;

  /**
   * True if the revision opens with initialize, and so has sessions and
   * resumable streams.
   */
  get isLegacy(): boolean {
    return this.#revision?.opening === "initialize";
  }

  get wellKnown(): Partial<Revision["wellKnown"]> {
    return this.#revision?.wellKnown ?? {};
  }

  /** True if a body or an event may hold several messages. */
  get batches(): boolean {
    return this.#revision?.batches === true;
  }

  useRevision(revision: Revision, isAgreed: boolean): void {
    this.#revision = revision;
    this.isAgreed = isAgreed;
    this.isLost = false;
    // `initialize` has no session id (SESS-06).
    if (!isAgreed) this.current = newSession();
    this.#setHeaders();
  }

  /** Reads the session id in the response to `initialize` (SESS-01). */
  enter(header: HeaderOf): void {
    const id = header(this.#header);
    if (id === undefined) return;
    // An id consists of visible ASCII characters (SESS-02).
    if (!/^[!-~]+$/.test(id))
      throw new TransportError(
        "The server sent a session id that is not valid in a header.",
      );
    this.current = newSession(id);
    this.#setHeaders();
  }

  forget(): void {
    this.current = newSession();
    this.isLost = true;
    this.#setHeaders();
  }

  get #header(): string {
    return (this.#revision?.headers.session ?? defaultHeader).toLowerCase();
  }

  #setHeaders(): void {
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    // The version header follows the negotiation (HTTP-11, HDR-01).
    const { revision = "", headers: names } = this.#revision ?? {};
    if (names?.version !== undefined && this.isAgreed)
      headers[names.version.toLowerCase()] = revision;
    const { id } = this.current;
    if (id !== undefined) headers[this.#header] = id;
    this.headers = headers;
  }
}

/** The transport whose server may lose the session. */
export interface RenewalHost {
  /** No session can be opened. */
  fail(error: Error): Promise<void>;
  warn(text: string): void;
}

/**
 * Opens a new session when the server has lost this one, sets the log level and
 * the subscriptions that are open again, and sends the request once more
 * (SESS-06).
 */
export function renewal(
  session: HttpClientSession,
  host: RenewalHost,
): Renewal {
  let count = 0;
  let running: Promise<void> | undefined;
  const settings = new Map<string, () => Promise<unknown>>();
  /** Keeps the log level, and each subscription until it ends. */
  const keep = (
    method: string,
    params: JsonObject | undefined,
    set: () => Promise<unknown>,
  ): void => {
    const { setLevel, subscribe, unsubscribe } = session.wellKnown;
    const subject = method === setLevel ? method : JSON.stringify(params);
    if (method === unsubscribe) settings.delete(subject);
    if (method === setLevel || method === subscribe) settings.set(subject, set);
  };
  const renew = async (reopen: () => Promise<void>): Promise<void> => {
    try {
      await reopen();
      for (const set of settings.values())
        await set().catch(({ message }: Error) =>
          host.warn(`The new session lacks a setting: ${message}`),
        );
      count++;
      host.warn(
        "The server lost the session. A new one was opened, with the log level and the subscriptions of the old one.",
      );
    } catch (error) {
      const isTemporary =
        mayPass(error) ||
        isTimeoutError(error) ||
        (isTransportError(error) && error.isRetryable);
      if (!isTemporary) await host.fail(error as Error);
      // No new session could be opened for now: the next call tries again.
      session.forget();
      throw error;
    } finally {
      running = undefined;
    }
  };
  return {
    async call(method, params, send, reopen) {
      await running;
      const before = count;
      const result = await send().catch(async (error: unknown) => {
        if (
          !isTransportError(error) ||
          !error.isSessionLost ||
          error.status === undefined
        )
          throw error;
        // Several requests may be rejected at once; one new session serves them
        // all.
        if (before === count) await (running ??= renew(reopen));
        return send();
      });
      keep(method, params, () => send({}));
      return result;
    },
  };
}
