/** How much of what was sent is kept for clients that come back. */
export interface LogLimits {
  /** Most events that one session keeps; 256 by default, 0 keeps none. */
  readonly maxEvents?: number | undefined;
  /** Most text that one session keeps, in characters; 1,048,576 by default. The latest event is kept, however long. */
  readonly maxEventLength?: number | undefined;
}

/** The latest events of a session's streams. */
export class EventLog {
  readonly #maxEvents: number;
  readonly #maxLength: number;
  /** By stream and number, the oldest first. */
  readonly #events = new Map<string, string>();
  #length = 0;

  constructor({ maxEvents = 256, maxEventLength = 1_048_576 }: LogLimits) {
    this.#maxEvents = maxEvents;
    this.#maxLength = maxEventLength;
  }

  add(stream: string, count: number, text: string): void {
    this.#events.set(`${stream}-${count}`, text);
    this.#length += text.length;
    for (const [key, old] of this.#events) {
      const { size } = this.#events;
      if (size === 1 || (size <= this.#maxEvents && this.#length <= this.#maxLength)) return;
      this.#events.delete(key);
      this.#length -= old.length;
    }
  }

  /** SSE-03: the events of this very stream after one of them, up to another; undefined when one is no longer there. */
  after(stream: string, first: number, last: number): readonly string[] | undefined {
    const found: string[] = [];
    for (let count = first + 1; count <= last; count++) {
      const text = this.#events.get(`${stream}-${count}`);
      if (text === undefined) return undefined;
      found.push(text);
    }
    return found;
  }
}
