type Timer = ReturnType<typeof setTimeout> & { unref?(): unknown };

/** Limits messages per second. Of the messages above the limit only the latest is sent: when the second ends, or at `flush`. */
export class Pace {
  readonly #max: number;
  #start = 0;
  #count = 0;
  #pending: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Calls `send` now, or later; never if a later message replaces it. */
  take(send: () => void): void {
    const now = Date.now();
    if (now - this.#start >= 1000) {
      this.#drop();
      this.#start = now;
      this.#count = 0;
    }
    if (this.#count++ < this.#max) return send();
    this.#pending = send;
    this.#timer ??= setTimeout(this.flush, this.#start + 1000 - now);
    this.#timer.unref?.();
  }

  /** Sends the pending message, if any. */
  readonly flush = (): void => {
    const pending = this.#pending;
    this.#drop();
    pending?.();
  };

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = undefined;
  }
}
