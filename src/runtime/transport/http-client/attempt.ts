import { TransportError } from "../../errors.js";
import { toBase64 } from "../../base64.js";
import type { CallerHeaders } from "../binding.js";
import type { HttpClientOptions } from "./options.js";
import {
  type Answer,
  type ClientRequest,
  type Drop,
  fetchRequester,
  type HeaderOf,
  nodeRequester,
  type Requester,
} from "./requests.js";
import { type Reader, Reading } from "./response-reader.js";

type Headers = Readonly<Record<string, string>>;

/** Most redirects of one request. */
const maxRedirects = 5;
/** What of a challenge its hook gets to see. */
const challengeHeaders = ["www-authenticate", "content-type", "dpop-nonce", "retry-after"];

/** Makes the requests of one client: with its user's headers, redirected within the origin, and once more after a challenge. */
export class Asker {
  /** The address for people: without what may be secret in it. */
  readonly place: string;
  readonly options: HttpClientOptions;
  readonly #requester: Requester;
  readonly #url: URL;
  readonly #onRenewed: () => void;
  /** The user's headers, as far as they are always the same. */
  readonly #fixed: Headers;

  /** `onRenewed` is called when a challenge was met, so that the requests may speak for another caller. */
  constructor(url: URL, options: HttpClientOptions, onRenewed: () => void) {
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is no address of HTTP.`);
    const { fetch, headers, maxConnections = 256 } = options;
    this.place = url.origin + url.pathname;
    this.options = options;
    this.#fixed = { ...loginOf(url), ...lowered(typeof headers === "object" ? headers : {}) };
    this.#onRenewed = onRenewed;
    this.#url = new URL(url);
    this.#url.username = this.#url.password = this.#url.hash = "";
    const platform = fetch ? undefined : nodeRequester(url, maxConnections);
    this.#requester = platform ?? fetchRequester(fetch ?? ((...of) => globalThis.fetch(...of)));
  }

  /** `caller` holds the user's headers where they are resolved already. */
  ask(
    request: Omit<ClientRequest, "url">,
    reader: Reader,
    url: URL = this.#url,
    caller?: CallerHeaders,
  ): Drop {
    const reading = new Reading(reader, this.options.maxMessageBytes);
    return new Asking(this, { ...request, url }, reading, caller).drop;
  }

  /** Makes one request as it is, but for the user's headers. */
  send(request: ClientRequest, given: Headers, answer: Answer): Drop {
    return this.#requester.request({ ...request, headers: { ...given, ...request.headers } }, answer);
  }

  /** The user's headers, or a promise of them. */
  given(): Headers | Promise<Headers> {
    const { headers } = this.options;
    return typeof headers === "function" ? this.#made(headers) : this.#fixed;
  }

  /** Asks the user what to do about a challenge; the request is worth another try when it resolves to true. */
  async challenged(status: number, header: HeaderOf): Promise<boolean> {
    const headers = challengeHeaders.flatMap((name): [string, string][] => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    });
    const isMet = (await this.options.onChallenge?.(new Response(null, { status, headers }))) === true;
    if (isMet) this.#onRenewed();
    return isMet;
  }

  close(): void {
    this.#requester.close();
  }

  async #made(make: () => Headers | PromiseLike<Headers>): Promise<Headers> {
    return { ...this.#fixed, ...lowered(await make()) };
  }
}

/** One request, however often it has to be made. */
class Asking implements Answer {
  readonly #asker: Asker;
  readonly #answer: Answer;
  #request: ClientRequest;
  #caller: CallerHeaders | undefined;
  #drop: Drop | undefined;
  #redirects = 0;
  #isChallenged = false;
  #isDropped = false;

  constructor(asker: Asker, request: ClientRequest, answer: Answer, caller: CallerHeaders | undefined) {
    this.#asker = asker;
    this.#caller = caller;
    this.#request = request;
    this.#answer = answer;
    this.#make();
  }

  readonly drop = (): void => {
    this.#isDropped = true;
    this.#drop?.();
  };

  head(status: number, header: HeaderOf): void {
    if (status === 0 || (status >= 300 && status < 400)) return this.#redirect(status, header("location"));
    const isChallenge = (status === 401 || status === 403) && this.#asker.options.onChallenge;
    if (!isChallenge || this.#isChallenged) return this.#answer.head(status, header);
    this.#isChallenged = true;
    this.#caller = undefined;
    this.#drop?.();
    const met = (isMet: boolean): void => {
      if (isMet) return this.#make();
      if (this.#isDropped) return;
      this.#answer.head(status, header);
      this.#answer.end();
    };
    this.#asker.challenged(status, header).then(met, (error: unknown) => this.#fail(error));
  }

  data(chunk: Uint8Array): void {
    this.#answer.data(chunk);
  }

  end(error?: Error): void {
    this.#answer.end(error);
  }

  #make(): void {
    const given = this.#caller ?? this.#asker.given();
    if (!(given instanceof Promise)) return this.#send(given);
    given.then(
      (made) => this.#send(made),
      (error: unknown) => this.#fail(error),
    );
  }

  #send(given: Headers): void {
    if (this.#isDropped) return;
    try {
      this.#drop = this.#asker.send(this.#request, given, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** HTTP-22: within the origin alone, so that nothing of this server's reaches another. */
  #redirect(status: number, location: string | undefined): void {
    const { url, method } = this.#request;
    const target =
      location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const keepsMethod = status === 307 || status === 308 || method === "GET";
    this.#drop?.();
    if (target?.origin === url.origin && keepsMethod && this.#redirects++ < maxRedirects) {
      this.#request = { ...this.#request, url: target };
      return this.#make();
    }
    const reason = !target
      ? "elsewhere"
      : target.origin !== url.origin
        ? `to another origin, ${target.origin}, which this client does not follow`
        : keepsMethod
          ? "in a circle"
          : "in a way that would lose the message";
    this.#fail(new TransportError(`${url.origin}${url.pathname} redirects ${reason}.`, { status }));
  }

  #fail(error: unknown): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#answer.end(error instanceof Error ? error : new Error(String(error)));
  }
}

function lowered(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What an address says of who is calling (RFC 7617). */
function loginOf({ username, password, origin }: URL): Headers {
  if (username === "") return {};
  let login: string;
  try {
    login = decodeURIComponent(`${username}:${password}`);
  } catch {
    // What it says is a secret.
    throw new TypeError(
      `The login in the address of ${origin} has a "%" that begins no UTF-8: write it as %25.`,
    );
  }
  return { authorization: `Basic ${toBase64(new TextEncoder().encode(login))}` };
}
