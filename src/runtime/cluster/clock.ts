/** The time of a process. Tests replace it. */
export interface Clock {
  /** Milliseconds since some moment. It never goes back. */
  now(): number;
  /** Calls a function once, after a time in milliseconds. */
  after(time: number, call: () => void): void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(time, call) {
    const timer: unknown = setTimeout(call, time);
    // The process may end; in browsers the timer has no `unref`.
    (timer as { unref?(): void }).unref?.();
  },
};

/** Resolves after a time in milliseconds. */
export const pause = (clock: Clock, time: number): Promise<void> =>
  new Promise((resolve) => clock.after(time, resolve));
