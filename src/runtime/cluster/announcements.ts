import type { JsonObject } from "../../shared/object.js";
import type { Params } from "../message.js";
import { announce } from "../role/server.js";
import type { Elicitations, ServerEngineSession, ServerSessionConfig } from "../session/config.js";
import { elicitationIdOf } from "../session/elicitation.js";
import type { LegacyServer } from "../session/legacy-server.js";
import { warn } from "../report.js";
import type { Bus, BusEntry, Clock } from "./bus.js";
import { keyOf, type Records } from "./records.js";
import type { Session } from "./session.js";

/** How long repetitions of an announcement are gathered into one entry, in milliseconds. */
const gatherTime = 50;
/** How long it is known which session got a URL elicitation, in milliseconds: one day. */
const elicitationTime = 86_400_000;

/** The announcements of the servers of this process. */
export interface SharedAnnouncements {
  /** The servers of this process. They have no `publish`: what other processes announced ends here. */
  readonly configs: readonly ServerSessionConfig[];
  /** The configuration of a server whose announcements reach all processes. */
  join(config: ServerSessionConfig): ServerSessionConfig;
  /** Receives an announcement of another process. */
  receive(entry: BusEntry): void;
  /** Sends the announcements that are still being gathered. */
  flush(): void;
}

/** Passes announcements of the servers of this process on, and those of others to the sessions here. */
export function shareAnnouncements(
  bus: Bus,
  records: Records,
  clock: Clock,
  report: (error: unknown) => void,
): SharedAnnouncements {
  const configs: ServerSessionConfig[] = [];
  const waiting = new Map<string, BusEntry>();

  function send(key: string): void {
    const entry = waiting.get(key);
    if (entry && !bus.publish(entry))
      report(new Error(`${String(entry["method"])}: too long for other processes.`));
    waiting.delete(key);
  }

  function publish(config: ServerSessionConfig, method: string, params: Params): void {
    const elicitation = elicitationIdOf(params);
    if (elicitation !== undefined) return void complete(config, method, params, elicitation).catch(report);
    const entry = { kind: "announcement", server: config.info["name"], method, params };
    const key = JSON.stringify(entry);
    if (waiting.has(key)) return;
    waiting.set(key, entry);
    clock.after(gatherTime, () => send(key));
  }

  /** Only the client that got a URL elicitation is notified when it completes (ELIC-11). */
  async function complete(
    { elicitations, settings }: ServerSessionConfig,
    method: string,
    params: Params,
    id: string,
  ): Promise<void> {
    // The session of this process has it already.
    if (elicitations.get(id)?.session.deref()) return;
    const key = await records.get<string>(await keyOf("elicitation", id));
    if (key !== undefined) bus.publish({ kind: "notice", key, method, params });
    else warn(settings, `${method} was not sent: no client got an elicitation with this elicitationId.`);
  }

  /** The URL elicitations of this process, whose sessions the store knows too. */
  function sharedElicitations(): Elicitations {
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

  return {
    configs,
    join(config) {
      const own = { ...config, sessions: openSessions(), elicitations: sharedElicitations() };
      if (configs.push(own) === 1) bus.start();
      const passOn = (method: string, params: Params): void => publish(own, method, params);
      return { ...own, publish: passOn };
    },
    receive({ server, method, params }) {
      for (const config of configs)
        if (config.info["name"] === server)
          announce(config, String(method), params as JsonObject | undefined);
    },
    flush() {
      for (const key of waiting.keys()) send(key);
    },
  };
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
