interface StoredEvent {
  readonly log: EventLog;
  readonly key: string;
  readonly text: string;
  /** The memory that it takes, in bytes. */
  readonly bytes: number;
}

/** Stores the events of all sessions of an endpoint for clients that reconnect. Above the limit, the oldest events are dropped. */
export class EventStore {
  readonly #maxBytes: number;
  /** The oldest first. */
  readonly #events = new Set<StoredEvent>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(event: StoredEvent): void {
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const { log, key } of this.#events) {
      if (this.#bytes <= this.#maxBytes) return;
      log.drop(key);
    }
  }

  delete(event: StoredEvent): void {
    if (this.#events.delete(event)) this.#bytes -= event.bytes;
  }
}

/** The maximum memory of the events that a session keeps, in bytes: enough for a client that is away for minutes. */
const maxBytes = 1_048_576;

/** The memory of an event besides its text, in bytes, so that many short events take no more than a long one. */
const ownBytes = 256;

/** The latest events of the streams of one session. */
export class EventLog {
  readonly #store: EventStore;
  /** By stream and number, the oldest first. */
  readonly #events = new Map<string, StoredEvent>();
  #bytes = 0;

  constructor(store: EventStore) {
    this.#store = store;
  }

  add(stream: string, count: number, text: string): void {
    const key = `${stream}-${count}`;
    const event = { log: this, key, text, bytes: ownBytes + new TextEncoder().encode(text).length };
    this.#events.set(key, event);
    this.#bytes += event.bytes;
    for (const old of this.#events.keys()) {
      // The latest event of a session stays, unless all sessions together exceed their limit.
      if (this.#events.size === 1 || this.#bytes <= maxBytes) break;
      this.drop(old);
    }
    this.#store.add(event);
  }

  drop(key: string): void {
    const event = this.#events.get(key);
    if (!event) return;
    this.#events.delete(key);
    this.#bytes -= event.bytes;
    this.#store.delete(event);
  }

  /** Drops the events of a stream up to and including one of them. */
  dropUntil(stream: string, last: number): void {
    for (let count = last; count > 0 && this.#events.has(`${stream}-${count}`); count--) {
      this.drop(`${stream}-${count}`);
    }
  }

  /** Drops all events when the session ends. */
  clear(): void {
    for (const key of this.#events.keys()) this.drop(key);
  }

  /** Returns the events of a stream after one of them, up to another; undefined if one was dropped (SSE-03). */
  eventsAfter(stream: string, first: number, last: number): readonly string[] | undefined {
    const texts: string[] = [];
    for (let count = first + 1; count <= last; count++) {
      const event = this.#events.get(`${stream}-${count}`);
      if (event === undefined) return undefined;
      texts.push(event.text);
    }
    return texts;
  }
}
