import {
  memoryReplayStore,
  replayStore,
  type ReplayStore,
} from "@mcpgen/auth/protect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  memorySharedStore,
  storeWithClock,
} from "../../../src/runtime/cluster/store.js";

const start = Date.UTC(2026, 0, 1);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => void vi.useRealTimers());

/** What the store returns, or the text of its error. */
function addTo(
  store: ReplayStore,
  ...entry: Parameters<ReplayStore["add"]>
): unknown {
  try {
    return store.add(...entry);
  } catch (error) {
    return String(error);
  }
}

describe("a replay store in memory", () => {
  it.each([1, 59_999, 60_000, 60_001, 301_000, 601_000])(
    "accepts a key once until it expires after %i milliseconds",
    (time) => {
      const store = memoryReplayStore();
      vi.setSystemTime(start);
      const key = `key ${time}`;
      expect(store.add(key, start + time)).toBe(true);
      for (const passed of [0, time / 2, time - 1]) {
        vi.setSystemTime(start + passed);
        expect([time, passed, store.add(key, start + time)]).toEqual([
          time,
          passed,
          false,
        ]);
      }
    },
  );

  it("rejects a key that is repeated with another time", () => {
    const store = memoryReplayStore();
    expect(store.add("key", start + 301_000)).toBe(true);
    expect(store.add("key", start + 601_000)).toBe(false);
    expect(store.add("key", start + 1000)).toBe(false);
  });

  it("fails when it is full instead of dropping a key, and works again when keys expire", () => {
    const store = memoryReplayStore(1000);
    for (let index = 0; index < 1000; index++)
      expect(store.add(`key ${index}`, start + 301_000)).toBe(true);
    const full =
      "The replay store is full: it has 1000 keys, 1000 of this principal. Raise the limit: `memoryReplayStore(maxEntries)`.";
    expect(() => store.add("one more", start + 301_000)).toThrow(full);
    vi.setSystemTime(start + 300_999);
    for (let index = 0; index < 1000; index++)
      expect(store.add(`key ${index}`, start + 301_000)).toBe(false);
    expect(() => store.add("one more", start + 601_000)).toThrow(full);
    vi.setSystemTime(start + 361_000);
    for (let index = 0; index < 1000; index++)
      expect(store.add(`new key ${index}`, start + 661_000)).toBe(true);
  });

  const filling = () => {
    const store = memoryReplayStore(1000);
    const fill = (principal: string, expiresAt: number): number => {
      let count = 0;
      const add = (): unknown =>
        addTo(
          store,
          `${principal} ${expiresAt} ${count}`,
          expiresAt,
          principal,
        );
      let result = add();
      for (; result === true; result = add()) count++;
      expect(result).toMatch(/^Error: The replay store is full/);
      return count;
    };
    return { store, fill };
  };

  it("gives each principal at most a quarter of its room", () => {
    const { store, fill } = filling();
    expect(fill("mallory", start + 601_000)).toBe(250);
    expect(fill("mallory", start + 301_000)).toBe(0);
    expect(() => store.add("one more", start + 301_000, "mallory")).toThrow(
      "The replay store is full: it has 250 keys, 250 of this principal.",
    );
    vi.setSystemTime(start + 661_000);
    expect(fill("mallory", start + 961_000)).toBe(250);
  });

  it("has room for others when one principal has filled its own", () => {
    const { store, fill } = filling();
    fill("mallory", start + 601_000);
    expect(store.add("mallory 0 0", start + 301_000, "ada")).toBe(true);
    expect(
      store.add("mallory 0 0", start + 301_000, "mallory"),
      "a key that was used",
    ).toBe(false);
  });

  it("contains at most the maximum number of keys, for any times", () => {
    const store = memoryReplayStore(500);
    const held = new Map<string, number>();
    let refused = 0;
    for (let index = 0; index < 5000; index++) {
      const now = start + index * 50;
      vi.setSystemTime(now);
      const expiresAt = now + 1 + ((index * 7919) % 60_000);
      const key = `key ${index}`;
      const result = addTo(store, key, expiresAt);
      if (result === true) held.set(key, expiresAt);
      else {
        expect(result).toMatch(
          /^Error: The replay store is full: it has 500 keys/,
        );
        refused++;
      }
      for (const [one, end] of held) if (end <= now) held.delete(one);
      expect(held.size).toBeLessThanOrEqual(500);
    }
    expect(refused).toBeGreaterThan(0);
    for (const [key, expiresAt] of held)
      expect(store.add(key, expiresAt)).toBe(false);
  });
});

describe("a replay store that processes share", () => {
  it("accepts a key once in all of them, until it expires", async () => {
    const shared = storeWithClock(() => Date.now());
    const [one, two] = [replayStore(shared), replayStore(shared)];
    expect(await one.add("key", start + 60_000)).toBe(true);
    vi.setSystemTime(start + 59_999);
    expect([
      await one.add("key", start + 60_000),
      await two.add("key", start + 90_000),
    ]).toEqual([false, false]);
    vi.setSystemTime(start + 60_000);
    expect(await two.add("key", start + 90_000)).toBe(true);
  });

  it("accepts one of many at once", async () => {
    const shared = memorySharedStore();
    const added = await Promise.all(
      Array.from({ length: 20 }, () =>
        replayStore(shared).add("key", start + 60_000),
      ),
    );
    expect(added.filter(Boolean)).toEqual([true]);
  });

  it("takes a key whose time is over, which the caller has rejected already", async () => {
    expect(await replayStore(memorySharedStore()).add("key", start - 1)).toBe(
      true,
    );
  });

  it("rejects if the engine does not answer", async () => {
    const put = (): Promise<boolean> =>
      Promise.reject(new Error("The engine did not answer."));
    const store = replayStore({ ...memorySharedStore(), put });
    await expect(store.add("key", start + 60_000)).rejects.toThrow(
      "The engine did not answer.",
    );
  });
});
