import { TransportError } from "../../errors.js";
import type { Revision } from "../../tables.js";
import type { HeaderOf } from "./requests.js";

/** The session header for revisions that define none. */
const defaultHeader = "mcp-session-id";

/** The session of a client, and the headers that it adds to each request. */
export class HttpClientSession {
  /** Undefined until the server assigns one (SESS-03). */
  id: string | undefined;
  /** True once the server has lost the session: requests fail until `initialize` succeeds again (SESS-05). */
  isLost = false;
  isAgreed = false;
  /** The headers of every request; names in lower case. */
  headers: Readonly<Record<string, string>> = {};
  #revision: Revision | undefined;

  /** True if the revision opens with initialize, and so has sessions and resumable streams. */
  get isLegacy(): boolean {
    return this.#revision?.opening === "initialize";
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
    if (!isAgreed) this.id = undefined;
    this.#setHeaders();
  }

  /** Reads the session id in the response to `initialize` (SESS-01). */
  enter(header: HeaderOf): void {
    const id = header(this.#header);
    if (id === undefined) return;
    // An id consists of visible ASCII characters (SESS-02).
    if (!/^[!-~]+$/.test(id))
      throw new TransportError("The server sent a session id that is not valid in a header.");
    this.id = id;
    this.#setHeaders();
  }

  forget(): void {
    this.id = undefined;
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
    if (names?.version !== undefined && this.isAgreed) headers[names.version.toLowerCase()] = revision;
    if (this.id !== undefined) headers[this.#header] = this.id;
    this.headers = headers;
  }
}
