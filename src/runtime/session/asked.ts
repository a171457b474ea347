import { invalidAt, RefusedError } from "../errors.js";
import { isObject, type JsonObject } from "../message.js";
import { type Reporting, warn } from "../report.js";
import type { ServerSessionConfig } from "./config.js";

/** Names of members of a query that hold secrets or personal data. */
const telling = /[?&#;][\w-]*(token|secret|passw|api[-_]?key|session|e-?mail)[\w-]*=/i;
const address = /[^/?&#;=]+(@|%40)[^/?&#;=]+\.[a-z]/i;

/**
 * Warns of the URL of a question that seems to carry secret or personal data (ELIC-21), and of one in a form, where nobody may click on
 * it (ELIC-17). Throws a `ValidationError` for a URL with a user or a password.
 */
export function adviseQuestion(method: string, params: unknown, reporting: Reporting): void {
  if (!isObject(params)) return;
  if (params["mode"] === "url") {
    const { username, password, pathname, search, hash } = new URL(String(params["url"]));
    if (username !== "" || password !== "") {
      const message = "params.url: expected a URL without a user and a password";
      throw invalidAt(method, message, ["params", "url"]);
    }
    const rest = pathname + search + hash;
    if (telling.test(rest) || address.test(rest))
      warn(
        reporting,
        `${method}: the URL seems to contain secrets or personal data, which everyone who gets the URL can read.`,
      );
  } else if ("requestedSchema" in params && /https?:\/\//i.test(JSON.stringify(params)))
    warn(reporting, `${method}: the form contains a URL. To send the user to a page, use URL mode.`);
}

/** The number of pages that a server remembers. */
const maxPages = 10_000;

/** The id of the page that params are about, which the client opens in URL mode; undefined where they are about none. */
export function pageIdOf(params: unknown): string | undefined {
  const id = isObject(params) ? params["elicitationId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/**
 * Remembers that this session sends its client to a page, so that only this client hears when the page is done (ELIC-11).
 *
 * @throws RefusedError for an id that another page of the server has (ELIC-20).
 */
export function rememberPage({ pages }: ServerSessionConfig, session: object, question: unknown): void {
  const id = pageIdOf(question);
  if (id === undefined) return;
  const { url } = question as JsonObject;
  const known = pages.get(id);
  if (known && (known.url !== url || known.session.deref() !== session)) {
    const text = `The elicitationId ${JSON.stringify(id)} is that of another page; each page has its own.`;
    throw new RefusedError("repeat", text);
  }
  pages.set(id, { session: new WeakRef(session), url });
  for (const oldest of pages.keys()) {
    if (pages.size <= maxPages) return;
    pages.delete(oldest);
  }
}
