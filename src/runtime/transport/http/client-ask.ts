import { TransportError } from "../../index.js";
import { nodeRequester } from "./client-node.js";
import type { HttpClientOptions } from "./client-options.js";
import type { Answer, ClientRequest, Drop, HeaderOf, Requester } from "./client-wire.js";
import { fetchRequester } from "./fetch.js";

type Given = Readonly<Record<string, string>>;

/** Most redirects of one request. */
const maxRedirects = 5;

/** Makes the requests of one client: with its user's headers, redirected within the origin, and once more after a challenge. */
export class Asker {
  /** The address for people: without what may be secret in it. */
  readonly place: string;
  readonly #url: URL;
  readonly #options: HttpClientOptions;
  readonly #requester: Requester;
  readonly #given: Given;

  constructor(url: URL, options: HttpClientOptions) {
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is no address of HTTP.`);
    const { fetch, headers = {}, maxConnections = 256 } = options;
    this.place = url.origin + url.pathname;
    this.#url = new URL(url);
    this.#options = options;
    const { username, password } = this.#url;
    const login = username
      ? { authorization: `Basic ${btoa(decodeURIComponent(`${username}:${password}`))}` }
      : {};
    this.#given = { ...login, ...(typeof headers === "function" ? {} : lowered(headers)) };
    this.#url.username = this.#url.password = this.#url.hash = "";
    const platform = fetch ? undefined : nodeRequester(url, maxConnections);
    this.#requester = platform ?? fetchRequester(fetch ?? ((...of) => globalThis.fetch(...of)));
  }

  ask(request: Omit<ClientRequest, "url">, answer: Answer, url: URL = this.#url): Drop {
    return new Asking(this.#requester, this.#options, this.#given, { ...request, url }, answer).drop;
  }

  close(): void {
    this.#requester.close();
  }
}

/** One request, however often it has to be made. */
class Asking implements Answer {
  readonly #requester: Requester;
  readonly #options: HttpClientOptions;
  readonly #given: Given;
  readonly #answer: Answer;
  #request: ClientRequest;
  #drop: Drop | undefined;
  #redirects = 0;
  #isChallenged = false;
  #isDropped = false;
  /** What comes belongs to an answer that is not the last one. */
  #isSkipping = false;

  constructor(
    requester: Requester,
    options: HttpClientOptions,
    given: Given,
    request: ClientRequest,
    answer: Answer,
  ) {
    this.#requester = requester;
    this.#options = options;
    this.#given = given;
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
    const { onChallenge } = this.#options;
    if (!onChallenge || this.#isChallenged || (status !== 401 && status !== 403)) {
      return this.#answer.head(status, header);
    }
    this.#isChallenged = this.#isSkipping = true;
    const names = ["www-authenticate", "content-type", "dpop-nonce", "retry-after"];
    const headers = names.flatMap((name): [string, string][] => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    });
    const response = new Response(null, { status, headers });
    new Promise<boolean>((resolve) => resolve(onChallenge.call(this.#options, response))).then((isMet) => {
      if (isMet) return this.#make();
      if (this.#isDropped) return;
      this.#answer.head(status, header);
      this.#answer.end();
    }, this.#fail);
  }

  data(chunk: Uint8Array): void {
    if (!this.#isSkipping) this.#answer.data(chunk);
  }

  end(error?: Error): void {
    if (!this.#isSkipping) this.#answer.end(error);
  }

  #make(): void {
    const { headers } = this.#options;
    if (typeof headers !== "function") return this.#send(this.#given);
    new Promise<Given>((resolve) => resolve(headers.call(this.#options))).then(
      (made) => this.#send({ ...this.#given, ...lowered(made) }),
      this.#fail,
    );
  }

  #send(given: Given): void {
    if (this.#isDropped) return;
    this.#isSkipping = false;
    const { method, url, body, headers } = this.#request;
    try {
      this.#drop = this.#requester.request({ method, url, body, headers: { ...given, ...headers } }, this);
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

  #fail = (error: unknown): void => {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#answer.end(error instanceof Error ? error : new Error(String(error)));
  };
}

function lowered(headers: Given): Given {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
