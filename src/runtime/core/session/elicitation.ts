import { SessionError } from "../errors.js";
import { elicitationIdOf } from "../message.js";
import type { JsonObject } from "../../../common/object.js";
import type { LegacyServer } from "./legacy-server.js";

/** Maximum number of URL elicitations that a server stores. */
const maxElicitations = 10_000;

/**
 * Stores the URL elicitation of a session, so that only this client is notified
 * when it completes (ELIC-11).
 *
 * @throws SessionError for an id that the server already used for another URL
 *   or session (ELIC-20).
 */
export function rememberElicitation(
  session: LegacyServer,
  question: unknown,
): void {
  const { elicitations } = session.config;
  const id = elicitationIdOf(question);
  if (id === undefined) return;
  const { url } = question as JsonObject;
  const existing = elicitations.get(id);
  if (
    existing &&
    (existing.url !== url || existing.session.deref() !== session)
  ) {
    const text = `The elicitationId ${JSON.stringify(id)} is used for another URL or session; use another.`;
    throw new SessionError("repeat", text);
  }
  elicitations.set(id, { session: new WeakRef(session), url });
  session.connection.transport.shared?.elicited(id);
  for (const oldest of elicitations.keys()) {
    if (elicitations.size <= maxElicitations) return;
    elicitations.delete(oldest);
  }
}
