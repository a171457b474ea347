/**
 * Work that obtains a token. Only one runs at a time; callers that come
 * meanwhile wait for it.
 */
export class Flight {
  #running: Promise<void> | undefined;

  /**
   * Runs work, or waits for the work that is already running. Rejects as it
   * does.
   */
  async run(work: () => Promise<void>): Promise<void> {
    if (!this.#running) {
      const running = work().finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
      this.#running = running;
    }
    await this.#running;
  }

  /** Waits until no work is running. */
  async ended(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {});
  }

  /** Lets later callers start other work, although this one is running. */
  abandon(): void {
    this.#running = undefined;
  }
}
