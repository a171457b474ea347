import { invalidAt, SessionError } from "../errors.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import { type Reporting, warn } from "../report.js";
import type { Connection } from "../jsonrpc/connection.js";
import type { ServerSessionConfig } from "./config.js";

/** Names of query parameters that suggest secrets or personal data. */
const sensitiveName = /token|secret|passw|api[-_]?key|session|e-?mail/i;

/** True for a part of a URL such as `token=…`, or with an address of e-mail. */
function isSensitive(part: string): boolean {
  const [name = "", ...values] = part.split("=");
  if (values.length > 0 && sensitiveName.test(name)) return true;
  return [name, ...values].some((text) => {
    const at = text.slice(1).search(/@|%40/);
    return at !== -1 && /.\.[a-z]/is.test(text.slice(at + 2));
  });
}

/**
 * Warns if the URL of an elicitation seems to contain secrets or personal data (ELIC-21), or if a form contains a URL (ELIC-17).
 *
 * @throws ValidationError for a URL with a user name or a password.
 */
export function adviseQuestion(method: string, params: unknown, reporting: Reporting): void {
  if (!isObject(params)) return;
  if (params["mode"] === "url") {
    const { username, password, pathname, search, hash } = new URL(String(params["url"]));
    if (username !== "" || password !== "") {
      const message = "params.url: expected a URL without a user name and a password";
      throw invalidAt(method, message, ["params", "url"]);
    }
    if ((pathname + search + hash).split(/[/?&#;]/).some(isSensitive))
      warn(
        reporting,
        `${method}: the URL seems to contain secrets or personal data, which anyone who has the URL can read.`,
      );
  } else if ("requestedSchema" in params && textsIn(params).some((text) => /https?:\/\//i.test(text)))
    warn(reporting, `${method}: the form contains a URL. To send the user to a page, use URL mode.`);
}

/** The texts that a user reads: the message, and the titles and descriptions of the form and its fields. */
function textsIn({
  message,
  title,
  description,
  requestedSchema,
  properties,
  ...rest
}: JsonObject): string[] {
  const texts = [message, title, description].filter((text): text is string => typeof text === "string");
  const choices = [rest["items"], rest["oneOf"], rest["anyOf"]].flat();
  const parts = [requestedSchema, ...Object.values(Object(properties) as JsonObject), ...choices];
  return [...texts, ...parts.filter(isObject).flatMap(textsIn)];
}

/** Maximum number of URL elicitations that a server stores. */
const maxElicitations = 10_000;

/** The `elicitationId` of params, which identifies a page that the client opens in URL mode; undefined without one. */
export function elicitationIdOf(params: unknown): string | undefined {
  const id = isObject(params) ? params["elicitationId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** What is needed of a session here, which is of the server. A client imports this file, too. */
interface ServerSession {
  readonly config: Pick<ServerSessionConfig, "elicitations">;
  readonly connection: Pick<Connection, "transport">;
}

/**
 * Stores the URL elicitation of a session, so that only this client is notified when it completes (ELIC-11).
 *
 * @throws SessionError for an id that the server already used for another URL or session (ELIC-20).
 */
export function rememberElicitation(session: ServerSession, question: unknown): void {
  const { elicitations } = session.config;
  const id = elicitationIdOf(question);
  if (id === undefined) return;
  const { url } = question as JsonObject;
  const existing = elicitations.get(id);
  if (existing && (existing.url !== url || existing.session.deref() !== session)) {
    const text = `The elicitationId ${JSON.stringify(id)} is used for another URL; use a new id for each.`;
    throw new SessionError("repeat", text);
  }
  elicitations.set(id, { session: new WeakRef(session), url });
  session.connection.transport.shared?.elicited(id);
  for (const oldest of elicitations.keys()) {
    if (elicitations.size <= maxElicitations) return;
    elicitations.delete(oldest);
  }
}
