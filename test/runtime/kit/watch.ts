import { vi } from "vitest";
import { timeLimit } from "../../time-limit.js";

/** What a handler of a test did, told from outside. */
export interface Watch {
  readonly events: string[];
  saw(event: string): void;
  /** Resolves once something was seen that often. */
  until(event: string, times?: number): Promise<void>;
}

export function watch(): Watch {
  const events: string[] = [];
  const waiting = new Set<() => void>();
  return {
    events,
    saw: (event) => {
      events.push(event);
      for (const check of waiting) check();
    },
    until: (event, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (events.filter((one) => one === event).length < times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Work that ends when the test says so. */
export function gate<T>(): {
  readonly ended: Promise<T>;
  end(value: T): void;
  fail(error: unknown): void;
} {
  let end!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const ended = new Promise<T>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { ended, end, fail };
}

/**
 * Resolves once a condition holds that something on its way makes true: `check`
 * returns anything but false, which is the result, and does not throw. Rejects
 * with what it threw last after half a minute, or more on a busy machine.
 * `interval` is for what each attempt costs something, in milliseconds.
 */
export function until<T>(
  check: () => T | Promise<T>,
  interval = 5,
): Promise<T> {
  const attempt = async (): Promise<T> => {
    const result = await check();
    if (result === false)
      throw new Error(`The condition does not become true: ${String(check)}`);
    return result;
  };
  return vi.waitFor(attempt, { timeout: timeLimit(30_000), interval });
}

/** Notes which of these times, in milliseconds, are waited for from now on. */
export function waitsAmong(
  ...times: readonly number[]
): () => readonly number[] {
  const spy = vi.spyOn(globalThis, "setTimeout");
  return () => {
    const waited = spy.mock.calls
      .map(([, time]) => Number(time))
      .filter((time) => times.includes(time));
    spy.mockRestore();
    return waited;
  };
}
