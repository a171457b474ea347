/** Called with true before a person is asked to sign in, and with false when that is over. */
export type SignInListener = (isRunning: boolean) => void;

/** The connections to one server that use one token, and wait together while a person signs in. */
export class Connections {
  readonly #listeners = new Set<SignInListener>();
  #stop = new AbortController();
  #isSigningIn = false;

  /** Aborts when the last connection leaves. Undefined without connections, as at a logout, when nobody can leave. */
  get signal(): AbortSignal | undefined {
    return this.#listeners.size > 0 ? this.#stop.signal : undefined;
  }

  enter(listener: SignInListener): void {
    if (this.#listeners.size === 0) this.#stop = new AbortController();
    this.#listeners.add(listener);
  }

  /** Returns true if this ends a sign-in, since nobody waits for it any more. */
  leave(listener: SignInListener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return false;
    this.#stop.abort();
    return this.#isSigningIn;
  }

  /** Runs a sign-in, while the timeouts of the connections stop. */
  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
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
