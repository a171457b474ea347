type Timer = ReturnType<typeof setTimeout> & { unref?(): unknown };

/** Sends at most so many of each second's messages at once; of the others only the latest, when the second ends or at `flush`. */
export class Pace {
  readonly #most: number;
  #start = 0;
  #count = 0;
  #held: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `send` now, or later, or never when a later message replaces it. */
  take(send: () => void): void {
    const now = Date.now();
    if (now - this.#start >= 1000) {
      this.#drop();
      this.#start = now;
      this.#count = 0;
    }
    if (this.#count++ < this.#most) return send();
    this.#held = send;
    this.#timer ??= setTimeout(this.flush, this.#start + 1000 - now);
    this.#timer.unref?.();
  }

  /** Sends the message that waits, if any. */
  readonly flush = (): void => {
    const held = this.#held;
    this.#drop();
    held?.();
  };

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = undefined;
  }
}
