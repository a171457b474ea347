import { describe, expect, it } from "vitest";
import {
  memorySharedStore,
  storeWithClock,
} from "../../../src/runtime/cluster/store.js";

const options = { ttl: 1000, version: "a" };

describe("the memory store", () => {
  it("ends a value when its clock says so, and not before", async () => {
    let now = 0;
    const store = storeWithClock(() => now);
    await store.put("key", "value", options);
    now = 999;
    expect(await store.get("key")).toEqual({ value: "value", version: "a" });
    now = 1000;
    expect(await store.get("key")).toBeUndefined();
    expect(
      await store.put("key", "other", {
        ttl: 1000,
        version: "b",
        replaces: "",
      }),
    ).toBe(true);
  });

  it("rejects more than 100,000 values, and has room again once some have ended", async () => {
    let now = 0;
    const store = storeWithClock(() => now);
    for (let count = 0; count < 100_000; count++)
      await store.put(`key ${count}`, "", options);
    await expect(store.put("another", "", options)).rejects.toThrow(
      "The store is full: it has 100000 values.",
    );
    expect(await store.put("key 1", "again", options)).toBe(true);
    now = 1000;
    expect(await store.put("another", "", options)).toBe(true);
  });

  it("gives each entry to each of its followers once, in one order", async () => {
    const store = memorySharedStore();
    const seen: string[][] = [[], []];
    for (const one of seen)
      await store.follow(
        "log",
        ({ value }) => one.push(value),
        () => {},
      );
    await Promise.all(
      ["1 2", "3", "4 5"].map((text) =>
        store.append("log", text.split(" "), { ttl: 1000, keep: 10 }),
      ),
    );
    expect(seen).toEqual([
      ["1", "2", "3", "4", "5"],
      ["1", "2", "3", "4", "5"],
    ]);
  });

  it("loses what is on its way when it is interrupted, and tells each follower", async () => {
    const store = memorySharedStore();
    const received: string[] = [];
    for (const name of ["first", "second"])
      await store.follow(
        "log",
        ({ value }) => received.push(`${name}: ${value}`),
        () => received.push(`${name} lost some`),
      );
    const appended = store.append("log", ["never seen"], {
      ttl: 1000,
      keep: 10,
    });
    store.interrupt();
    await appended;
    await store.append("log", ["later"], { ttl: 1000, keep: 10 });
    await Promise.resolve();
    expect(received).toEqual([
      "first lost some",
      "second lost some",
      "first: later",
      "second: later",
    ]);
  });
});
