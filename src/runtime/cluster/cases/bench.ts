import { pause } from "../../../common/timing.js";
import type { Entry, SharedStore } from "../store.js";

/** The store under test. */
export interface StoreSetup {
  /**
   * Returns the store as one more process has it: the same data, over
   * connections of its own.
   */
  open(): SharedStore | Promise<SharedStore>;
  /**
   * Breaks the connection of each follower, as a restart of the engine does,
   * and lets them reconnect.
   */
  disconnect(): void | Promise<void>;
}

/** What a follower received: entries, and "lost" for each call of `lost`. */
export interface Follower {
  readonly events: readonly (Entry | "lost")[];
  values(): string[];
  stop(): void;
}

/**
 * What a case works with: the store of two processes, and a name that no other
 * case uses for its keys and logs.
 */
interface Bench {
  readonly one: SharedStore;
  readonly two: SharedStore;
  readonly key: string;
  disconnect(): void | Promise<void>;
  /**
   * Follows a log: by default the one with the name of the key, in the first
   * process.
   */
  follow(store?: SharedStore, log?: string): Promise<Follower>;
  /** Stops all followers. */
  end(): void;
}

/** Rejects if a case is not true. */
type Check = (bench: Bench) => Promise<void>;
/** The cases by their names. */
export type Cases = Readonly<Record<string, Check>>;

/** A case for each row of a table. */
export const casesOf = <T>(
  rows: Readonly<Record<string, T>>,
  check: (row: T) => Check,
): Cases =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, check(row)]),
  );

let keys = 0;

export async function benchOf(setup: StoreSetup): Promise<Bench> {
  const [one, two] = [await setup.open(), await setup.open()];
  const key = `case ${++keys} ${Math.random()}`;
  const followers: Follower[] = [];
  return {
    one,
    two,
    key,
    disconnect: () => setup.disconnect(),
    async follow(store = one, log = key) {
      const events: (Entry | "lost")[] = [];
      const stop = await store.follow(
        log,
        (entry) => events.push(entry),
        () => events.push("lost"),
      );
      const values = (): string[] =>
        events.flatMap((event) => (event === "lost" ? [] : [event.value]));
      const follower = { events, values, stop };
      followers.push(follower);
      return follower;
    },
    /** Stops all followers. */
    end: () => followers.forEach(({ stop }) => stop()),
  };
}

/** Throws an error with both values unless they are the same as JSON. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [found = "undefined", wanted = "undefined"] = [actual, expected].map(
    (value) => JSON.stringify(value) as string | undefined,
  );
  if (found === wanted) return;
  throw new Error(
    `${what}: found ${found.slice(0, 500)}, expected ${wanted.slice(0, 500)}.`,
  );
}

/**
 * Waits until a condition is true. After ten seconds, throws an error that says
 * what is not.
 */
export async function until(
  condition: () => unknown,
  failure: string,
): Promise<void> {
  for (let count = 0; !(await condition()); count++) {
    if (count === 1000) throw new Error(`After ten seconds, ${failure}.`);
    await pause(10);
  }
}

/** `count` texts that differ: "a0", "a1", … */
export const texts = (count: number, start = ""): string[] =>
  Array.from({ length: count }, (_, index) => `${start}${index}`);

/** The largest text: 1,048,576 characters. */
export const largeText = (): string => "0123456789abcdef".repeat(65_536);

/** Texts that a careless program would change. */
export const hostileTexts: readonly string[] = [
  "",
  " ",
  "null",
  "0",
  "\n",
  "one\ntwo\r\nthree\n",
  "\t\u0001\u001f\u007f",
  "'; DROP TABLE store; --",
  '{"__proto__":{}}',
  "%s %d ${x} $1 \\n \\",
  "é e\u0301 日本語 😀 \u202e",
  "\ufeff\ufffe\uffff",
];
