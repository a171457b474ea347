import type { HttpLimits } from "./http-limits.js";

interface StoredEvent {
  readonly log: EventLog;
  readonly key: string;
  readonly text: string;
  /** The length of the text in UTF-8. */
  readonly bytes: number;
}

/** Stores the events of all sessions of an endpoint for clients that reconnect. Above the limit, the oldest events are dropped. */
export class EventStore {
  readonly limits: HttpLimits;
  /** The oldest first. */
  readonly #events = new Set<StoredEvent>();
  #bytes = 0;

  constructor(limits: HttpLimits) {
    this.limits = limits;
  }

  add(event: StoredEvent): void {
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const { log, key } of this.#events) {
      if (this.#bytes <= (this.limits.totalEventBytes ?? 67_108_864)) return;
      log.drop(key);
    }
  }

  delete(event: StoredEvent): void {
    if (this.#events.delete(event)) this.#bytes -= event.bytes;
  }
}

/** The maximum length of the events that a session keeps, in bytes. */
const maxBytes = 1_048_576;

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
    const { sessionEvents = 256 } = this.#store.limits;
    const key = `${stream}-${count}`;
    const event = { log: this, key, text, bytes: new TextEncoder().encode(text).length };
    this.#events.set(key, event);
    this.#bytes += event.bytes;
    for (const old of this.#events.keys()) {
      const { size } = this.#events;
      // The latest event of a session stays, unless all sessions together exceed their limit.
      if (size === 1 || (size <= sessionEvents && this.#bytes <= maxBytes)) break;
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
