import { declares } from "../session/capabilities.js";
import type { HttpCluster, HttpSessions, OwnSessions } from "../role/http-server/cluster.js";
import type { ServerDefinition } from "../role/server.js";
import type { TaskBoard, TaskCluster } from "../role/tasks/board.js";
import type { TaskHost } from "../role/tasks/shared.js";
import type { ClusterHealth } from "../session/cluster-port.js";
import type { ServerSessionConfig } from "../session/config.js";
import { RateLimit } from "../quota.js";
import { newTexts, report, type Reporting, warn } from "../report.js";
import { getOwn, type JsonObject } from "../../shared/object.js";
import { within } from "../../shared/timing.js";
import type { Capabilities } from "../tables.js";
import { SharedAnnouncements } from "./announcements.js";
import { Bus, type BusEntry, type Clock, lease, realClock } from "./bus.js";
import type { Secrets } from "../../shared/secrets.js";
import { Keys, type Sealer } from "./keys.js";
import { Records } from "./records.js";
import { retell } from "./retell.js";
import type { Session, SessionHost } from "./session.js";
import { SharedSessions } from "./sessions.js";
import type { SharedStore } from "./store.js";

/** Options of `cluster`. */
export interface ClusterOptions {
  /**
   * Secrets of at least 32 bytes, the same in all processes. The first one seals, all of them open. To replace it, first deploy the new one as
   * the second, then as the first.
   */
  readonly secrets: Secrets;
  /**
   * What the processes share: without it, only plain calls. With it, also announcements, questions to clients, log levels, subscriptions and
   * the end of sessions.
   */
  readonly store?: SharedStore | undefined;
  /** How long a session lasts, in milliseconds; 2,592,000,000 by default, which is 30 days. */
  readonly sessionTime?: number | undefined;
  /**
   * `"sealed"`, the default: the id of a session is encrypted and says all about it, in up to 1,024 characters. `"stored"`: the id has 25
   * characters, and the store has the rest.
   */
  readonly sessions?: "sealed" | "stored" | undefined;
}

/** The number of requests per second that one session may pass on to other processes. */
const forwardRate = 200;

/**
 * Makes a server of several processes, in each of which this function is called with the same options: any of them answers any request.
 *
 * @throws TypeError for a secret that is missing or shorter than 32 bytes, and for `sessions: "stored"` without a store.
 */
export function cluster(options: ClusterOptions): HttpCluster {
  return clusterWithClock(options, realClock);
}

/** The same with a clock for its log: sessions end by that of the system. */
export const clusterWithClock = (options: ClusterOptions, clock: Clock): HttpCluster =>
  new Member(options, clock);

/** One process of a cluster. */
class Member implements HttpCluster, TaskCluster {
  readonly #options: ClusterOptions;
  readonly #keys: Keys;
  readonly #self = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  readonly #local = new Map<string, Session>();
  readonly #host: SessionHost;
  readonly #announcements: SharedAnnouncements | undefined;
  #tasks: TaskBoard | undefined;
  readonly #sealers = new Map<string, Sealer>();
  readonly #isNew = newTexts();
  #reporting: Reporting = {};
  #count = 0;
  #handlers = 0;
  #isStarted = false;
  #isCatchingUp = false;
  #isBehind = false;

  constructor(options: ClusterOptions, clock: Clock) {
    const { secrets, store, sessions } = options;
    this.#options = options;
    this.#keys = new Keys(secrets);
    if (sessions === "stored" && !store)
      throw new TypeError('cluster: sessions: "stored" needs the option `store`.');
    const local = this.#local;
    const count = (): number => ++this.#count;
    const host = { self: this.#self, local, count, rate: new RateLimit(forwardRate) };
    if (!store) {
      this.#host = host;
      return;
    }
    const records = new Records(store, this.#keys.sealer("records"));
    const bus = new Bus({
      store,
      clock,
      self: this.#self,
      seal: (author, count, text) => this.#sealerOf(author).seal(text, String(count)),
      open: (author, count, sealed) => this.#sealerOf(author).open(sealed, String(count)),
      receive: (entry, author) => this.#receive(entry, author),
      lost: () => void this.#catchUp().catch(this.#failed),
      foreign: () =>
        this.#warn(
          "cluster: another process has other secrets, or somebody else writes to the store. Give all processes the same secrets.",
        ),
      report: this.#failed,
    });
    this.#host = { ...host, records, bus };
    this.#announcements = new SharedAnnouncements({ bus, records, clock, local });
  }

  stateKeys(): Promise<readonly Uint8Array[]> {
    return this.#keys.bytes("state");
  }

  join(config: ServerSessionConfig): ServerSessionConfig {
    this.#reporting = config.settings;
    if (!this.#announcements) return withoutState(config);
    if (!this.#isStarted) this.#host.bus?.start();
    this.#isStarted = true;
    return this.#announcements.join(config);
  }

  share(own: OwnSessions, servers: readonly ServerDefinition[]): HttpSessions {
    const configs = servers.map(({ core }) => core);
    if (configs.some(({ settings }) => settings.cluster !== this))
      throw new TypeError(
        "createHttpHandler: cluster: expected the cluster that createServers has, or no such option.",
      );
    const { sessions, sessionTime = 2_592_000_000 } = this.#options;
    this.#handlers++;
    return new SharedSessions(own, {
      host: this.#host,
      sealer: this.#keys.sealer("session"),
      configs: configs.filter(({ side }) => side.revision.opening === "initialize"),
      time: sessionTime,
      isStored: sessions === "stored",
      closed: async () => {
        if (--this.#handlers === 0) await this.close();
      },
    });
  }

  shareTasks(make: (host: TaskHost) => TaskBoard): TaskBoard | undefined {
    const { self, records, bus } = this.#host;
    if (records && bus) this.#tasks ??= make({ self, records, bus });
    return this.#tasks;
  }

  health(): ClusterHealth {
    const { self, bus } = this.#host;
    return { process: self, ...(bus && { isConnected: bus.isConnected, unsent: bus.unsent }) };
  }

  async close(): Promise<void> {
    this.#announcements?.flush();
    await this.#host.bus?.close();
  }

  readonly #failed = (error: unknown): void => report(this.#reporting, error, "cluster");

  #warn(text: string): void {
    if (this.#isNew(text)) warn(this.#reporting, text);
  }

  /** Each process has keys of its own, so that no key encrypts too much. Anyone who writes to the store chooses names. */
  #sealerOf(author: string): Sealer {
    let sealer = this.#sealers.get(author);
    if (!sealer) {
      if (this.#sealers.size >= 1000) this.#sealers.clear();
      this.#sealers.set(author, (sealer = this.#keys.sealer(`bus ${author}`)));
    }
    return sealer;
  }

  #receive(entry: BusEntry, author: string): void {
    const isOwn = author === this.#self;
    if (entry.kind === "announcement") return this.#announcements?.receive(entry as never, isOwn);
    if (entry.kind === "task-changed" && !isOwn) return this.#tasks?.changed(String(entry["key"]));
    const session = this.#local.get(String(entry["key"]));
    if (isOwn || !session) return;
    if (entry.kind === "message") session.deliver(entry["message"]);
    if (entry.kind === "session") void session.refresh().catch(this.#failed);
  }

  /** After entries may have been missed: reads again what they could have said, and tells clients what they could have heard. */
  async #catchUp(): Promise<void> {
    this.#isBehind = true;
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    while (this.#isBehind) {
      this.#isBehind = false;
      this.#tasks?.changed();
      for (const session of this.#local.values()) {
        // A session whose record cannot be read must not keep the others waiting.
        await within(lease, session.catchUp()).catch(this.#failed);
      }
      for (const config of this.#announcements?.configs ?? [])
        for (const session of config.sessions) retell(config, session);
    }
    this.#isCatchingUp = false;
  }
}

/** A legacy server without what only a store could keep: the level of logs and subscriptions of a session. */
function withoutState(config: ServerSessionConfig): ServerSessionConfig {
  const { incomingRequests, revision } = config.side;
  if (revision.opening !== "initialize") return config;
  const { setLevel, subscribe } = revision.wellKnown;
  let { capabilities } = config;
  for (const method of [setLevel, subscribe]) {
    const needs = getOwn(incomingRequests, method)?.facts.needs;
    if (needs && declares(capabilities, needs)) capabilities = without(capabilities, needs);
  }
  return { ...config, capabilities };
}

function without(capabilities: JsonObject, needs: Capabilities): JsonObject {
  const entries = Object.entries(capabilities).flatMap(([name, value]): [string, unknown][] => {
    const inner = needs[name];
    if (inner === undefined) return [[name, value]];
    if (inner === true || Object.keys(inner).length === 0) return [];
    return [[name, without(value as JsonObject, inner)]];
  });
  return Object.fromEntries(entries);
}
