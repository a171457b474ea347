import { setTimeout as pause } from "node:timers/promises";
import { legacyRevisions } from "../runtime/kit/index.js";
import { Random } from "../vectors/random.js";
import {
  callAgain,
  type Listener,
  listenAgain,
  principals,
  spendAgain,
  statusOf,
  streamAgain,
  taskAgain,
} from "./actors.js";
import type { Kind } from "./clients.js";
import type { Evidence, SessionRecord } from "./evidence.js";
import { type Fault, secrets } from "./faults.js";
import { RawClient } from "./raw.js";
import { startServer } from "./server.js";
import type { Stage } from "./stage.js";
import { startBalancer, startEngine, startWire, until } from "./topology.js";
import type { Run } from "./world.js";

/** How often a client of each kind calls a tool, in milliseconds. */
export interface Cast {
  readonly callers: readonly Kind[];
  readonly asked: readonly Kind[];
  readonly listeners: readonly Kind[];
}

/**
 * Starts everything, does each fault at a random moment while all clients work,
 * and returns the run.
 */
export async function runFaults(
  stage: Stage,
  seed: number,
  cast: Cast,
  faults: readonly Fault[],
  library: string,
): Promise<Run> {
  const random = new Random(seed);
  // First, so that the seed alone decides the order.
  const order = shuffled(faults, random);
  const engine = await startEngine(stage);
  const wire = await startWire(stage, () => engine.port);
  const options = {
    secrets: secrets.slice(0, 1),
    engine: { port: wire.port, library },
  };
  const server = await startServer(stage, 3, options);
  const balancer = await startBalancer(stage, server.ports);
  const evidence: Evidence = {
    calls: [],
    streams: [],
    tasks: [],
    listeners: [],
    sessions: [],
    proofs: [],
    harms: [],
    episodes: [],
  };
  const run: Run = {
    world: { server, balancer, engine, wire },
    evidence,
    random,
    isOn: true,
    isQuiet: false,
  };
  const { turns, hashed } = balancer;
  const [publisher] = cast.callers;
  const actors = [
    ...cast.callers.map((kind) => callAgain(run, kind, "bump", 100)),
    ...cast.asked.map((kind) => callAgain(run, kind, "ask", 200)),
    ...(publisher ? [callAgain(run, publisher, "score", 200)] : []),
    streamAgain(run, turns, "2025-11-25"),
    streamAgain(run, hashed, "2025-06-18"),
    spendAgain(run),
    taskAgain(run, "2025-11-25", "work"),
    taskAgain(run, "2025-11-25", "steps"),
    taskAgain(run, "2026-07-28", "work"),
    taskAgain(run, "2026-07-28", "steps"),
  ];
  const listeners = await Promise.all(
    cast.listeners.map((kind) => listenAgain(run, kind)),
  );
  const sessions = await Promise.all(
    legacyRevisions.map((revision) =>
      RawClient.open(turns, revision, random.pick(principals)),
    ),
  );
  const ended: RawClient[] = [];
  for (const fault of order) {
    const begin = Date.now();
    await pause(500 + random.below(1000));
    const from = Date.now();
    await fault.run(run);
    const until = Date.now();
    await pause(1000);
    run.isQuiet = true;
    if (fault.forgets === Infinity) {
      ended.length = 0;
      await Promise.all(listeners.map(({ renew }) => renew()));
    }
    await settle(run, listeners);
    await visit(run, sessions, ended);
    await compareTasks(run, begin, fault.forgets ? 15_000 : 0);
    run.isQuiet = false;
    evidence.episodes.push({
      fault: fault.name,
      begin,
      from,
      until,
      end: Date.now(),
    });
  }
  run.isOn = false;
  await Promise.all([...actors, ...listeners.map(({ done }) => done)]);
  return run;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0] as T);
}

/** Waits until all listeners know the truth, at most 30 seconds. */
async function settle(
  { world, evidence }: Run,
  listeners: readonly Listener[],
): Promise<void> {
  const end = Date.now() + 30_000;
  // A call that changes the resource may still be open.
  const isSettled = (): boolean =>
    listeners.every(({ known }) => known === world.server.truth());
  while (Date.now() < end && !isSettled()) await pause(50);
  const truth = world.server.truth();
  for (const { name, known } of listeners)
    evidence.listeners.push({ name, at: Date.now(), known, truth });
}

const urlsOf = ({ world }: Run): string[] =>
  world.server.ports.map((port) => `http://127.0.0.1:${port}/mcp`);

/**
 * Calls each process with the ids of live sessions, of ended ones, and of
 * another principal. Ends one session more. A process that has not heard of an
 * end yet, or has to wait for the record of a session, is asked again.
 */
async function visit(
  run: Run,
  live: readonly RawClient[],
  ended: RawClient[],
): Promise<void> {
  const { world, random, evidence } = run;
  const send = async (
    is: SessionRecord["is"],
    client: RawClient,
    principal?: string,
  ): Promise<void> => {
    for (const url of urlsOf(run)) {
      let status = 200;
      for (
        let asked = 0;
        status === 200 && asked < (is.startsWith("ended") ? 10 : 1);
        asked++
      ) {
        if (asked > 0) await pause(1000);
        const response = await client.request(url, "tools/list", {}, principal);
        await response.text();
        status = response.status;
      }
      const { revision } = client.revision;
      evidence.sessions.push({ at: Date.now(), is, revision, status });
    }
  };
  const leaving = await RawClient.open(
    world.balancer.turns,
    random.pick(legacyRevisions),
    random.pick(principals),
  );
  const url = random.pick(urlsOf(run));
  // A process that has just lost its connection to the engine refuses it, and
  // the session stays.
  for (let status = 503; status === 503; await pause(200)) {
    const response = await leaving.send(url, "DELETE");
    await response.text();
    ({ status } = response);
  }
  await send("ended", leaving);
  for (const client of ended) await send("ended before", client);
  ended.push(leaving);
  for (const client of live) await send("live", client);
  const [client] = live;
  if (client)
    await send(
      "foreign",
      client,
      principals.find((one) => one !== client.principal),
    );
}

/**
 * Asks each process for the status of the tasks that ended since a time: again
 * for `patience` milliseconds while they do not tell the same.
 */
async function compareTasks(
  run: Run,
  since: number,
  patience: number,
): Promise<void> {
  const end = Date.now() + patience;
  for (const { taskId, client, told, ended } of run.evidence.tasks) {
    if (taskId === undefined || ended < since) continue;
    do {
      told.length = 0;
      for (const url of urlsOf(run))
        told.push(
          await until("an answer about a task", () =>
            statusOf(client, url, taskId),
          ),
        );
      if (!told.includes("working") && new Set(told).size === 1) break;
      await pause(500);
    } while (Date.now() < end);
  }
}
