/** Functions to call when a task may have changed. */
export class Listeners {
  readonly #byKey = new Map<string, Set<() => void>>();

  /** Calls a function when the task with a key may have changed, until the returned function is called. */
  add(key: string, listener: () => void): () => void {
    const listeners = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#byKey.delete(key);
    };
  }

  /** Calls those of a task. Without a key, any task may have changed. */
  wake(key: string | undefined): void {
    const all = key === undefined ? [...this.#byKey.values()] : [this.#byKey.get(key) ?? []];
    for (const listeners of all) for (const listener of listeners) listener();
  }
}
