import { setTimeout as pause } from "node:timers/promises";
import type { Harm } from "./evidence.js";
import type { ProgramOptions, Server } from "./server.js";
import { command } from "./topology.js";
import type { Run, World } from "./world.js";

/** The time after which the others take a process for dead, in milliseconds. */
export const lease = 10_000;

/** A fault, which is over when `run` resolves. */
export interface Fault {
  readonly name: string;
  /**
   * What may fail meanwhile: what is in a process that is harmed, what needs
   * the engine, or what is sent over an idle connection.
   */
  readonly harms: "process" | "engine" | "connections" | "nothing";
  /**
   * What the engine has confirmed within this time may be gone afterwards, in
   * milliseconds. Redis waits up to two seconds with `appendfsync everysec`
   * before it writes, if the disk is busy.
   */
  readonly forgets?: number;
  run(run: Run): Promise<unknown>;
}

/**
 * Ends the process at a place, starts the next one there, and keeps a record of
 * it.
 */
async function replace(
  { server, harms }: { readonly server: Server; readonly harms: Harm[] },
  place: number,
  signal: "SIGKILL" | "SIGTERM",
  options?: ProgramOptions,
): Promise<void> {
  const isAsked = signal === "SIGTERM";
  const record = {
    pid: server.program(place).pid,
    from: Date.now(),
    until: Infinity,
    isAsked,
  };
  harms.push(record);
  await server.replace(place, signal, options);
  record.until = Date.now();
}

/** Lets one process stand still. */
async function freeze(
  run: Run,
  work: (place: number, pid: number) => Promise<unknown>,
): Promise<void> {
  const { world, evidence, random } = run;
  const place = random.below(world.server.ports.length);
  const { pid } = world.server.program(place);
  const record = { pid, from: Date.now(), until: Infinity };
  evidence.harms.push(record);
  await work(place, pid);
  // It has to read what has arrived meanwhile.
  record.until = Date.now() + 3000;
}

const partsOf = ({ world, evidence }: Run) => ({
  server: world.server,
  harms: evidence.harms,
});

const places = ({ server }: World): number[] =>
  server.ports.map((_, place) => place);

export const secrets = [1, 2].map(
  (n) => `the secret number ${n} of a test, long enough`,
) as [string, string];

export const faults: readonly Fault[] = [
  {
    name: "a process is killed",
    harms: "process",
    run: (run) =>
      replace(
        partsOf(run),
        run.random.below(run.world.server.ports.length),
        "SIGKILL",
      ),
  },
  {
    name: "a process stands still for longer than its lease",
    harms: "process",
    run: (run) =>
      freeze(run, async (_, pid) => {
        process.kill(pid, "SIGSTOP");
        await pause(lease * 1.5);
        process.kill(pid, "SIGCONT");
      }),
  },
  {
    name: "a process stands still and the balancer closes its connections",
    harms: "process",
    run: (run) =>
      freeze(run, async (place, pid) => {
        process.kill(pid, "SIGSTOP");
        await pause(1000);
        run.world.balancer.cut(place);
        await pause(lease * 1.5);
        process.kill(pid, "SIGCONT");
      }),
  },
  {
    name: "a process computes for two leases without a pause",
    harms: "process",
    run: (run) =>
      freeze(run, async (place) => {
        run.world.server.tell(place, { block: lease * 2 });
        await pause(lease * 2);
      }),
  },
  {
    name: "all processes are deployed anew, one after the other",
    harms: "process",
    async run(run) {
      for (const place of places(run.world)) {
        await replace(partsOf(run), place, "SIGTERM");
        await pause(500);
      }
    },
  },
  {
    name: "the secrets change, in two steps",
    harms: "process",
    async run(run) {
      const [current, next] = secrets;
      for (const list of [
        [current, next],
        [next, current],
      ])
        for (const place of places(run.world))
          await replace(partsOf(run), place, "SIGTERM", { secrets: list });
    },
  },
  {
    name: "the clock of a process goes ten minutes ahead",
    harms: "nothing",
    async run({ world, random }) {
      const place = random.below(world.server.ports.length);
      world.server.tell(place, { clock: 600_000 });
      await pause(5000);
      world.server.tell(place, { clock: 0 });
    },
  },
  {
    name: "the balancer is reloaded",
    harms: "connections",
    async run({ world }) {
      world.balancer.reload();
      await pause(3000);
    },
  },
  {
    name: "the engine is killed and started again",
    harms: "engine",
    forgets: 2000,
    async run({ world }) {
      await world.engine.kill();
      await world.engine.restart();
    },
  },
  {
    name: "the engine is away for longer than a lease",
    harms: "engine",
    forgets: 2000,
    async run({ world }) {
      await world.engine.kill();
      await pause(lease * 1.5);
      await world.engine.restart();
    },
  },
  {
    name: "the engine does not answer for five seconds",
    harms: "engine",
    async run({ world }) {
      world.wire.stall();
      await pause(5000);
      world.wire.pass();
    },
  },
  {
    name: "the engine is slow",
    harms: "nothing",
    async run({ world }) {
      world.wire.delay(200);
      await pause(5000);
      world.wire.pass();
    },
  },
  {
    name: "the connections to the engine are cut with replies on their way",
    harms: "engine",
    async run({ world, random }) {
      for (let cut = 0; cut < 5; cut++) {
        world.wire.cut();
        await pause(random.below(500));
      }
    },
  },
  {
    name: "a replica takes over from the engine",
    harms: "engine",
    forgets: 2000,
    run: ({ world }) => world.engine.failOver(),
  },
  {
    name: "the engine is wiped",
    harms: "engine",
    forgets: Infinity,
    run: ({ world }) => command(world.engine.port, "FLUSHALL"),
  },
];

/**
 * Kills one process after the other, one each second, while the work goes on.
 * Returns what was killed.
 */
export async function killEachSecond(
  server: Server,
  work: () => Promise<unknown>,
): Promise<Harm[]> {
  const harms: Harm[] = [];
  const stopped = new AbortController();
  const kill = async (): Promise<void> => {
    for (let turn = 0; !stopped.signal.aborted; turn++) {
      await pause(1000);
      await replace({ server, harms }, turn % server.ports.length, "SIGKILL");
    }
  };
  const killing = kill();
  await work()
    .finally(() => stopped.abort())
    .finally(() => killing);
  return harms;
}
