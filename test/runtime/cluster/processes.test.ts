import { describe, expect, it } from "vitest";
import {
  lease,
  makeProcesses,
} from "../../../src/runtime/cluster/processes.js";

/** A clock that only a test moves; who waits moves it, too. */
function makeTime() {
  let time = 1_000_000;
  const now = (): number => time;
  const waits: number[] = [];
  const after = (ms: number, call: () => void): void => {
    waits.push(ms);
    time += ms;
    queueMicrotask(call);
  };
  return { clock: { now, after }, waits, pass: (ms: number) => (time += ms) };
}

const self = "self";
const beat = (at: number) => ({ kind: "beat", at });
const gone = { kind: "gone" };

/** A process that follows the log since now, and hears itself until it stops. */
function following() {
  const { clock, waits, pass } = makeTime();
  const processes = makeProcesses(self, clock);
  let count = 0;
  const hearOwn = (): void => {
    processes.heard(self, ++count, beat(clock.now()));
  };
  processes.since(clock.now());
  hearOwn();
  return { ...processes, processes, clock, waits, pass, hearOwn };
}

describe("what a process knows of another by its entries", () => {
  it.each([
    [lease - 1, true],
    [lease, false],
    [lease + 1, false],
  ])("%i ms after the last entry is that it runs: %s", (silence, runs) => {
    const { pass, hearOwn, heard, isRunning } = following();
    heard("other", 1, beat(0));
    pass(silence);
    hearOwn();
    expect(isRunning("other")).toBe(runs);
  });

  it.each([
    [lease - 1, undefined],
    [lease, false],
  ])(
    "is nothing certain %i ms after the log is followed if none came, so: %s",
    (time, runs) => {
      const { pass, hearOwn, isRunning } = following();
      pass(time);
      hearOwn();
      expect(isRunning("other")).toBe(runs);
    },
  );

  it.each([
    [lease / 2 - 1, false],
    [lease / 2, undefined],
  ])(
    "is nothing certain once its own heartbeat is %i ms old, so: %s",
    (age, runs) => {
      const { pass, hearOwn, heard, isRunning } = following();
      heard("other", 1, beat(0));
      pass(lease);
      hearOwn();
      pass(age);
      expect(isRunning("other")).toBe(runs);
    },
  );

  it("is nothing certain while the log is not followed", () => {
    const { pass, hearOwn, heard, isRunning, since } = following();
    heard("other", 1, beat(0));
    since(NaN);
    pass(2 * lease);
    hearOwn();
    expect(isRunning("other")).toBeUndefined();
  });

  it("is that it has ended as soon as it says so, and that this one runs always", () => {
    const { pass, heard, isRunning } = following();
    heard("other", 1, gone);
    expect(isRunning("other")).toBe(false);
    pass(10 * lease);
    expect(isRunning(self)).toBe(true);
  });

  it.each([
    [lease - 1, true],
    [lease, false],
  ])(
    "comes by the log, which counts as connected %i ms after an own heartbeat: %s",
    (age, isConnected) => {
      const { pass, processes } = following();
      pass(age);
      expect(processes.isConnected).toBe(isConnected);
    },
  );

  it("counts an own heartbeat from when it was published, and no other entry", () => {
    const { clock, pass, processes } = following();
    pass(lease);
    processes.heard(self, 2, { kind: "changed", at: clock.now() });
    expect(processes.isConnected).toBe(false);
    processes.heard(self, 3, beat(clock.now() - lease));
    expect(processes.isConnected).toBe(false);
    processes.heard("other", 1, beat(clock.now()));
    expect(processes.isConnected).toBe(false);
    processes.heard(self, 4, beat(clock.now()));
    expect(processes.isConnected).toBe(true);
  });
});

describe("the number of an entry", () => {
  it("tells an entry that came before, the next one, and one that is missing before it", () => {
    const { heard } = following();
    heard("other", 4, beat(0));
    expect(
      [4, 3, 5, 6, 8, 7].map((count) => heard("other", count, beat(0))),
    ).toEqual([undefined, undefined, false, false, true, undefined]);
  });

  it.each([
    [lease - 1, 2, false],
    [lease, 1, false],
    [lease, 2, true],
  ])(
    "of a process that is new %i ms after the log is followed is %i: an entry is missing: %s",
    (time, count, isMissing) => {
      const { pass, heard } = following();
      pass(time);
      expect(heard("new", count, beat(0))).toBe(isMissing);
    },
  );
});

describe("a process whose entries stay away", () => {
  it("is reported once, and never if it said that it leaves", () => {
    const { pass, hearOwn, heard, forgetEnded } = following();
    heard("killed", 1, beat(0));
    heard("left", 1, gone);
    expect(forgetEnded()).toBe(false);
    pass(lease);
    hearOwn();
    expect(forgetEnded()).toBe(true);
    expect(forgetEnded()).toBe(false);
  });

  // This process is one of those that are known.
  it.each([
    [998, undefined],
    [999, false],
  ])(
    "is forgotten beside %i others, so that a number of it that came before is new again: %s",
    (others, answer) => {
      const { heard, forgetEnded } = following();
      heard("left", 5, gone);
      for (let i = 0; i < others; i++) heard(`other ${i}`, 1, beat(0));
      forgetEnded();
      expect(heard("left", 5, beat(0))).toBe(answer);
    },
  );
});

describe("the search for a process", () => {
  it("ends at once if it is certain that it runs or has ended", async () => {
    const { heard, find, waits } = following();
    heard("other", 1, beat(0));
    heard("left", 1, gone);
    expect([await find("other"), await find("left"), waits]).toEqual([
      true,
      false,
      [],
    ]);
  });

  it("ends without an answer after two leases in which nothing came", async () => {
    const { find, waits } = following();
    expect(await find("other")).toBeUndefined();
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(2 * lease);
  });
});
