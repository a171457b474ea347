import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Login, Redirect } from "../client/options.js";
import type { Awaitable } from "../../common/timing.js";
import { guardedFetch } from "./guarded-fetch.js";
import { hasBrowser, openBrowser, readPastedAddress } from "./person.js";

/** How a person signs in on this machine. */
export interface BrowserLogin {
  /**
   * Opens the page, in place of the browser of this machine. With false, the
   * URL is only shown.
   */
  readonly open?: ((url: string) => Awaitable<void>) | false;
  /** Shows text to the person. By default, writes to standard error. */
  readonly show?: (text: string) => void;
  /**
   * The redirect URI, if the client is registered with one: `http://` with the
   * host `127.0.0.1`, `[::1]` or `localhost`, a port, and a path. By default,
   * any free port of 127.0.0.1.
   */
  readonly redirectUri?: string;
}

const defaultPath = "/callback";
/** The maximum time to send the last page, in milliseconds. */
const closeTime = 500;

/**
 * Lets a person sign in with a browser. The answer comes to a page that this
 * process serves on the loopback interface meanwhile. In a remote shell, where
 * a browser cannot reach that page, the person pastes the address of the page
 * instead.
 *
 * @throws TypeError if `redirectUri` is not an http URL of this machine.
 */
export function browserLogin({
  open,
  show = showOnTerminal,
  redirectUri,
}: BrowserLogin = {}): Login {
  if (redirectUri !== undefined) checkOwnUri(redirectUri);
  return {
    fetch: guardedFetch(),
    async redirectUri(preferred): Promise<Redirect> {
      const server = await listen(
        redirectUri ?? preferred,
        redirectUri !== undefined,
      );
      const { port, path, host } = server;
      const uri = redirectUri ?? `http://${host}:${port}${path}`;
      let state: string | null = null;
      let resolve!: (answer: URLSearchParams) => void;
      const answer = new Promise<URLSearchParams>((done) => (resolve = done));
      const end = new AbortController();
      /**
       * Resolves with the parameters if their `state` is that of this sign-in.
       * Returns false for others.
       */
      const accept = (params: URLSearchParams): boolean => {
        if (state === null || params.get("state") !== state) return false;
        resolve(params);
        return true;
      };
      server.http.on(
        "request",
        (request: IncomingMessage, response: ServerResponse) =>
          serve(request, response, new URL(uri), accept),
      );
      return {
        uri,
        answer,
        async open(url) {
          state = new URL(url).searchParams.get("state");
          const isOpened = open === false ? false : await openPage(open, url);
          show(
            isOpened
              ? `If no browser opens, go to:\n${url}\n`
              : `To sign in, go to:\n${url}\n`,
          );
          if (!isOpened) readPastedAddress(accept, show, end.signal);
        },
        close() {
          end.abort();
          server.http.close();
          server.http.closeIdleConnections();
          // A connection without a request, such as one that a browser opens in
          // advance, would keep the process alive.
          setTimeout(
            () => server.http.closeAllConnections(),
            closeTime,
          ).unref();
        },
      };
    },
  };
}

const showOnTerminal = (text: string): void => void process.stderr.write(text);

async function openPage(
  open: BrowserLogin["open"],
  url: string,
): Promise<boolean> {
  if (open) {
    await open(url);
    return true;
  }
  return hasBrowser() && openBrowser(url);
}

function checkOwnUri(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(
    url?.hostname ?? "",
  );
  if (
    url?.protocol === "http:" &&
    isLoopback &&
    url.search === "" &&
    url.hash === ""
  )
    return;
  throw new TypeError(
    `The redirect URI ${JSON.stringify(text)} of browserLogin is not an http URL of this machine.`,
  );
}

interface Listener {
  readonly http: Server;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/**
 * Listens at the registered redirect URI. If its port is in use and it is not
 * fixed, listens at any free port.
 */
async function listen(
  requestedUri: string | undefined,
  isFixed: boolean,
): Promise<Listener> {
  const url =
    requestedUri !== undefined && URL.canParse(requestedUri)
      ? new URL(requestedUri)
      : undefined;
  const canListen =
    isFixed || (url?.protocol === "http:" && url.hostname === "127.0.0.1");
  const { hostname: host, pathname: path } =
    canListen && url ? url : { hostname: "127.0.0.1", pathname: defaultPath };
  const ports =
    canListen && url ? [Number(url.port || 80), ...(isFixed ? [] : [0])] : [0];
  return listenAt({ host, path }, ports);
}

/** Listens at the first of the ports that is free. */
async function listenAt(
  { host, path }: Pick<Listener, "host" | "path">,
  [port = 0, ...others]: readonly number[],
): Promise<Listener> {
  const http = createServer({
    requestTimeout: 10_000,
    maxHeaderSize: 16_384,
  });
  http.listen(port, host.replace(/[[\]]/g, ""));
  try {
    await once(http, "listening");
    return { http, host, port: (http.address() as AddressInfo).port, path };
  } catch (cause) {
    if (others.length > 0) return listenAt({ host, path }, others);
    throw new Error(
      `The page for the answer to the sign-in cannot be served at ${host}:${port}.`,
      { cause },
    );
  }
}

/**
 * Serves the page that the person returns to. Another host name in the request
 * (DNS rebinding) is answered with 404.
 */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  uri: URL,
  accept: (params: URLSearchParams) => boolean,
): void {
  const { method, url: target = "/", headers } = request;
  const url = URL.canParse(target, uri.origin)
    ? new URL(target, uri.origin)
    : undefined;
  if (
    headers.host !== uri.host ||
    url?.origin !== uri.origin ||
    url.pathname !== uri.pathname
  )
    return page(response, 404, "Nothing is here.");
  if (method !== "GET") return page(response, 405, "Only GET is allowed here.");
  if (!accept(url.searchParams))
    return page(
      response,
      400,
      "This is not the answer to the current sign-in. Go back to the program and start again.",
    );
  const isRefused = url.searchParams.has("error");
  page(
    response,
    200,
    isRefused
      ? "You are not signed in. You can close this page and go back to the program."
      : "The program continues. You can close this page.",
  );
}

/** Sends a fixed text. Nothing of the request is shown. */
function page(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      connection: "close",
    })
    .end(
      `<!doctype html><meta charset="utf-8"><title>Sign-in</title><p>${text}</p>\n`,
    );
}
