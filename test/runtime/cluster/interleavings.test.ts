import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  heartbeatTime,
  type Bus,
  makeBus,
} from "../../../src/runtime/cluster/bus.js";
import { type Clock } from "../../../src/runtime/cluster/clock.js";
import {
  type BusEntry,
  lease,
} from "../../../src/runtime/cluster/processes.js";
import { Records } from "../../../src/runtime/cluster/records.js";
import type { SealedRecords } from "../../../src/runtime/tasks/record.js";
import {
  type MemorySharedStore,
  storeWithClock,
} from "../../../src/runtime/cluster/store.js";
import { runs } from "../../whole.js";

/** The number of runs. `MCPGEN_INTERLEAVINGS` changes it. */
const iterations = Number(process.env["MCPGEN_INTERLEAVINGS"] ?? runs(3000));

const plain = {
  seal: async (text: string) => text,
  open: async (text: string) => text,
};

/** What may happen next. Numbers choose a process or a subject. */
type Step =
  | {
      readonly kind: "append" | "crash" | "freeze" | "thaw" | "ask" | "claim";
      readonly one: number;
    }
  | { readonly kind: "drop" | "repeat" | "cut" | "away" | "back" }
  | { readonly kind: "pass"; readonly time: number };

const one = fc.nat(2);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("append" as const), one }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("ask" as const), one }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("claim" as const), one }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      // Most faults show after a lease.
      time: fc.constantFrom(1, 6000, 11_000, 11_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "crash" as const,
        "freeze" as const,
        "thaw" as const,
      ),
      one,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "drop" as const,
        "repeat" as const,
        "cut" as const,
        "away" as const,
        "back" as const,
      ),
    }),
  },
);

/** Lets everything happen that waits for no time. */
const settle = (): Promise<void> =>
  new Promise((resolve) => setImmediate(resolve));

/** What the store says when it fails. */
const broken = "The connection broke.";
const away = "The engine is away.";

/** A clock that all processes have, and the store. */
class World {
  time = 0;
  readonly timers: { readonly time: number; readonly call: () => void }[] = [];
  readonly #inner = storeWithClock(() => this.time);
  isAway = false;
  /** True if the next entry is not given to the followers, as after a trim. */
  drops = false;
  /** True if the next append is done, and yet fails. */
  repeats = false;

  readonly store: MemorySharedStore = {
    ...this.#inner,
    get: async (key) => {
      this.#check();
      return this.#inner.get(key);
    },
    put: async (...args) => {
      this.#check();
      return this.#inner.put(...args);
    },
    append: async (log, entries, options) => {
      this.#check();
      const kept = this.drops ? entries.slice(1) : entries;
      this.drops = false;
      await this.#inner.append(log, kept, options);
      if (!this.repeats) return;
      this.repeats = false;
      throw new Error(broken);
    },
  };

  async pass(time: number): Promise<void> {
    const end = this.time + time;
    for (;;) {
      let first = -1;
      for (const [i, timer] of this.timers.entries())
        if (
          timer.time <= end &&
          (first === -1 || timer.time < (this.timers[first]?.time ?? 0))
        )
          first = i;
      const [next] = first === -1 ? [] : this.timers.splice(first, 1);
      if (!next) break;
      this.time = Math.max(this.time, next.time);
      next.call();
      await settle();
    }
    this.time = end;
    await settle();
  }

  #check(): void {
    if (this.isAway) throw new Error(away);
  }
}

let count = 0;

/**
 * One process: what its listeners know, the questions that it asks, and whether
 * it runs.
 */
class Process {
  readonly name = `process${count++}`;
  readonly known = new Map<number, number>();
  /** The answers to its questions, by question. */
  readonly answers = new Map<string, number>();
  readonly records: SealedRecords;
  state: "runs" | "frozen" | "crashed" = "runs";
  /** When it was last frozen. */
  thawed = -Infinity;
  readonly #held: (() => void)[] = [];
  readonly bus: Bus;

  constructor(world: World, truth: ReadonlyMap<number, number>) {
    this.records = new Records(world.store, plain, () => {});
    // What happens to a process that is frozen waits, and to one that crashed
    // never happens.
    const live = (call: () => void): void => {
      if (this.state === "runs") call();
      else if (this.state === "frozen") this.#held.push(call);
    };
    const clock: Clock = {
      now: () => world.time,
      after: (wait, call) => {
        world.timers.push({ time: world.time + wait, call: () => live(call) });
        return () => {};
      },
    };
    const { append, follow } = world.store;
    this.bus = makeBus({
      store: {
        append: async (...args) => {
          if (this.state === "crashed") return new Promise(() => {});
          return append(...args);
        },
        follow: (log, receive, lost) =>
          follow(
            log,
            (entry) => live(() => receive(entry)),
            () => live(lost),
          ),
      },
      self: this.name,
      clock,
      sealer: {
        seal: async (text) => Buffer.from(text).toString("base64url"),
        open: async (sealed) => Buffer.from(sealed, "base64url").toString(),
      },
      receive: (entry) => this.#receive(entry),
      // A client that is told that something changed fetches it again.
      lost: () => {
        for (const [subject, version] of truth)
          this.known.set(subject, version);
        for (const id of this.answers.keys()) void this.#collect(id);
      },
      foreign: () => {},
      back: () => {},
      report: (error) => {
        if (![broken, away].includes((error as Error).message)) throw error;
      },
    });
    this.bus.start();
  }

  thaw(now: number): void {
    if (this.state !== "frozen") return;
    this.state = "runs";
    this.thawed = now;
    for (const call of this.#held.splice(0)) call();
  }

  #receive({ kind, subject, version, question }: BusEntry): void {
    if (kind === "changed") this.known.set(Number(subject), Number(version));
    if (kind === "answer") this.#answer(String(question));
  }

  async #collect(id: string): Promise<void> {
    const answer = await this.records
      .get(`answer/${id}`)
      .catch(() => undefined);
    if (answer !== undefined) this.#answer(id);
  }

  #answer(id: string): void {
    const before = this.answers.get(id);
    // As `Calls` does: an answer to a question that is not pending is dropped.
    if (before === 0) this.answers.set(id, 1);
  }
}

interface Claim {
  readonly worker: string;
  readonly attempt: number;
}

/** Runs the steps, and returns what must not be. */
async function faultsOf(all: readonly Step[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const world = new World();
  const truth = new Map<number, number>();
  const processes = Array.from({ length: 3 }, () => new Process(world, truth));
  const at = (index: number): Process =>
    processes[index % processes.length] as Process;
  /** Who has claimed each attempt of the task. */
  const claims = new Map<string, string>();
  let questions = 0;

  const claim = async (process: Process): Promise<void> => {
    const key = "task";
    const found = await process.records.get<Claim>(key).catch(() => undefined);
    const isRunning = found ? process.bus.isRunning(found.worker) : false;
    const worker = processes.find(({ name }) => name === found?.worker);
    // A process that was frozen may be taken for dead, also for a lease after
    // it continues.
    const isThere =
      worker?.state === "runs" &&
      world.time - worker.thawed > lease + heartbeatTime;
    if (isRunning === false && isThere)
      faults.push(`${process.name} takes ${worker.name} for dead`);
    if (isRunning !== false) return;
    let isMine = false;
    const next = await process.records
      .update<Claim>(key, 1e9, (stored) => {
        isMine =
          stored?.worker === found?.worker &&
          stored?.attempt === found?.attempt;
        return isMine || !stored
          ? { worker: process.name, attempt: (stored?.attempt ?? 0) + 1 }
          : stored;
      })
      .catch(() => undefined);
    if (!isMine || !next) return;
    const attempt = `${key}.${next.attempt}`;
    if (claims.has(attempt)) faults.push(`two processes claim ${attempt}`);
    claims.set(attempt, process.name);
  };

  await settle();
  for (const step of all) {
    if (step.kind === "pass") await world.pass(step.time);
    else if (step.kind === "drop") world.drops = true;
    else if (step.kind === "repeat") world.repeats = true;
    else if (step.kind === "cut") world.store.interrupt();
    else if (step.kind === "away") world.isAway = true;
    else if (step.kind === "back") {
      world.isAway = false;
      world.store.interrupt();
    } else if ("one" in step) {
      const process = at(step.one);
      const next = at(step.one + 1);
      if (
        step.kind === "crash" &&
        processes.filter(({ state }) => state !== "crashed").length > 1
      )
        process.state = "crashed";
      if (step.kind === "freeze" && process.state === "runs")
        process.state = "frozen";
      if (step.kind === "thaw") process.thaw(world.time);
      if (process.state !== "runs") continue;
      if (step.kind === "append") {
        const version = (truth.get(step.one) ?? 0) + 1;
        truth.set(step.one, version);
        process.bus.publish({ kind: "changed", subject: step.one, version });
      }
      if (step.kind === "ask" && next.state === "runs" && !world.isAway) {
        const id = `q${questions++}`;
        process.answers.set(id, 0);
        next.bus.publish({ kind: "answer", question: id });
        await next.records.set(`answer/${id}`, id, 600_000);
      }
      // Two at once, as a sweep in each process does.
      if (step.kind === "claim")
        await Promise.all(
          processes
            .filter(({ state }) => state === "runs")
            .map((claimer) => claim(claimer)),
        );
    }
  }
  // Then nothing more happens.
  world.isAway = world.drops = world.repeats = false;
  world.store.interrupt();
  for (const process of processes) process.thaw(world.time);
  await world.pass(2 * lease + 2 * heartbeatTime);
  for (const process of processes.filter(({ state }) => state === "runs")) {
    for (const [subject, version] of truth)
      if (process.known.get(subject) !== version)
        faults.push(`${process.name} missed version ${version}`);
    for (const [id, times] of process.answers)
      if (times !== 1)
        faults.push(`${process.name} got ${times} answers to ${id}`);
    for (const other of processes) {
      const isRunning = process.bus.isRunning(other.name);
      if (other.state === "runs" && isRunning !== true)
        faults.push(`${other.name}: isRunning is ${isRunning}`);
    }
  }
  return faults;
}

describe("a cluster", () => {
  it("misses no change, answers each question once, and lets one process at a time claim a task, in any order of faults", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 4, maxLength: 24 }),
        async (all) => {
          expect(await faultsOf(all)).toEqual([]);
        },
      ),
      { numRuns: iterations },
    );
  }, 300_000);
});
