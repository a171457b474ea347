import { TransportError } from "../../errors.js";
import type { Revision } from "../../tables.js";
import type { HeaderOf } from "./requests.js";

/** The session's header for a revision older than this carrier, which has no name for it. */
const ownHeader = "mcp-session-id";

/** What a client knows of its session, and the headers that follow from it. */
export class ClientSession {
  /** SESS-03: undefined until the server has given one out. */
  id: string | undefined;
  /** SESS-05: the server no longer knows it, and nothing can be asked before a new handshake. */
  isForgotten = false;
  isAgreed = false;
  /** Of every request; names in lower case. */
  headers: Readonly<Record<string, string>> = {};
  #revision: Revision | undefined;

  /** Does the revision open with a handshake, and keep sessions and streams? */
  get isLegacy(): boolean {
    return this.#revision?.opening === "initialize";
  }

  /** May a body or an event hold several messages? */
  get batches(): boolean {
    return this.#revision?.batches === true;
  }

  useRevision(revision: Revision, isAgreed: boolean): void {
    this.#revision = revision;
    this.isAgreed = isAgreed;
    this.isForgotten = false;
    // SESS-06: the opening request has none.
    if (!isAgreed) this.id = undefined;
    this.#compose();
  }

  /** SESS-01: takes what the answer to the opening request says. */
  enter(header: HeaderOf): void {
    const id = header(this.#header);
    if (id === undefined) return;
    // SESS-02
    if (!/^[!-~]+$/.test(id))
      throw new TransportError("The server gave out a session id that no header can hold.");
    this.id = id;
    this.#compose();
  }

  forget(): void {
    this.id = undefined;
    this.isForgotten = true;
    this.#compose();
  }

  get #header(): string {
    return (this.#revision?.headers.session ?? ownHeader).toLowerCase();
  }

  #compose(): void {
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    // HTTP-11, HDR-01
    const { revision = "", headers: names } = this.#revision ?? {};
    if (names?.version !== undefined && this.isAgreed) headers[names.version.toLowerCase()] = revision;
    if (this.id !== undefined) headers[this.#header] = this.id;
    this.headers = headers;
  }
}
