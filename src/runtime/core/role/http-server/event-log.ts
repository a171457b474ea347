interface StoredEvent {
  readonly log: EventLog;
  readonly key: string;
  readonly text: string;
  /** The memory that it takes, in bytes. */
  readonly bytes: number;
}

/** The maximum memory of the events that a session keeps, in bytes: enough for a client that is away for minutes. */
const maxBytes = 1_048_576;

/** The memory of an event besides its text, in bytes, so that many short events take no more than a long one. */
const ownBytes = 256;

/** Events by key, the oldest first, and their memory. */
class Events<Key> extends Map<Key, StoredEvent> {
  bytes = 0;

  add(key: Key, event: StoredEvent): void {
    this.set(key, event);
    this.bytes += event.bytes;
  }

  override delete(key: Key): boolean {
    this.bytes -= this.get(key)?.bytes ?? 0;
    return super.delete(key);
  }

  /** Drops the oldest events until the others take no more than this, but keeps the latest `kept`. */
  shrink(max: number, kept: number): void {
    for (const { log, key } of this.values()) {
      if (this.bytes <= max || this.size <= kept) return;
      log.drop(key);
    }
  }
}

/** The events of all sessions of an endpoint, which keep them for clients that reconnect. */
export interface EventStore {
  readonly events: Events<StoredEvent | undefined>;
  readonly maxBytes: number;
}

export const newEventStore = (maxBytes: number): EventStore => ({ events: new Events(), maxBytes });

/** The latest events of the streams of one session. */
export class EventLog {
  readonly #store: EventStore;
  /** By stream and number. */
  readonly #events = new Events<string>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  add(stream: string, count: number, text: string): void {
    const key = `${stream}-${count}`;
    const event = { log: this, key, text, bytes: ownBytes + new TextEncoder().encode(text).length };
    this.#events.add(key, event);
    this.#store.events.add(event, event);
    // The latest event of a session stays, unless all sessions together exceed their limit.
    this.#events.shrink(maxBytes, 1);
    this.#store.events.shrink(this.#store.maxBytes, 0);
  }

  drop(key: string): void {
    this.#store.events.delete(this.#events.get(key));
    this.#events.delete(key);
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
