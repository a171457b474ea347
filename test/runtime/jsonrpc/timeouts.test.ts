import { spawn } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadlines, type Entry } from "../../../src/runtime/core/jsonrpc/deadlines.js";
import { bundle } from "../kit/bundle.js";

const idle = bundle("idle-client");
const clock = { isPaused: false };

interface Named extends Entry<Named> {
  readonly name: string;
}

/** Deadlines of entries with names. */
class Names {
  readonly #deadlines: Deadlines<Named>;
  readonly #entries = new Map<string, Named>();

  constructor(time: number, expire: (name: string) => void, paused: { readonly isPaused: boolean }) {
    this.#deadlines = new Deadlines<Named>(time, ({ name }) => expire(name), paused);
  }

  add(name: string): void {
    this.#deadlines.add(this.#entryOf(name));
  }

  delete(name: string): void {
    this.#deadlines.delete(this.#entryOf(name));
  }

  get idle(): boolean {
    return this.#deadlines.idle;
  }

  #entryOf(name: string): Named {
    const entry = this.#entries.get(name) ?? { name };
    this.#entries.set(name, entry);
    return entry;
  }
}

describe("deadlines", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const start = (): { deadlines: Names; expired: string[] } => {
    const expired: string[] = [];
    return { deadlines: new Names(800, (one) => expired.push(one), clock), expired };
  };

  it("TIME-01 expire never early, and at most one tick late", () => {
    for (let offset = 0; offset < 300; offset += 13) {
      const { deadlines, expired } = start();
      const ages: number[] = [];
      deadlines.add("first");
      for (let now = 1; now <= 1300; now++) {
        vi.advanceTimersByTime(1);
        if (now === offset) deadlines.add("second");
        if (expired.length > ages.length) ages.push(ages.length === 0 ? now : now - offset);
      }
      expect(expired).toEqual(offset === 0 ? ["first"] : ["first", "second"]);
      for (const age of ages) expect(age >= 800 && age <= 900, `${age} after ${offset}`).toBe(true);
    }
  });

  it("TIME-03 start again for an entry with progress, and skip entries that were deleted", () => {
    const { deadlines, expired } = start();
    for (const one of ["a", "b", "c"]) deadlines.add(one);
    vi.advanceTimersByTime(700);
    deadlines.add("a");
    deadlines.delete("b");
    vi.advanceTimersByTime(300);
    expect(expired).toEqual(["c"]);
    vi.advanceTimersByTime(700);
    expect(expired).toEqual(["c", "a"]);
  });

  it("skip entries that were deleted at the start, in the middle and at the end, also twice", () => {
    const { deadlines, expired } = start();
    for (const one of ["a", "b", "c", "d", "e"]) deadlines.add(one);
    for (const one of ["c", "a", "e", "c", "never added"]) deadlines.delete(one);
    deadlines.add("f");
    vi.advanceTimersByTime(1000);
    expect(expired).toEqual(["b", "d", "f"]);
  });

  it("do not expire while the clock is paused, and continue afterwards", () => {
    const expired: string[] = [];
    const clock = { isPaused: false };
    const deadlines = new Names(800, (one) => expired.push(one), clock);
    deadlines.add("a");
    vi.advanceTimersByTime(700);
    clock.isPaused = true;
    deadlines.add("b");
    vi.advanceTimersByTime(10_000);
    expect(expired).toEqual([]);
    clock.isPaused = false;
    vi.advanceTimersByTime(300);
    expect(expired).toEqual(["a"]);
    vi.advanceTimersByTime(600);
    expect(expired).toEqual(["a", "b"]);
  });

  it("stop the timer when there are no entries for a while, and start it again", () => {
    const { deadlines, expired } = start();
    deadlines.add("a");
    deadlines.delete("a");
    vi.advanceTimersByTime(100);
    expect(deadlines.idle).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    deadlines.add("b");
    expect(deadlines.idle).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(expired).toEqual(["b"]);
  });

  it("expire completely if one is added while another expires", () => {
    const expired: string[] = [];
    const deadlines: Names = new Names(
      80,
      (one) => {
        expired.push(one);
        if (one === "a") deadlines.add("c");
      },
      clock,
    );
    for (const one of ["a", "b"]) deadlines.add(one);
    vi.advanceTimersByTime(95);
    expect(expired).toEqual(["a", "b"]);
    vi.advanceTimersByTime(95);
    expect(expired).toEqual(["a", "b", "c"]);
  });
});

it("a process exits if no request is pending, even if a deadline timer is active", async () => {
  const child = spawn(process.execPath, [await idle], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(out).toBe("done\n");
  expect(code).toBe(0);
});
