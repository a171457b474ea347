/** One timer for all that must be looked at from time to time; none while there is nothing. */
export class Pulse {
  readonly #time: number;
  readonly #beat: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** The time is in milliseconds; `beat` says whether there is anything left to look at. */
  constructor(time: number, beat: () => boolean) {
    this.#time = time;
    this.#beat = beat;
  }

  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => {
      if (!this.#beat()) this.stop();
    }, this.#time);
    // It keeps no process alive, where there are processes.
    (this.#timer as { unref?(): void }).unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
