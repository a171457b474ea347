import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  makeRoom,
  type Written,
} from "../../../src/runtime/cluster/records.js";

/** What a record takes besides its value. */
const overhead = 300;
const ttl = 1000;
const full = "The server keeps as much for this client as it can.";

/** A room for a number of records of 100 characters. */
function roomFor(count: number) {
  const room = makeRoom(count * (100 + overhead));
  const removed: string[] = [];
  return {
    ...room,
    removed,
    write: (
      key: string,
      options: Partial<Written> & { length?: number } = {},
    ): void => {
      const { length = 100 } = options;
      room.admit(key, {
        caller: "me",
        ttl,
        ...options,
        remove: (version) => removed.push(version),
      })(length, `version of ${key}`);
    },
  };
}

const isInUse = (): boolean => true;

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

describe("the room for the records of a caller", () => {
  it("has a record until its time is over", () => {
    const { write, has } = roomFor(2);
    expect(has("a", "me")).toBe(false);
    write("a");
    expect([has("a", "me"), has("a", "you"), has("b", "me")]).toEqual([
      true,
      false,
      false,
    ]);
    vi.advanceTimersByTime(ttl - 1);
    expect(has("a", "me")).toBe(true);
    vi.advanceTimersByTime(1);
    expect(has("a", "me")).toBe(false);
    vi.advanceTimersByTime(60_000);
    write("b");
    expect(has("a", "me")).toBe(false);
  });

  it("takes records up to its size, and removes the oldest for one more", () => {
    const { write, has, removed } = roomFor(3);
    for (const key of ["a", "b", "c"]) write(key);
    expect(removed).toEqual([]);
    write("d");
    expect(removed).toEqual(["version of a"]);
    write("e", { length: 101 });
    expect(removed).toEqual(["version of a", "version of b", "version of c"]);
    expect(["a", "b", "c", "d", "e"].map((key) => has(key, "me"))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("keeps what has time left when it looks for what has none, after a minute", () => {
    const { write, has, removed } = roomFor(2);
    write("a", { ttl: 60_001 });
    write("b", { ttl: 60_000, isInUse });
    vi.advanceTimersByTime(60_000);
    write("c");
    expect(["a", "b", "c"].map((key) => has(key, "me"))).toEqual([
      true,
      false,
      true,
    ]);
    expect(removed).toEqual([]);
  });

  it("takes a record that is written again once", () => {
    const { write, has, removed } = roomFor(2);
    write("a");
    write("b");
    write("a");
    expect(removed).toEqual([]);
    // It is the latest now.
    write("c");
    expect(removed).toEqual(["version of b"]);
    expect(has("a", "me")).toBe(true);
  });

  it.each([
    [ttl - 1, ["version of a"]],
    [ttl, []],
  ])(
    "after %i ms of 1,000, removes from the store what makes room: %j",
    (time, want) => {
      const { write, removed } = roomFor(1);
      write("a");
      vi.advanceTimersByTime(time);
      write("b");
      expect(removed).toEqual(want);
    },
  );

  it.each([
    ["a record", {}, {}, true],
    ["an idle record", { isInUse: () => false }, {}, true],
    ["a record in use", { isInUse }, {}, false],
    ["a minor record", { isMinor: true }, {}, true],
    ["a minor record in use", { isMinor: true, isInUse }, {}, true],
    ["an idle record for a minor one", {}, { isMinor: true }, false],
    ["a minor record for another", { isMinor: true }, { isMinor: true }, true],
  ])("replaces %s if there is no other room", (_, old, fresh, isReplaced) => {
    const { write, has, removed } = roomFor(1);
    write("old", old);
    if (isReplaced) write("new", fresh);
    else expect(() => write("new", fresh)).toThrow(full);
    expect(removed).toEqual(isReplaced ? ["version of old"] : []);
    expect(has("old", "me")).toBe(!isReplaced);
    expect(has("new", "me")).toBe(isReplaced);
  });

  it("replaces whatever is over, also for a minor record", () => {
    const { write, has, removed } = roomFor(1);
    write("old", { isInUse });
    vi.advanceTimersByTime(ttl);
    write("new", { isMinor: true });
    expect([has("new", "me"), removed]).toEqual([true, []]);
  });

  it("refuses a record that is larger than all of it, and keeps an older version", () => {
    const { write, has } = roomFor(1);
    write("a");
    expect(() => write("a", { length: 101 })).toThrow(full);
    expect(has("a", "me")).toBe(true);
  });
});
