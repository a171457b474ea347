/**
 * Called with true before a person is asked to sign in, and with false when
 * that is over.
 */
export type SignInListener = (isRunning: boolean) => void;

/**
 * The connections to one server that use one token, and wait together while a
 * person signs in.
 */
export class Connections {
  readonly #listeners = new Set<SignInListener>();
  #stop = new AbortController();
  #isSigningIn = false;

  /**
   * Aborts when the last connection leaves. Undefined if there are none, as at
   * a logout.
   */
  get signal(): AbortSignal | undefined {
    return this.#listeners.size > 0 ? this.#stop.signal : undefined;
  }

  add(listener: SignInListener): void {
    if (this.#listeners.size === 0) this.#stop = new AbortController();
    this.#listeners.add(listener);
  }

  /**
   * Removes a connection. Returns true if this cancels a sign-in, because it
   * was the last one.
   */
  delete(listener: SignInListener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return false;
    this.#stop.abort();
    return this.#isSigningIn;
  }

  /**
   * Runs a sign-in. The timeouts of the connections stop meanwhile. Rejects if
   * the last connection has left: nobody waits for the answer of a person.
   */
  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    this.#stop.signal.throwIfAborted();
    const notify = (isRunning: boolean): void => {
      this.#isSigningIn = isRunning;
      this.#listeners.forEach((listener) => listener(isRunning));
    };
    notify(true);
    try {
      return await work();
    } finally {
      notify(false);
    }
  }
}
