import { declares } from "../session/capabilities.js";
import type { ServerEngineSession, ServerSessionConfig } from "../session/config.js";
import type { LegacyServer } from "../session/legacy-server.js";
import type { ModernServer } from "../session/modern-server.js";

/**
 * Sends each notification that a client may have missed: that each list has changed, and everything that it follows. One too many does no
 * harm, because these notifications only say what the client may fetch again.
 */
export function retell({ side, capabilities }: ServerSessionConfig, session: ServerEngineSession): void {
  for (const { facts, optional } of Object.values(side.outgoingNotifications)) {
    const { needs, needsOf, subject } = facts;
    if (!needs || needsOf === "client" || !declares(capabilities, needs)) continue;
    if (subject !== undefined)
      for (const value of subjectsOf(session)) session.announce(facts, { [subject]: value });
    else if (optional) session.announce(facts, undefined);
  }
}

/** What a client follows, in a session of either era. */
function subjectsOf(session: ServerEngineSession): readonly string[] {
  const { subscriptions, streams } = session as Partial<LegacyServer & ModernServer>;
  const filters = [...(streams?.streams ?? [])].flatMap(({ filter }) => Object.values(filter).flat());
  return [...(subscriptions?.keys() ?? []), ...filters].filter((one) => typeof one === "string");
}
