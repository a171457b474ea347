import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  backoff,
  isThenable,
  maxDelay,
  onAbort,
  pause,
  settle,
  unlessAborted,
  withTimeout,
} from "../../src/common/timing.js";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the delays between attempts", () => {
  it("double up to a maximum, and end after the last attempt", () => {
    const next = backoff(5, 100, 500);
    expect(Array.from({ length: 7 }, next)).toEqual([
      100,
      200,
      400,
      500,
      500,
      undefined,
      undefined,
    ]);
  });

  it("are at least half of the time, at random", () => {
    vi.mocked(Math.random).mockReturnValue(0.5);
    expect(backoff(1, 100)()).toBe(75);
    vi.mocked(Math.random).mockReturnValue(1);
    expect(backoff(1, 100)()).toBe(50);
    expect(backoff(9, 100_000)()).toBe(15_000);
  });

  it("begin again after a minute without an attempt", () => {
    const next = backoff(2, 100);
    expect([next(), next(), next()]).toEqual([100, 200, undefined]);
    // The last delay is a part of the time.
    vi.advanceTimersByTime(60_200);
    expect(next()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect([next(), next()]).toEqual([100, 200]);
  });
});

describe("a time for some work", () => {
  const never = new Promise<never>(() => {});

  it("ends with the result, and leaves no timer", async () => {
    await expect(withTimeout(10, Promise.resolve(1))).resolves.toBe(1);
    const failed = Promise.reject(new Error("no"));
    await expect(withTimeout(10, failed)).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends without a result after the time, and not before", async () => {
    const seen = vi.fn();
    const end = withTimeout(10, never).then(seen);
    await vi.advanceTimersByTimeAsync(9);
    expect(seen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(seen).toHaveBeenCalledWith(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("starts again as often as it ends during a pause", async () => {
    const seen = vi.fn();
    let isPaused: boolean | undefined = true;
    const end = withTimeout(10, never, () => isPaused).then(seen);
    await vi.advanceTimersByTimeAsync(25);
    isPaused = undefined;
    await vi.advanceTimersByTimeAsync(4);
    expect(seen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(seen).toHaveBeenCalledOnce();
  });

  it("is no longer than a timer can be", async () => {
    const seen = vi.fn();
    const end = withTimeout(Infinity, never).then(seen);
    await vi.advanceTimersByTimeAsync(maxDelay - 1);
    expect(seen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await end;
  });
});

describe("a pause", () => {
  it("ends after its time, and leaves nothing on the signal", async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, "removeEventListener");
    const seen = vi.fn();
    const ends = [pause(10, signal).then(seen), pause(10).then(seen)];
    await vi.advanceTimersByTimeAsync(9);
    expect(seen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(ends);
    expect(remove).toHaveBeenCalledOnce();
    const long = pause(Infinity, AbortSignal.any([]));
    await vi.advanceTimersByTimeAsync(maxDelay - 1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await long;
  });

  it("rejects once its signal aborts, and has no timer then", async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const reason = new Error("enough");
    const paused = pause(10, controller.signal);
    controller.abort(reason);
    await expect(paused).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    expect(remove).toHaveBeenCalledOnce();
    await expect(pause(10, controller.signal)).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("work with a signal", () => {
  const never = new Promise<never>(() => {});
  const reason = new Error("enough");

  it("settles as it does without the signal", async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, "removeEventListener");
    for (const each of [signal, undefined]) {
      await expect(unlessAborted(Promise.resolve(1), each)).resolves.toBe(1);
      await expect(unlessAborted(Promise.reject(reason), each)).rejects.toBe(
        reason,
      );
    }
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it("rejects once the signal aborts, or has aborted", async () => {
    const controller = new AbortController();
    const work = unlessAborted(never, controller.signal);
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
    await expect(unlessAborted(never, controller.signal)).rejects.toBe(reason);
  });
});

describe("a value or a promise of it", () => {
  it.each<[value: unknown, isOne: boolean]>([
    [Promise.resolve(), true],
    [{ then: () => {} }, true],
    [{ then: 1 }, false],
    [null, false],
    [undefined, false],
    ["then", false],
  ])("is a promise if it can be waited for: %o", (value, isOne) => {
    expect(isThenable(value)).toBe(isOne);
  });

  it("is converted now, or once it resolves", async () => {
    const double = (value: number): number => 2 * value;
    expect(settle(2, double)).toBe(4);
    const later = settle(Promise.resolve(2), double);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(4);
  });
});

describe("the listeners of a signal", () => {
  it("are all called in their order, but for those that are removed", () => {
    const { signal } = new AbortController();
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const called: string[] = [];
    const forget = ["a", "b", "c"].map((name) =>
      onAbort(controller.signal, () => called.push(name)),
    );
    onAbort(signal, () => called.push("other"));
    forget[1]?.();
    forget[1]?.();
    expect(add).toHaveBeenCalledOnce();
    expect(remove).not.toHaveBeenCalled();
    controller.abort();
    expect(called).toEqual(["a", "c"]);
  });

  it("leave nothing on the signal once the last one is removed", () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const called: string[] = [];
    const add = vi.spyOn(controller.signal, "addEventListener");
    onAbort(controller.signal, () => called.push("a"))();
    expect(remove.mock.calls).toEqual(add.mock.calls);
    expect(remove).toHaveBeenCalledOnce();
    onAbort(controller.signal, () => called.push("b"));
    controller.abort();
    expect(called).toEqual(["b"]);
  });
});
