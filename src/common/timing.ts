/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/**
 * True for a promise of any kind, also for one of another realm: a test runner
 * may run code of the user in one.
 */
export const isThenable = <T>(
  value: T | PromiseLike<T>,
): value is PromiseLike<T> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then ===
  "function";

/**
 * Calls `convert` with the value: now, or once it resolves if it is a promise.
 */
export function settle<T, R>(
  value: T | PromiseLike<T>,
  convert: (value: T) => Awaitable<R>,
): Awaitable<R> {
  return isThenable(value)
    ? (value.then((resolved) => convert(resolved)) as Promise<R>)
    : convert(value);
}

/**
 * The time without a failure after which `backoff` starts again, in
 * milliseconds.
 */
const resetTime = 60_000;

/**
 * The maximum delay of a timer, in milliseconds. A timer with a longer one
 * fires at once.
 */
export const maxDelay: number = 2_147_483_647;

/**
 * The listeners of each signal, which has one listener itself: Node.js warns of
 * more than ten.
 */
const listeners = /* @__PURE__ */ new WeakMap<AbortSignal, Set<() => void>>();

function callListeners({ target }: Event): void {
  for (const listener of listeners.get(target as AbortSignal) ?? []) listener();
}

/**
 * Calls the listener when the signal aborts. Returns a function that removes
 * the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let all = listeners.get(signal);
  if (!all) {
    listeners.set(signal, (all = new Set()));
    signal.addEventListener("abort", callListeners);
  }
  const added = all.add(listener);
  return () => {
    if (!added.delete(listener) || added.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener("abort", callListeners);
  };
}

/**
 * Resolves after a time in milliseconds. Rejects with the signal's reason if it
 * aborts before.
 */
export function pause(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      forget?.();
      reject(signal?.reason as Error);
    };
    const done = (): void => {
      forget?.();
      resolve();
    };
    const timer = setTimeout(done, Math.min(time, maxDelay));
    const forget = signal && onAbort(signal, stop);
  });
}

/**
 * Settles as the work does, or rejects with the reason of the signal if it
 * aborts before.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return work;
  let forget: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    signal.throwIfAborted();
    forget = onAbort(signal, () => reject(signal.reason as Error));
  });
  return Promise.race([work, aborted]).finally(forget);
}

/**
 * Resolves with the result of the work, or with undefined after a time in
 * milliseconds, which starts again if it ends while `isPaused`.
 */
export function withTimeout<T>(
  time: number,
  work: Promise<T>,
  isPaused?: () => boolean | undefined,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    const wait = (): void =>
      void (timer = setTimeout(end, Math.min(time, maxDelay)));
    const end = (): void => (isPaused?.() ? wait() : resolve(undefined));
    wait();
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Returns a function that returns the delay before the next attempt, in
 * milliseconds; undefined after `maxAttempts` consecutive ones. The delay is
 * random, from half of a time to all of it, and the time doubles with each
 * attempt (exponential back-off with jitter).
 */
export function backoff(
  maxAttempts: number,
  time: number,
  maxTime = 30_000,
): () => number | undefined {
  let attempts = 0;
  let last = 0;
  return () => {
    if (performance.now() - last > resetTime) attempts = 0;
    if (attempts >= maxAttempts) return undefined;
    const wait =
      Math.min(maxTime, time * 2 ** attempts++) * (1 - Math.random() / 2);
    last = performance.now() + wait;
    return wait;
  };
}

/**
 * The signals behind a combined one. Node.js 20 refers to them weakly: without
 * this map, a signal of `AbortSignal.timeout` that nothing else refers to can
 * be collected, and then it never fires.
 */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/** A signal that aborts when the first of two signals aborts. */
export function either(
  first: AbortSignal | undefined,
  second: AbortSignal,
): AbortSignal {
  if (!first) return second;
  // All supported platforms have `AbortSignal.any`, but not the type libraries
  // of all supported TypeScript versions.
  const { any } = AbortSignal as unknown as {
    any(signals: readonly AbortSignal[]): AbortSignal;
  };
  const combined = any.call(AbortSignal, [first, second]);
  sources.set(combined, [first, second]);
  return combined;
}
