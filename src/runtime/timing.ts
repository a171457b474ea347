/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** A time without trouble after which what broke counts as mended, in milliseconds. */
const lasting = 60_000;

/** Beyond this a timer would fire at once. */
export const maxDelay: number = 2 ** 31 - 1;

/** Resolves after a time in milliseconds; rejects with the signal's reason when that comes first. */
export function pause(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const done = (): void => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(done, Math.min(time, maxDelay));
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Resolves once the work is over, or after a time in milliseconds. */
export async function within(time: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(time, maxDelay))));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Tells before each try how long to wait, in milliseconds: half to all of a time that doubles, so that not all who were cut off
 * at once come back at once. Undefined after the most tries that may follow on each other.
 */
export function backoff(most: number, time: number, maxTime = 30_000): () => number | undefined {
  let tries = 0;
  let last = 0;
  return () => {
    if (performance.now() - last > lasting) tries = 0;
    if (tries >= most) return undefined;
    const wait = Math.min(maxTime, time * 2 ** tries++) * (1 - Math.random() / 2);
    last = performance.now() + wait;
    return wait;
  };
}

/** A signal that aborts with the first of two. */
export function either(first: AbortSignal | undefined, second: AbortSignal): AbortSignal {
  // Not every supported compiler's library knows it yet; every supported platform does.
  const { any } = AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal };
  return first ? any.call(AbortSignal, [first, second]) : second;
}
