import { describe, expect, it, vi } from "vitest";
import { makeOutbox } from "../../../src/runtime/cluster/outbox.js";
import { gate } from "../kit/watch.js";
import { turns } from "../kit/index.js";

/** Maximum length of an entry, in bytes of its JSON. */
const maxEntry = 65_536;
/** An entry whose JSON has this length. */
const entryOf = (length: number) => ({
  kind: "x".repeat(length - '{"kind":""}'.length),
});

/** An outbox whose store takes entries, or fails, as a test says. */
function sending() {
  const batches: string[][] = [];
  const options: unknown[] = [];
  const events: unknown[] = [];
  const state = { isAway: false };
  /** Each lets the outbox ask its store again. */
  const waits: (() => void)[] = [];
  const outbox = makeOutbox(
    {
      self: "me",
      sealer: {
        seal: async (text: string, name: string) => `${name}=${text}`,
        open: async () => undefined,
      },
      store: {
        async append(log, entries, logOptions) {
          if (state.isAway) throw new Error("The engine is away.");
          batches.push([...entries]);
          options.push(log, logOptions);
        },
        follow: async () => () => {},
      },
      back: () => events.push("back"),
    },
    (error, isAway) => {
      events.push([String(error), isAway]);
      return new Promise((resolve) => waits.push(resolve));
    },
  );
  const isSent = async (): Promise<void> => {
    for (let i = 0; i < 1000 && outbox.unsent > 0; i++) await turns(1);
  };
  return { outbox, batches, options, events, state, waits, isSent };
}

const away = "Error: The engine is away.";

describe("the entries of a process on their way to the log", () => {
  it.each([
    [maxEntry, true],
    [maxEntry + 1, false],
  ])("take one of %i bytes: %s", async (length, isTaken) => {
    const { outbox, batches, isSent } = sending();
    expect(outbox.publish(entryOf(length))).toBe(isTaken);
    expect([outbox.unsent, outbox.last]).toEqual(isTaken ? [1, 1] : [0, 0]);
    await isSent();
    expect(batches).toHaveLength(isTaken ? 1 : 0);
  });

  it("have the name of their author, their number, and how long the log keeps them", async () => {
    const { outbox, batches, options, isSent } = sending();
    for (const kind of ["a", "b"]) outbox.publish({ kind });
    await isSent();
    expect(batches).toEqual([
      ['me.1.me.1={"kind":"a"}'],
      ['me.2.me.2={"kind":"b"}'],
    ]);
    const kept = ["bus", { ttl: 600_000, keep: 10_000 }];
    expect(options).toEqual([...kept, ...kept]);
  });

  it.each([
    ["201 short ones", Array<number>(201).fill(20), [100, 100, 1]],
    ["17 of the longest ones", Array<number>(17).fill(maxEntry), [16, 1]],
    ["17 ones of 1 Mi", [...Array<number>(16).fill(maxEntry - 1), 16], [17]],
    [
      "a character more",
      [...Array<number>(16).fill(maxEntry - 1), 17],
      [16, 1],
    ],
  ])(
    "are sent in their order, in portions of at most 100 and 1 Mi characters: %s",
    async (_, lengths, sizes) => {
      const { outbox, batches, state, waits, isSent } = sending();
      state.isAway = true;
      for (const length of lengths) outbox.publish(entryOf(length));
      await turns(5);
      state.isAway = false;
      waits[0]?.();
      await isSent();
      expect(batches.map((batch) => batch.length)).toEqual(sizes);
      const numbers = batches.flat().map((text) => Number(text.split(".")[1]));
      expect(numbers).toEqual(lengths.map((_, i) => i + 1));
    },
  );

  it("wait for a store that is away, at most 32 Mi characters of them, of which the oldest go first", async () => {
    const { outbox, batches, state, waits, isSent } = sending();
    state.isAway = true;
    for (let i = 0; i < 512; i++) outbox.publish(entryOf(maxEntry));
    expect(outbox.unsent).toBe(512);
    outbox.publish(entryOf(12));
    expect([outbox.unsent, outbox.last]).toEqual([512, 513]);
    await turns(5);
    state.isAway = false;
    waits[0]?.();
    await isSent();
    expect(batches[0]?.[0]?.slice(0, 5)).toBe("me.2.");
  });

  it("tell of the first failure of an outage, of the later ones as such, and of its end once", async () => {
    const { outbox, batches, events, state, waits, isSent } = sending();
    state.isAway = true;
    outbox.publish({ kind: "a" });
    for (let i = 0; i < 3; i++) {
      await turns(5);
      expect(waits).toHaveLength(i + 1);
      state.isAway = i < 2;
      waits[i]?.();
    }
    await isSent();
    outbox.publish({ kind: "b" });
    await isSent();
    expect(events).toEqual([[away, false], [away, true], [away, true], "back"]);
    expect(batches).toHaveLength(2);
  });

  it("are sent before the outbox closes, and none is taken after that", async () => {
    const { outbox, batches } = sending();
    outbox.publish({ kind: "a" });
    await outbox.close(new Promise(() => {}));
    expect(batches).toHaveLength(1);
    expect(outbox.publish({ kind: "b" })).toBe(true);
    await turns(5);
    expect([batches.length, outbox.unsent, outbox.last]).toEqual([1, 0, 1]);
  });

  it("are dropped once the time to close is over, and not sent to a store that comes back later", async () => {
    const { outbox, batches, state, waits } = sending();
    state.isAway = true;
    outbox.publish({ kind: "a" });
    await turns(5);
    const { ended, end } = gate<void>();
    const onClosed = vi.fn();
    void outbox.close(ended).then(onClosed);
    await turns(5);
    expect([onClosed.mock.calls.length, outbox.unsent]).toEqual([0, 1]);
    end();
    await turns(5);
    expect([onClosed.mock.calls.length, outbox.unsent]).toEqual([1, 0]);
    state.isAway = false;
    waits[0]?.();
    await turns(5);
    expect(batches).toEqual([]);
  });
});
