import { declares } from "../core/capabilities.js";
import type {
  ServerEngineSession,
  ServerSessionConfig,
} from "../core/session/config.js";

/**
 * Sends each notification that a client may have missed: that each list has
 * changed, and everything that it follows. A superfluous notification is
 * harmless, because it only says what the client may fetch again.
 */
export function resendNotifications(
  config: ServerSessionConfig,
  session: ServerEngineSession,
): void {
  for (const row of announced(config))
    if (row.checks.optional) session.announce(row, undefined);
  for (const subject of session.followed)
    if (typeof subject === "string") resendSubject(config, session, subject);
}

/**
 * Sends the notifications that a client may have missed about something that it
 * follows.
 */
export function resendSubject(
  config: ServerSessionConfig,
  session: ServerEngineSession,
  value: string,
): void {
  for (const row of announced(config))
    if (row.subject !== undefined)
      session.announce(row, { [row.subject]: value });
}

/** The notifications that the server declares. */
const announced = ({ side, capabilities }: ServerSessionConfig) =>
  Object.values(side.outgoingNotifications).filter(
    ({ needs, needsOf }) =>
      needs && needsOf !== "client" && declares(capabilities, needs),
  );
