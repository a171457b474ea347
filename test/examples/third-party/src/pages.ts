import type { IncomingMessage, ServerResponse } from "node:http";
import { errors } from "oidc-provider";

/** Writes a text so that a browser shows it and never reads it as HTML. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

/** Whether a URL leads to a program on the computer of the browser. */
export const isLocal = (url: string): boolean =>
  URL.canParse(url) &&
  ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

/**
 * Whether what is sent to a URL is safe on its way: it is https, or stays on
 * the computer.
 */
export function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (
    (protocol === "https:" || (protocol === "http:" && isLocal(url))) &&
    username + password === ""
  );
}

/** A page without scripts. `body` is HTML whose texts are escaped. */
export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title><h1>${title}</h1>${body}</html>`;

export function sendPage(
  response: ServerResponse,
  status: number,
  title: string,
  body: string,
): void {
  const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";
  response
    .setHeader("content-security-policy", policy)
    .setHeader("referrer-policy", "no-referrer");
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  });
  response.end(page(title, body));
}

export const redirect = (response: ServerResponse, url: string): void =>
  void response
    .writeHead(303, { location: url, "cache-control": "no-store" })
    .end();

/**
 * A cookie that only this origin can set and read, for some seconds. Browsers
 * take it on http from this machine too.
 */
export const setCookie = (
  response: ServerResponse,
  name: string,
  value: string,
  seconds: number,
): void =>
  void response.appendHeader(
    "set-cookie",
    `__Host-${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`,
  );

export function cookieOf({ headers }: IncomingMessage, name: string): string {
  const cookies = (headers.cookie ?? "")
    .split(/; */)
    .map((one) => one.split("="));
  return cookies.find(([key]) => key === `__Host-${name}`)?.[1] ?? "";
}

/** The fields of a form. Rejects if it is longer than any form of ours. */
export async function readForm(
  request: IncomingMessage,
): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    if ((size += chunk.length) > 10_000)
      throw new errors.InvalidRequest("the form is too long", 413);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
