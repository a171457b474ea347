import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type BusOptions, makeBus } from "../../../src/runtime/cluster/bus.js";
import {
  type BusEntry,
  lease,
} from "../../../src/runtime/cluster/processes.js";
import { storeWithClock } from "../../../src/runtime/cluster/store.js";
import type { Sealer } from "../../../src/common/secrets.js";
import { VirtualClock } from "./kit.js";

/** No encryption. */
const plain: Sealer = {
  seal: async (text) => Buffer.from(text).toString("base64url"),
  open: async (sealed) => Buffer.from(sealed, "base64url").toString(),
};

/** Processes that follow one log, without encryption. */
function buses() {
  const clock = new VirtualClock();
  const store = storeWithClock(() => clock.now());
  const start = (self: string, options: Partial<BusOptions> = {}) => {
    const seen: string[] = [];
    let hasBegun = false;
    const bus = makeBus({
      store,
      self,
      clock,
      sealer: plain,
      receive: ({ kind, text }: BusEntry, author) => {
        if (kind === "say") seen.push(`${author}: ${String(text)}`);
      },
      // Each process may have missed what was before.
      lost: () => (hasBegun ? seen.push("lost") : (hasBegun = true)),
      foreign: () => seen.push("foreign"),
      report: (error) => seen.push(String(error)),
      back: () => seen.push("back"),
      ...options,
    });
    bus.start();
    return {
      bus,
      seen,
      say: (text: string) => bus.publish({ kind: "say", text }),
    };
  };
  return { clock, store, start };
}

describe("the log of a cluster", () => {
  it("gives each entry to all processes once, in one order", async () => {
    const { clock, start } = buses();
    const [a, b] = [start("a"), start("b")];
    await clock.pass(0);
    a.say("1");
    b.say("2");
    a.say("3");
    await clock.pass(10);
    expect([...a.seen].sort()).toEqual(["a: 1", "a: 3", "b: 2"]);
    expect(b.seen).toEqual(a.seen);
  });

  it("knows at once that it is connected, although it appends to a log sooner than it follows it", async () => {
    const { clock, store, start } = buses();
    const { follow } = store;
    Object.assign(store, {
      async follow(...args: Parameters<typeof follow>) {
        await new Promise<void>((resolve) => clock.after(50, resolve));
        return follow(...args);
      },
    });
    const { bus } = start("a");
    await clock.pass(100);
    expect(bus.isConnected).toBe(true);
  });

  it("reports the first error of each outage, and its end", async () => {
    const { clock, store, start } = buses();
    const { append } = store;
    const { seen, say } = start("a");
    for (const text of ["1", "2"]) {
      Object.assign(store, {
        append: () => Promise.reject(new Error(`OOM ${text}`)),
      });
      say(text);
      await clock.pass(2000);
      Object.assign(store, { append });
      await clock.pass(2000);
    }
    expect(seen.filter((one) => /^Error|^back/.test(one))).toEqual([
      "Error: OOM 1",
      "back",
      "Error: OOM 2",
      "back",
    ]);
  });

  it("reports once that the log cannot be followed, although the store takes entries", async () => {
    const { clock, store, start } = buses();
    Object.assign(store, { follow: () => Promise.reject(new Error("NOPERM")) });
    const { seen, say } = start("a");
    for (let i = 0; i < 5; i++) {
      say("1");
      await clock.pass(1000);
    }
    expect(seen.filter((one) => one.startsWith("Error"))).toEqual([
      "Error: NOPERM",
    ]);
  });

  it("drops an entry that the store has twice, because its client sent it again", async () => {
    const { clock, store, start } = buses();
    const [a, b] = [start("a"), start("b")];
    await clock.pass(0);
    const { append } = store;
    let failures = 1;
    const twice: typeof append = async (...args) => {
      await append(...args);
      if (failures-- > 0) throw new Error("The connection broke.");
    };
    Object.assign(store, { append: twice });
    a.say("1");
    a.say("2");
    await clock.pass(1000);
    expect(b.seen).toEqual(["a: 1", "a: 2"]);
  });

  it("reports a gap in the entries of an author, and goes on", async () => {
    const { clock, store, start } = buses();
    const [a, b] = [start("a"), start("b")];
    await clock.pass(0);
    const { append } = store;
    Object.assign(store, { append: async () => {} });
    a.say("1");
    await clock.pass(0);
    Object.assign(store, { append });
    expect(b.seen).toEqual([]);
    a.say("2");
    await clock.pass(0);
    expect(b.seen).toEqual(["lost", "a: 2"]);
    await clock.pass(10_000);
    expect(b.seen).toHaveLength(2);
  });

  it.each([
    [
      "no, if it has followed for less than a lease itself",
      lease - 1,
      true,
      [],
    ],
    ["no, if that is its first one", lease, false, []],
    ["yes, if every older process has sent a heartbeat", lease, true, ["lost"]],
  ])(
    "says whether the first entry that it hears of a process has one before it: %s",
    async (_, wait, isOneHidden, lost) => {
      const { clock, store, start } = buses();
      const { append } = store;
      const a = start("a");
      await clock.pass(wait);
      const b = start("b");
      if (isOneHidden) Object.assign(store, { append: async () => {} });
      await clock.pass(0);
      Object.assign(store, { append });
      b.say("1");
      await clock.pass(0);
      expect(a.seen).toEqual([...lost, "b: 1"]);
    },
  );

  it("keeps entries while the store does not answer, at most 10,000, of which the oldest go first", async () => {
    const { clock, store, start } = buses();
    const [a, b] = [start("a"), start("b")];
    await clock.pass(0);
    const { append } = store;
    Object.assign(store, {
      append: () => Promise.reject(new Error("The engine is away.")),
    });
    for (let i = 0; i < 10_010; i++) a.say(String(i));
    await clock.pass(2000);
    expect([a.bus.unsent, b.seen]).toEqual([10_000, []]);
    Object.assign(store, { append });
    await clock.pass(1000);
    expect(a.bus.unsent).toBe(0);
    expect(b.seen.slice(0, 2)).toEqual(["lost", "a: 10"]);
    expect(b.seen).toHaveLength(10_001);
  });

  it("takes no entry that is too long, says so, and sends the next", async () => {
    const { clock, start } = buses();
    const [a, b] = [start("a"), start("b")];
    expect([a.say("x".repeat(700_000)), a.say("1")]).toEqual([false, true]);
    await clock.pass(10);
    expect([a.seen, b.seen]).toEqual([["a: 1"], ["a: 1"]]);
  });

  it("drops what arrives faster than it can be read, at most 10,000 entries, and counts that as lost", async () => {
    const { clock, store, start } = buses();
    let isSlow = true;
    let go = (): void => {};
    const slow = new Promise<void>((resolve) => (go = resolve));
    const b = start("b", {
      sealer: {
        ...plain,
        open: async (sealed) => {
          if (isSlow) await slow;
          return plain.open(sealed, "");
        },
      },
    });
    await clock.pass(0);
    const entries = Array.from({ length: 20_000 }, (_, i) => {
      const text = JSON.stringify({ kind: "say", text: String(i) });
      return `x.${i + 1}.${Buffer.from(text).toString("base64url")}`;
    });
    await store.append("bus", entries, { ttl: 1000, keep: 10 });
    await clock.pass(0);
    isSlow = false;
    go();
    await clock.pass(100);
    // Its own heartbeat is one of those that wait.
    expect(b.seen).toHaveLength(9999);
    const text = Buffer.from('{"kind":"say","text":"last"}').toString(
      "base64url",
    );
    await store.append("bus", [`x.20001.${text}`], { ttl: 1000, keep: 10 });
    await clock.pass(100);
    expect(b.seen.slice(-2)).toEqual(["lost", "x: last"]);
  });

  it("has an entry of each process every three seconds, until it leaves", async () => {
    const { clock, store, start } = buses();
    const times: number[] = [];
    const { append } = store;
    Object.assign(store, {
      append: (...args: Parameters<typeof append>) => {
        times.push(clock.now());
        return append(...args);
      },
    });
    const { bus } = start("a");
    await clock.pass(6500);
    const closing = bus.close();
    await clock.pass(6000);
    await closing;
    expect(times).toEqual([0, 3000, 6000, 6500]);
  });

  it("is asked every half second again while it takes or shows nothing", async () => {
    const { clock, store, start } = buses();
    const [appended, followed]: [number[], number[]] = [[], []];
    const { append, follow } = store;
    const at = (times: number[]) => async (): Promise<never> => {
      times.push(clock.now());
      throw new Error("The engine is away.");
    };
    Object.assign(store, { append: at(appended), follow: at(followed) });
    const { bus, say, seen } = start("a");
    say("1");
    await clock.pass(1499);
    expect([appended, followed]).toEqual([
      [0, 500, 1000],
      [0, 500, 1000],
    ]);
    Object.assign(store, { append, follow });
    await clock.pass(1);
    expect([bus.unsent, [...seen].sort()]).toEqual([
      0,
      [
        "Error: The engine is away.",
        "Error: The engine is away.",
        "a: 1",
        "back",
      ],
    ]);
  });

  it("is left by a process after a second if it takes nothing", async () => {
    const { clock, store, start } = buses();
    const { bus, say } = start("a");
    await clock.pass(100);
    Object.assign(store, { append: () => new Promise(() => {}) });
    say("1");
    let hasLeft = false;
    void bus.close().then(() => (hasLeft = true));
    await clock.pass(999);
    expect([hasLeft, bus.unsent]).toEqual([false, 2]);
    await clock.pass(1);
    await clock.pass(0);
    expect([hasLeft, bus.unsent]).toEqual([true, 0]);
  });

  it("is read once what a process has said has come back, or after a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { clock, store, start } = buses();
    const a = start("a");
    await clock.pass(0);
    const { append } = store;
    let isRead = false;
    const read = (): void => {
      isRead = false;
      void a.bus.read().then(() => (isRead = true));
    };
    a.say("1");
    read();
    await clock.pass(0);
    expect(isRead).toBe(true);
    // The store loses the entry: nothing comes back until the next one.
    Object.assign(store, { append: async () => {} });
    a.say("2");
    read();
    await clock.pass(0);
    vi.advanceTimersByTime(999);
    await clock.pass(0);
    expect(isRead).toBe(false);
    vi.advanceTimersByTime(1);
    await clock.pass(0);
    expect(isRead).toBe(true);
    a.say("3");
    read();
    await clock.pass(0);
    expect(isRead).toBe(false);
    Object.assign(store, { append });
    a.say("4");
    await clock.pass(0);
    expect(isRead).toBe(true);
  });

  it("follows again once a store that did not answer at first does, and counts what was before as lost", async () => {
    const { clock, store, start } = buses();
    const { follow } = store;
    Object.assign(store, {
      follow: () => Promise.reject(new Error("The engine is away.")),
    });
    let lost = 0;
    const a = start("a", { lost: () => lost++ });
    await clock.pass(2000);
    expect(a.bus.isConnected).toBe(false);
    Object.assign(store, { follow });
    await clock.pass(4000);
    expect([a.bus.isConnected, a.seen, lost]).toEqual([
      true,
      ["Error: The engine is away."],
      1,
    ]);
  });

  it.each([
    [
      "throws",
      (error: Error) => () => {
        throw error;
      },
    ],
    [
      "rejects",
      (error: Error) => async () => {
        throw error;
      },
    ],
  ])(
    "closes although the function of the store that stops %s",
    async (_, stopWith) => {
      const { clock, store, start } = buses();
      const error = new Error("The client is closed.");
      Object.assign(store, { follow: async () => stopWith(error) });
      const a = start("a");
      await clock.pass(100);
      const closing = a.bus.close();
      await clock.pass(100);
      await closing;
      await clock.pass(0);
      expect(a.seen).toEqual([String(error)]);
    },
  );

  it("ignores what is not an entry of the cluster, and says so", async () => {
    const { clock, store, start } = buses();
    const a = start("a", {
      sealer: {
        ...plain,
        open: async (_, name) =>
          name.startsWith("a.") ? '{"kind":"beat"}' : undefined,
      },
    });
    await clock.pass(0);
    for (const text of [
      "",
      "nonsense",
      "x.1.abc",
      "x..abc",
      `x.${"9".repeat(40)}.abc`,
    ]) {
      await store.append("bus", [text], { ttl: 1000, keep: 10 });
    }
    await clock.pass(0);
    expect(a.seen.every((one) => one === "foreign")).toBe(true);
    expect(a.seen.length).toBeGreaterThan(0);
  });

  describe("says whether a process runs", () => {
    it("dead once nothing of it has arrived for a lease, and never before it has followed for one itself", async () => {
      const { clock, start } = buses();
      const [a, b] = [
        start("a"),
        start("b", { sealer: { ...plain, seal: () => new Promise(() => {}) } }),
      ];
      await clock.pass(0);
      await clock.pass(lease - 100);
      expect([a.bus.isRunning("b"), a.bus.isRunning("a")]).toEqual([
        undefined,
        true,
      ]);
      await clock.pass(200);
      expect([a.bus.isRunning("b"), b.bus.isRunning("a")]).toEqual([
        false,
        true,
      ]);
    });

    it("dead, and what it may not have told as lost, once", async () => {
      const { clock, start } = buses();
      let isStuck = false;
      const seal: Sealer["seal"] = (text) =>
        isStuck ? new Promise(() => {}) : plain.seal(text, "");
      const a = start("a");
      start("b", { sealer: { ...plain, seal } });
      await clock.pass(lease);
      isStuck = true;
      await clock.pass(2 * lease);
      expect([a.bus.isRunning("b"), a.seen]).toEqual([false, ["lost"]]);
    });

    it("unknown while it reads what arrived during a pause, its own entries among it", async () => {
      const { clock, store, start } = buses();
      start("b");
      const held: (() => void)[] = [];
      let isHeld = false;
      const judged: unknown[] = [];
      const a = start("a", {
        store: {
          ...store,
          follow: (log, receive, lost) =>
            store.follow(
              log,
              (entry) =>
                void (isHeld
                  ? held.push(() => receive(entry))
                  : receive(entry)),
              lost,
            ),
        },
        receive: (_, author) =>
          author === "a" && judged.push(a.bus.isRunning("b")),
      });
      await clock.pass(lease);
      isHeld = true;
      a.say("before the pause");
      await clock.pass(lease + 1000);
      isHeld = false;
      judged.length = 0;
      for (const read of held) read();
      await clock.pass(0);
      expect(judged[0]).toBeUndefined();
      expect(judged.at(-1)).toBe(true);
      expect(judged).not.toContain(false);
    });

    it("dead at once if it has left", async () => {
      const { clock, start } = buses();
      const [a, b] = [start("a"), start("b")];
      await clock.pass(100);
      expect(a.bus.isRunning("b")).toBe(true);
      const closing = b.bus.close();
      await clock.pass(200);
      await closing;
      expect(a.bus.isRunning("b")).toBe(false);
    });

    it("unknown, and not dead, once it has left itself and hears nobody any more", async () => {
      const { clock, start } = buses();
      const { bus } = start("a");
      await clock.pass(2 * lease);
      expect(bus.isRunning("b")).toBe(false);
      const closing = bus.close();
      await clock.pass(200);
      await closing;
      expect(bus.isRunning("b")).toBeUndefined();
    });

    it("dead after it has left, whatever still ends in it", async () => {
      const { clock, start } = buses();
      const [a, b] = [start("a"), start("b")];
      await clock.pass(100);
      const closing = b.bus.close();
      await clock.pass(200);
      await closing;
      b.say("late");
      await clock.pass(200);
      expect([a.bus.isRunning("b"), a.seen]).toEqual([false, []]);
    });

    it("unknown while it hears nothing of itself: after a pause of its own, or while the store is away", async () => {
      const { clock, store, start } = buses();
      const [a] = [start("a"), start("b")];
      await clock.pass(60_000);
      const { append } = store;
      Object.assign(store, {
        append: () => Promise.reject(new Error("The engine is away.")),
      });
      await clock.pass(30_000);
      expect([a.bus.isRunning("b"), a.bus.isConnected]).toEqual([
        undefined,
        false,
      ]);
      store.interrupt();
      Object.assign(store, { append });
      // Its own entries arrive again before those of the other process have.
      await clock.pass(lease - 1000);
      expect(a.bus.isRunning("b")).toBe(true);
    });
  });
});
