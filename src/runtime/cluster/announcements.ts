import { getOwn, type JsonObject } from "../../shared/object.js";
import type { Params } from "../message.js";
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

/** What the announcements of a process need. */
export interface AnnouncementHost {
  readonly bus: Bus;
  readonly records: Records;
  readonly clock: Clock;
  readonly local: ReadonlyMap<string, Session>;
}

/** An announcement for the sessions in other processes. */
interface Announcement extends BusEntry {
  readonly kind: "announcement";
  readonly server: string;
  readonly revisions: string[];
  readonly method: string;
  readonly params?: JsonObject | undefined;
  /** The only session that gets it. */
  readonly to?: string | undefined;
}

/** Passes announcements of the servers of this process on, and those of others to the sessions here. */
export class SharedAnnouncements {
  readonly #host: AnnouncementHost;
  readonly #configs: ServerSessionConfig[] = [];
  readonly #waiting = new Map<string, Announcement>();

  constructor(host: AnnouncementHost) {
    this.#host = host;
  }

  get configs(): readonly ServerSessionConfig[] {
    return this.#configs;
  }

  /** The configuration of a server whose announcements reach all processes. */
  join(config: ServerSessionConfig): ServerSessionConfig {
    const publish: ServerSessionConfig["publish"] = (method, params) => this.#publish(joined, method, params);
    const elicitations = new SharedElicitations(this.#host.records);
    const sessions = new OpenSessions();
    const joined: ServerSessionConfig = { ...config, sessions, elicitations, publish };
    this.#configs.push(joined);
    return joined;
  }

  /** Sends the announcements that are still being gathered. */
  flush(): void {
    for (const entry of this.#waiting.values()) this.#host.bus.publish(entry);
    this.#waiting.clear();
  }

  receive({ server, revisions, method, params, to }: Announcement, isOwn: boolean): void {
    if (to !== undefined) return this.#host.local.get(to)?.server?.emit(method, params);
    if (isOwn) return;
    for (const { side, info, sessions } of this.#configs) {
      const facts = getOwn(side.outgoingNotifications, method)?.facts;
      if (!facts || info["name"] !== server || !revisions.includes(side.revision.revision)) continue;
      for (const session of sessions)
        session.coalesce(`all ${method}`, params, () => session.announce(facts, params), setTimeout);
    }
  }

  #publish(config: ServerSessionConfig, method: string, params: Params): void {
    const elicitation = elicitationIdOf(params);
    if (elicitation !== undefined) return void this.#complete(config, method, params, elicitation);
    const server = String(config.info["name"]);
    const { revision } = config.side.revision;
    const key = JSON.stringify([server, method, params]);
    const waiting = this.#waiting.get(key);
    if (waiting?.revisions.includes(revision)) return;
    if (waiting) return void waiting.revisions.push(revision);
    const entry: Announcement = { kind: "announcement", server, revisions: [revision], method, params };
    this.#waiting.set(key, entry);
    this.#host.clock.after(gatherTime, () => {
      if (this.#waiting.delete(key)) this.#host.bus.publish(entry);
    });
  }

  /** Only the client that got a URL elicitation is notified when it completes (ELIC-11). */
  async #complete(
    { elicitations, settings, side }: ServerSessionConfig,
    method: string,
    params: Params,
    id: string,
  ): Promise<void> {
    // The session of this process has it already.
    if (elicitations.get(id)?.session.deref()) return;
    const { value: to } = (await this.#host.records.look<string>(await elicitationKey(id))) ?? {};
    if (to === undefined)
      return warn(settings, `${method} was not sent: no client got an elicitation with this elicitationId.`);
    const { revision } = side.revision;
    this.#host.bus.publish({ kind: "announcement", revisions: [revision], method, params, to });
  }
}

/** The URL elicitations of this process, whose sessions the store knows too. */
class SharedElicitations extends Map<string, ReturnType<Elicitations["get"]> & object> {
  readonly #records: Records;

  constructor(records: Records) {
    super();
    this.#records = records;
  }

  /** Another process may have sent it. */
  override has(_id: string): boolean {
    return true;
  }

  override set(id: string, value: ReturnType<Elicitations["get"]> & object): this {
    const session = value.session.deref() as LegacyServer | undefined;
    const { shared } = session?.connection.transport ?? {};
    if (session && shared)
      elicitationKey(id)
        .then((key) => this.#records.set(key, shared.key, elicitationTime))
        .catch((error: unknown) => session.connection.report(error));
    return super.set(id, value);
  }
}

const elicitationKey = (id: string): Promise<string> => keyOf("elicitation", id);

/** The session that other processes have too, of a server over HTTP. */
const sharedOf = (session: ServerEngineSession): Session | undefined =>
  (session as LegacyServer).connection.transport.shared as Session | undefined;

/** The open sessions of a server. A shared one learns here of its server in this process. */
class OpenSessions extends Set<ServerEngineSession> {
  override add(session: ServerEngineSession): this {
    sharedOf(session)?.attach(session as LegacyServer);
    return super.add(session);
  }

  override delete(session: ServerEngineSession): boolean {
    sharedOf(session)?.detach();
    return super.delete(session);
  }
}
