import { storeCases, type StoreSetup } from "@mcpgen/runtime/cluster/test";
import { describe, expect, it, vi } from "vitest";
import {
  memorySharedStore,
  type SharedStore,
} from "../../../src/runtime/cluster/store.js";

/** The setup of a memory store, part of which works otherwise. */
function setupWith(
  change: (store: SharedStore) => Partial<SharedStore> = () => ({}),
): StoreSetup {
  const store = memorySharedStore();
  return {
    open: () => ({ ...store, ...change(store) }),
    disconnect: () => store.interrupt(),
  };
}

describe("the memory store", () => {
  const setup = setupWith();
  it.each(storeCases)("$name", ({ run }) => run(setup));
});

describe("the cases for a store", () => {
  it("are about fifty, each with a name of its own", () => {
    expect(storeCases.length).toBeGreaterThan(45);
    expect(new Set(storeCases.map(({ name }) => name)).size).toBe(
      storeCases.length,
    );
  });

  const faults: readonly (readonly [
    what: string,
    change: (store: SharedStore) => Partial<SharedStore>,
  ])[] = [
    [
      "does not compare versions",
      (store) => ({
        put: (key, value, { ttl, version }) =>
          store.put(key, value, { ttl, version }),
      }),
    ],
    [
      "refuses its own version when a write is repeated",
      (store) => ({
        put: async (key, value, options) =>
          (await store.get(key))?.version !== options.version &&
          store.put(key, value, options),
      }),
    ],
    [
      "reads and then writes, so that another writer may come between",
      (store) => ({
        async put(key, value, { replaces, ...options }) {
          const stored = await store.get(key);
          const isSame =
            replaces === undefined ||
            [replaces, options.version].includes(stored?.version ?? "");
          return isSame && store.put(key, value, options);
        },
      }),
    ],
    [
      "keeps values for ever",
      (store) => ({
        put: (key, value, options) =>
          store.put(key, value, { ...options, ttl: 1e12 }),
      }),
    ],
    [
      "takes a time for at most 2^31 milliseconds",
      (store) => ({
        put: (key, value, options) =>
          store.put(key, value, { ...options, ttl: options.ttl | 0 }),
      }),
    ],
    [
      "takes keys without their case",
      (store) => ({
        get: (key) => store.get(key.toLowerCase()),
        put: (key, ...rest) => store.put(key.toLowerCase(), ...rest),
      }),
    ],
    [
      "cuts long values",
      (store) => ({
        put: (key, value, options) =>
          store.put(key, value?.slice(0, 65_535), options),
      }),
    ],
    [
      "loses the entries of one call but the first",
      (store) => ({
        append: (log, [first = ""], options) =>
          store.append(log, [first], options),
      }),
    ],
    [
      "brings the entries of an author in another order",
      (store) => {
        let held: readonly string[] = [];
        return {
          append(log, entries, options) {
            const [first = ""] = entries;
            if (!first.startsWith("a"))
              return store.append(log, entries, options);
            const all = first === "a0" ? [] : [...entries, ...held];
            held = first === "a0" ? entries : [];
            return store.append(log, all, options);
          },
        };
      },
    ],
    [
      "brings a process only what others appended",
      (store) => {
        const own = new Set<string>();
        return {
          append: (log, entries, options) => {
            for (const entry of entries) own.add(entry);
            return store.append(log, entries, options);
          },
          follow: (log, receive, lost) =>
            store.follow(
              log,
              (entry) => own.has(entry.value) || receive(entry),
              lost,
            ),
        };
      },
    ],
    [
      "does not say that entries may be missing",
      (store) => ({
        follow: (log, receive) => store.follow(log, receive, () => {}),
      }),
    ],
    [
      "brings entries after the follower has stopped",
      (store) => ({
        async follow(log, receive, lost) {
          await store.follow(log, receive, lost);
          return () => {};
        },
      }),
    ],
    [
      "numbers entries by follower",
      (store) => ({
        follow(log, receive, lost) {
          const position = String(Math.random());
          return store.follow(
            log,
            ({ value }) => receive({ value, position }),
            lost,
          );
        },
      }),
    ],
  ];

  it.each(faults)("find a store that %s", async (_, change) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const errors = await Promise.all(
        storeCases.map(async ({ run }) => {
          const error = run(setupWith(change)).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          await vi.advanceTimersByTimeAsync(20_000);
          return error;
        }),
      );
      const found = errors.filter((error) => error !== undefined);
      expect(found.length).toBeGreaterThan(0);
      for (const error of found)
        expect((error as Error).message).toMatch(/^[A-Z`a-z].*\.$/s);
    } finally {
      vi.useRealTimers();
    }
  });
});
