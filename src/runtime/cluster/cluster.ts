import type { JsonObject } from "../../common/object.js";
import { sealerFor, secretBytes, type Secrets } from "../../common/secrets.js";
import { withTimeout } from "../../common/timing.js";
import { RateLimit } from "../core/quota.js";
import { StoreError } from "../core/errors.js";
import { messageOf, report, warn } from "../core/report.js";
import type { Announce } from "../core/ports/cluster.js";
import type { HttpCluster } from "../core/ports/http-cluster.js";
import type { ClusterTasks, TaskCluster } from "../tasks/cluster-tasks.js";
import type { TaskHost } from "../tasks/record.js";
import type { RequestId } from "../core/message.js";
import type { ServerSessionConfig } from "../core/session/config.js";
import { publisher } from "./announcements.js";
import { resendNotifications } from "./resend-notifications.js";
import { makeBus } from "./bus.js";
import { type Clock, realClock } from "./clock.js";
import { type BusEntry, lease } from "./processes.js";
import { makeRoom, Records } from "./records.js";
import type { Session, SessionHost, Shared } from "./session.js";
import { shareSessions } from "./sessions.js";
import type { SharedStore } from "./store.js";

/** Options of `cluster`. */
export interface ClusterOptions {
  /**
   * Secrets of at least 32 bytes, the same in all processes. The first one
   * seals, all of them open. To replace it, first deploy the new one as the
   * second, then as the first.
   */
  readonly secrets: Secrets;
  /**
   * What the processes share: without it, only plain calls. With it, also
   * announcements, questions to clients, log levels, subscriptions and the end
   * of sessions.
   */
  readonly store?: SharedStore | undefined;
  /**
   * How long a session lasts, in milliseconds, from 1 to 1e12; 2,592,000,000 by
   * default, which is 30 days.
   */
  readonly sessionTime?: number | undefined;
  /**
   * `"sealed"`, the default: the id of a session is encrypted and says all
   * about it, in up to 1,024 characters. `"stored"`: the id has 39 characters,
   * and the store has the rest.
   */
  readonly sessions?: "sealed" | "stored" | undefined;
}

/**
 * The number of characters that a process makes a store keep of the sessions of
 * a caller, and of its answers.
 */
const roomOfCaller = 8_388_608;
/**
 * The number of notifications of a caller that a process passes on to others in
 * a second.
 */
const maxNotifications = 1000;
/**
 * The number of sessions whose records are read at once after the log was lost.
 */
const maxCatchingUp = 50;

/**
 * Makes a server of several processes, in each of which this function is called
 * with the same options: any of them answers any request.
 *
 * @throws TypeError for a secret that is missing or shorter than 32 bytes, for
 *   a `sessionTime` that is not within 1 and 1e12, and for `sessions: "stored"`
 *   without a store.
 */
export function cluster(options: ClusterOptions): HttpCluster {
  return clusterWithClock(options, realClock);
}

/** The same with a clock for its log: sessions end by that of the system. */
export function clusterWithClock(
  options: ClusterOptions,
  clock: Clock,
): HttpCluster & TaskCluster {
  const { store, sessions, sessionTime = 2_592_000_000 } = options;
  const here = makeHere(options, clock);
  const isStored = sessions === "stored";
  if (!(sessionTime >= 1 && sessionTime <= 1e12))
    throw new TypeError(
      `cluster: sessionTime: expected 1 to 1e12 milliseconds, got ${sessionTime}.`,
    );
  if (isStored && !store)
    throw new TypeError('cluster: sessions: "stored" needs `store`.');
  const { configs, sealerOf, self, waiting } = here;
  const shared = store && share(here, store);
  let names = 0;
  const host: SessionHost = {
    sealer: sealerOf("session"),
    time: sessionTime,
    isStored,
    shared,
    kept: makeRoom(roomOfCaller),
    answers: makeRoom(roomOfCaller),
    rate: new RateLimit(maxNotifications),
    newName: () => `${self()}/${++names}`,
    ...here,
  };
  let handlers = 0;
  let hasLeft = false;
  const member: HttpCluster & TaskCluster = {
    stateSealer: sealerOf("state"),
    join(config, announce) {
      here.announce = announce;
      const joined = shared
        ? { ...config, publish: publisher(config, shared, host) }
        : withoutState(config);
      if (configs.push(joined) === 1) shared?.bus.start();
      return joined;
    },
    enter(servers, own) {
      if (hasLeft)
        throw new TypeError(
          "createHttpHandler: cluster: it has ended. Call `cluster` again.",
        );
      const cores = servers.map(({ core }) => core);
      if (own && cores.some(({ settings }) => settings.cluster !== member))
        throw new TypeError(
          "createHttpHandler: cluster: expected the cluster that createServers has.",
        );
      const legacy = cores.filter(
        ({ side }) => side.revision.opening === "initialize",
      );
      let count = 1;
      handlers++;
      return {
        sessions: own && shareSessions(own, host, legacy),
        async leave() {
          handlers -= count;
          count = 0;
          if (handlers === 0) await member.close();
        },
      };
    },
    clusterTasks(make) {
      if (shared) here.tasks ??= make(shared);
      return here.tasks;
    },
    health: () => ({
      process: self(),
      isConnected: shared?.bus.isConnected,
      unsent: shared?.bus.unsent,
    }),
    async close() {
      hasLeft = true;
      for (const send of waiting.values()) send();
      await here.tasks?.close();
      await shared?.bus.close();
    },
  };
  return member;
}

/** One process of a cluster: what it serves, and what it has heard. */
type Here = ReturnType<typeof makeHere>;

function makeHere(options: ClusterOptions, clock: Clock) {
  const secrets = secretBytes(options.secrets, "cluster: secrets");
  const configs: ServerSessionConfig[] = [];
  let name: string | undefined;
  // Made late: some platforms have no random values before the first request.
  const self = (): string =>
    (name ??= crypto.randomUUID().replaceAll("-", "").slice(16));
  // An outage is told once, whatever the number of requests it refuses.
  const failed = (error: unknown): void =>
    error instanceof StoreError
      ? configs[0]?.warnOnce(`cluster: ${messageOf(error.cause)}`)
      : report(configs[0]?.settings ?? {}, error, "cluster");
  return {
    clock,
    configs,
    local: new Map<string, Session>(),
    waiting: new Map<string, () => void>(),
    announce: undefined as Announce<ServerSessionConfig> | undefined,
    tasks: undefined as ClusterTasks | undefined,
    /** True from a gap of the log until the process reads what it missed. */
    isBehind: false,
    catching: Promise.resolve(),
    sealerOf: (purpose: string) => sealerFor(secrets, purpose),
    self,
    report: failed,
  };
}

/** What this process shares with the others: records, and a log. */
function share(here: Here, store: SharedStore): Shared & TaskHost {
  const { clock, configs, report, sealerOf } = here;
  const self = here.self();
  const lost = (): void => {
    if (here.isBehind) return;
    here.isBehind = true;
    here.catching = here.catching.then(() => catchUp(here)).catch(report);
  };
  const foreign = (): void =>
    configs[0]?.warnOnce(
      "cluster: another process has other secrets. Give all the same ones.",
    );
  const back = (): void =>
    warn(configs[0]?.settings ?? {}, "cluster: the store answers again.");
  const sealer = sealerOf("bus");
  const bus = makeBus({
    receive: (entry, author) => receive(here, entry, author),
    ...here,
    self,
    store,
    sealer,
    lost,
    foreign,
    back,
  });
  return {
    self,
    bus,
    records: new Records(store, sealerOf("records"), report),
    after: (time, call) => clock.after(time, call),
    configOf: (side) => configs.find((config) => config.side === side),
  };
}

/** Gives an entry of the log to its reader. */
function receive(
  { configs, local, tasks, announce, self, report }: Here,
  entry: BusEntry,
  author: string,
): void {
  const { kind, key, server, method, params, message, id } = entry;
  const session = local.get(key as string);
  if (kind === "listens") session?.listens(author);
  if (author === self()) return;
  if (kind === "notice")
    session?.server?.emit(method as string, params as JsonObject);
  if (kind === "announcement")
    for (const config of configs)
      if (config.info["name"] === server)
        announce?.(
          { ...config, publish: undefined },
          method as string,
          params as JsonObject,
        );
  if (kind === "task-changed") tasks?.changed(key as string);
  if (kind === "gone") tasks?.sweep();
  if (kind === "message") session?.deliver(message);
  if (kind === "answer") session?.receive(id as RequestId).catch(report);
  if (kind === "session") session?.refresh().catch(report);
}

/**
 * After entries may have been missed, as when the store was away: tells clients
 * what they could have heard, and reads again what the entries could have said.
 */
async function catchUp(here: Here): Promise<void> {
  const { clock, configs, local, tasks, report } = here;
  here.isBehind = false;
  tasks?.catchUp();
  // A process of which nothing comes within a lease has stopped, perhaps before
  // this one heard of it.
  clock.after(lease, () => here.tasks?.sweep());
  // First, because the step below also notifies about new subscriptions.
  for (const config of configs)
    for (const session of config.sessions) resendNotifications(config, session);
  const left = local.values();
  const catchUpWithRest = async (): Promise<void> => {
    for (const session of left) {
      // A session whose record cannot be read must not keep the others waiting.
      await withTimeout(lease, session.catchUp()).catch(report);
    }
  };
  await Promise.all(Array.from({ length: maxCatchingUp }, catchUpWithRest));
}

/**
 * A server without what needs a store or a stream of notifications, which no
 * process offers without a store: the level of logs, subscriptions, and
 * notifications of changes. Clients of later revisions listen at one process.
 */
function withoutState(config: ServerSessionConfig): ServerSessionConfig {
  const { outgoingNotifications, revision } = config.side;
  if (revision.opening !== "initialize") return config;
  const capabilities = structuredClone(config.capabilities);
  for (const { needs, needsOf } of Object.values(outgoingNotifications))
    if (needsOf !== "client") remove(capabilities, needs);
  return { ...config, capabilities, withheld: config.capabilities };
}

/** Removes the innermost members of what a request needs. */
function remove(from: unknown, needs: unknown): void {
  const members = Object(from) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(Object(needs) as JsonObject))
    if (Object.keys(Object(inner) as object).length > 0)
      remove(members[name], inner);
    else delete members[name];
}
