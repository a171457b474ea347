import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Records } from "../../../src/runtime/cluster/records.js";
import { storeWithClock } from "../../../src/runtime/cluster/store.js";

/** Records that are not sealed, and what they ask of their store. */
function making() {
  const inner = storeWithClock(() => Date.now());
  const reports: unknown[] = [];
  const calls: unknown[] = [];
  const state = {
    isAway: false,
    /** Called before a value is written: false refuses it. */
    takes: (): boolean => true,
  };
  const store: typeof inner = {
    ...inner,
    async get(key) {
      calls.push(`get ${key}`);
      if (state.isAway) throw new Error("The engine is away.");
      return inner.get(key);
    },
    async put(key, value, options) {
      calls.push([`put ${key}`, value, options.ttl]);
      if (state.isAway) throw new Error("The engine is away.");
      return state.takes() ? inner.put(key, value, options) : false;
    },
  };
  const sealer = {
    seal: async (text: string, name: string) => `${name}=${text}`,
    open: async (text: string, name: string) =>
      text.startsWith(`${name}=`) ? text.slice(name.length + 1) : undefined,
  };
  const records = new Records(store, sealer, (error) => reports.push(error));
  return { records, inner, reports, calls, state };
}

const causeOf = (error: unknown): string =>
  String((error as { cause?: unknown }).cause);
/** What was wrong with the store. */
const failed = (work: Promise<unknown>): Promise<string> =>
  work.then(() => "nothing", causeOf);

const append = (text: string) => (list: string[] | undefined) => [
  ...(list ?? []),
  text,
];

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout"] }));
afterEach(() => vi.useRealTimers());

describe("a sealed value in a store", () => {
  it.each([
    [29, "nothing", 30],
    [30, "Error: The store has refused a change 30 times.", 30],
  ])(
    "is changed by a process that %i times finds another one faster: what fails is %s",
    async (refusals, error, writes) => {
      const { records, state, calls } = making();
      let left = refusals;
      state.takes = () => left-- <= 0;
      expect(await failed(records.update("k/1", 1000, append("a")))).toBe(
        error,
      );
      expect(calls.filter((call) => Array.isArray(call))).toHaveLength(writes);
    },
  );

  it.each([29, 30])(
    "is tried as often for a change that comes meanwhile, after %i refusals of the one before it",
    async (refusals) => {
      const { records, state } = making();
      let writes = 0;
      let next: Promise<string> | undefined;
      state.takes = () => {
        writes++;
        // The second change comes with the last attempt of the first one.
        if (writes === 30)
          next = failed(records.update("k/1", 1000, append("b")));
        return writes === 60 || (writes === 30 && refusals === 29);
      };
      await failed(records.update("k/1", 1000, append("a")));
      expect(await next).toBe("nothing");
      expect(await records.get("k/1")).toEqual(
        refusals === 29 ? ["a", "b"] : ["b"],
      );
    },
  );

  it("is written once for all changes that wait, in their order, for the longest of their times, and not for those that change nothing or throw", async () => {
    const { records, calls } = making();
    const error = new Error("no");
    const results = await Promise.allSettled([
      records.update("k/1", 1000, append("a")),
      records.update("k/1", 3000, append("b")),
      records.update("k/1", 9000, () => {
        throw error;
      }),
      records.update("k/1", 9000, () => undefined),
      records.update("k/1", 2000, append("c")),
    ]);
    expect(results).toEqual([
      { status: "fulfilled", value: ["a"] },
      { status: "fulfilled", value: ["a", "b"] },
      { status: "rejected", reason: error },
      { status: "fulfilled", value: undefined },
      { status: "fulfilled", value: ["a", "b", "c"] },
    ]);
    expect(calls).toEqual(["get k/1", ["put k/1", 'k/1=["a","b","c"]', 3000]]);
  });

  it("is read, and not written, if no change changes it", async () => {
    const { records, calls } = making();
    expect(await records.update("k/1", 1000, () => undefined)).toBe(undefined);
    expect(calls).toEqual(["get k/1"]);
  });

  it("fails each change that waits while its store is away, and none that comes later", async () => {
    const { records, state } = making();
    state.isAway = true;
    const changes = ["a", "b"].map((text) =>
      failed(records.update("k/1", 1000, append(text))),
    );
    expect(await Promise.all(changes)).toEqual(
      Array(2).fill("Error: The engine is away."),
    );
    state.isAway = false;
    expect(await records.update("k/1", 1000, append("c"))).toEqual(["c"]);
  });

  it("is counted with the length of its sealed text before it is written, and not written if there is no room", async () => {
    const { records, calls, inner } = making();
    const full = new Error("full");
    const admitted: unknown[] = [];
    const admit = (length: number, version: string): void => {
      admitted.push([length, version, calls.length]);
      if (length > 8) throw full;
    };
    await records.set("k/1", "ab", 1000, admit);
    const stored = await inner.get("k/1");
    expect(stored).toEqual({ value: 'k/1="ab"', version: expect.any(String) });
    expect(admitted).toEqual([[8, stored?.version, 0]]);
    await expect(records.set("k/1", "abc", 1000, admit)).rejects.toBe(full);
    await expect(records.update("k/1", 1000, () => "abcd", admit)).rejects.toBe(
      full,
    );
    expect(await records.get("k/1")).toBe("ab");
    // Nothing is counted that is removed.
    expect(await records.replace("k/1", undefined, undefined, 1, admit)).toBe(
      true,
    );
    expect([await records.get("k/1"), admitted.length]).toEqual([undefined, 3]);
  });

  it("is replaced and removed only if the store has the version that is named", async () => {
    const { records, inner } = making();
    expect(await records.replace("k/1", "", "a", 1000)).toBe(true);
    expect(await records.replace("k/1", "", "b", 1000)).toBe(false);
    await records.remove("k/1", "another version");
    expect(await records.get("k/1")).toBe("a");
    const { version = "" } = (await inner.get("k/1")) ?? {};
    expect(await records.replace("k/1", version, "b", 1000)).toBe(true);
    expect(await records.get("k/1")).toBe("b");
    await records.remove("k/1", undefined);
    expect(await inner.get("k/1")).toBe(undefined);
  });

  it("is removed without an error from a store that is away", async () => {
    const { records, state, calls } = making();
    state.isAway = true;
    await records.remove("k/1", undefined);
    expect(calls).toEqual([["put k/1", undefined, 1]]);
  });

  it.each([
    ["session/1/x", "session", true],
    ["index/tasks/2/x", "index", false],
  ])(
    "that does not open at %s is reported, and fails what reads or changes it unless others can make it anew",
    async (key, kind, fails) => {
      const { records, inner, reports } = making();
      await inner.put(key, "foreign", { ttl: 1000, version: "foreign" });
      const text = `Error: A value in the store ("${kind}") does not open. Give all processes the same secrets, and let nothing else write there.`;
      const answers = [
        await failed(records.get(key)),
        await failed(records.fetch(key, () => true)),
        await failed(records.update(key, 1000, append("a"))),
      ];
      expect(answers).toEqual(Array(3).fill(fails ? text : "nothing"));
      expect(reports.map(causeOf)).toEqual(Array(3).fill(text));
      expect((await inner.get(key))?.value).toBe(
        fails ? "foreign" : `${key}=["a"]`,
      );
    },
  );

  it("is asked for every half second until its store answers, without a report", async () => {
    const { records, state, calls, reports } = making();
    await records.set("k/1", "a", 10_000);
    calls.length = 0;
    state.isAway = true;
    const fetched = records.fetch("k/1", () => true);
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(2);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(500);
    expect([await fetched, calls.length, reports]).toEqual(["a", 3, []]);
  });

  it("is not asked for any more once nobody needs it", async () => {
    const { records, state, calls } = making();
    state.isAway = true;
    let isNeeded = true;
    const fetched = records.fetch("k/1", () => isNeeded);
    await vi.advanceTimersByTimeAsync(0);
    isNeeded = false;
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(500);
    expect([await fetched, calls.length]).toEqual([undefined, 1]);
    expect(await records.fetch("k/1", () => false)).toBe(undefined);
    expect(calls).toHaveLength(1);
  });
});
