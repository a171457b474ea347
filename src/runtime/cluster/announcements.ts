import type { Params } from "../message.js";
import type { Elicitations, ServerEngineSession, ServerSessionConfig } from "../session/config.js";
import { elicitationIdOf } from "../session/elicitation.js";
import type { LegacyServer } from "../session/legacy-server.js";
import { warn } from "../report.js";
import type { Bus, Clock } from "./bus.js";
import type { SharedRecords } from "../role/tasks/shared.js";
import { keyOf } from "./records.js";
import type { Session } from "./session.js";

/** How long repetitions of an announcement are gathered into one entry, in milliseconds. */
const gatherTime = 50;
/** How long it is known which session got a URL elicitation, in milliseconds: one day. */
const elicitationTime = 86_400_000;

/** What announcements to other processes need. */
export interface AnnouncementHost {
  readonly bus: Bus;
  readonly records: SharedRecords;
  readonly clock: Clock;
  /** The functions that send the announcements that are still being gathered. */
  readonly waiting: Map<string, () => void>;
  report(error: unknown): void;
}

/** A server whose sessions and URL elicitations are known to the cluster. It has no `publish`: what other processes announce ends here. */
export const shareServer = (config: ServerSessionConfig, host: AnnouncementHost): ServerSessionConfig => ({
  ...config,
  sessions: openSessions(),
  elicitations: sharedElicitations(host),
});

/** The function that passes announcements of a server to the sessions in other processes. */
export function publisher(
  { info, settings, elicitations }: ServerSessionConfig,
  { bus, records, clock, waiting, report }: AnnouncementHost,
): (method: string, params: Params) => void {
  /** Only the client that got a URL elicitation is notified when it completes (ELIC-11). */
  async function complete(method: string, params: Params, id: string): Promise<void> {
    // The session of this process has it already, but the client may listen elsewhere.
    const asking = elicitations.get(id)?.session.deref();
    const key = asking ? sharedOf(asking)?.key : await records.get<string>(await keyOf("elicitation", id));
    if (key !== undefined)
      bus.publish({ kind: "notice", key, method, params, isToldHere: asking !== undefined });
    else if (asking) return;
    else warn(settings, `${method} was not sent: no client got an elicitation with this elicitationId.`);
  }

  return (method, params) => {
    const elicitation = elicitationIdOf(params);
    if (elicitation !== undefined) return void complete(method, params, elicitation).catch(report);
    const entry = { kind: "announcement", server: info["name"], method, params };
    const key = JSON.stringify(entry);
    if (waiting.has(key)) return;
    const send = (): void => {
      if (waiting.delete(key) && !bus.publish(entry))
        report(new Error(`${method} is too long for another process.`));
    };
    waiting.set(key, send);
    clock.after(gatherTime, send);
  };
}

/** The URL elicitations of this process, whose sessions the store knows too. */
function sharedElicitations({ records, report }: AnnouncementHost): Elicitations {
  const all: Elicitations = new Map();
  const set = all.set.bind(all);
  return Object.assign(all, {
    // Another process may have sent it.
    has: () => true,
    set(id: string, value: Parameters<typeof set>[1]) {
      const key = sharedOf(value.session.deref())?.key;
      if (key !== undefined)
        keyOf("elicitation", id)
          .then((name) => records.set(name, key, elicitationTime))
          .catch(report);
      return set(id, value);
    },
  });
}

/** The session that other processes have too, of a server over HTTP. */
const sharedOf = (session: unknown): Session | undefined =>
  (session as LegacyServer | undefined)?.connection.transport.shared as Session | undefined;

/** The open sessions of a server. A shared one learns here of its server in this process. */
function openSessions(): Set<ServerEngineSession> {
  const all = new Set<ServerEngineSession>();
  const [add, remove] = [all.add.bind(all), all.delete.bind(all)];
  return Object.assign(all, {
    add(session: ServerEngineSession) {
      sharedOf(session)?.attach(session as LegacyServer);
      return add(session);
    },
    delete(session: ServerEngineSession) {
      sharedOf(session)?.detach();
      return remove(session);
    },
  });
}
