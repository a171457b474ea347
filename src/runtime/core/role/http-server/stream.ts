import type { OpenWork } from "./open-work.js";
import type {
  DisconnectListener,
  HttpHeaders,
  HttpResponse,
} from "./exchange.js";

/** Headers that prevent proxies from buffering or changing events (HTTP-47). */
const eventHeaders: HttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * A stream of messages to one client, one event each. With a log, a stream
 * outlives its connection: unsent messages are sent when the client reconnects
 * (SSE-01, SSE-03, SSE-10).
 */
export class EventStream implements DisconnectListener {
  readonly name: string;
  /** True once the stream has ended. */
  ended = false;
  /** Called when the connection breaks or the client reads too slowly. */
  onDisconnect: DisconnectListener | undefined;
  readonly #lead: string;
  readonly #log: EventLog | undefined;
  readonly #openWork: OpenWork;
  /** The share of this client in `openWork.waiting`, in bytes. */
  #waiting = 0;
  /** The number of keep-alives since the last event was sent. */
  #age = 0;
  /** Undefined while no client is connected. */
  #response: HttpResponse | undefined;
  /** The number of the last event that was written. */
  #sent = 0;
  #count = 0;

  /** Each event begins with the line `lead`. */
  constructor(
    name: string,
    openWork: OpenWork,
    log?: EventLog,
    lead: string = "",
  ) {
    this.#lead = lead;
    this.name = name;
    this.#openWork = openWork;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /**
   * Continues the stream over a new connection, with all events after the given
   * one, or those that were never sent. Returns false if some of these events
   * are no longer available.
   */
  attach(response: HttpResponse, after: number = this.#sent): boolean {
    if (after > this.#count) return false;
    const events =
      after === this.#count
        ? []
        : this.#log?.eventsAfter(this.name, after, this.#count);
    if (!events) return false;
    this.#response?.end();
    this.#response = response;
    response.stream(eventHeaders);
    response.onDisconnect = this;
    events.forEach((text, i) => this.#write(after + i + 1, text));
    if (this.ended) this.end();
    return true;
  }

  /**
   * Marks all events as sent. Returns false, and does nothing, if there was no
   * event `after` yet.
   */
  skip(after = 0): boolean {
    if (after > this.#count) return false;
    this.#sent = this.#count;
    return true;
  }

  /**
   * Sends an event id to resume from, and the time before the client
   * reconnects, in milliseconds (SSE-04, SSE-05).
   */
  prime(retryMs?: number): void {
    this.#log?.add(this.name, ++this.#count, "");
    if (retryMs !== undefined) this.raw(`retry: ${retryMs}\n`);
    void this.#write(this.#count, "");
  }

  /**
   * Sends the text of a message. Returns a promise that resolves when there is
   * room for more, if there is none now.
   */
  push(text: string): Promise<void> | undefined {
    this.#log?.add(this.name, ++this.#count, text);
    return this.#write(this.#count, text);
  }

  /** Sends lines that a client cannot resume: comments and `retry`. */
  raw(lines: string): void {
    void this.#response?.write(lines);
  }

  /** Sends a comment, so that proxies keep the connection open. */
  keepAlive(): void {
    this.raw(":\n\n");
    this.#updateWaiting(this.#response?.waiting);
  }

  /**
   * Drops the logged events of a stream whose end was sent, after four
   * keep-alives: until then, a client that missed the end can reconnect.
   * Returns true if the stream was dropped.
   */
  expire(): boolean {
    if (!this.ended || this.#sent < this.#count || this.#age++ < 4)
      return false;
    this.#log?.dropUntil(this.name, this.#count);
    return true;
  }

  end(): void {
    this.ended = true;
    this.release();
  }

  /** Closes the connection. The stream continues without one. */
  release(): void {
    this.#response?.end();
    this.#response = undefined;
    this.#updateWaiting();
  }

  /** Writes an event. A single message of any length is always sent. */
  #write(count: number, data: string): Promise<void> | undefined {
    const response = this.#response;
    if (!response) return undefined;
    this.#updateWaiting(response.waiting);
    const isFull =
      this.#waiting > fairShare &&
      this.#openWork.waiting > this.#openWork.limits.bytes * 4;
    if (isFull || this.#waiting > maxWaiting) {
      response.end(true);
      this.disconnected();
      return undefined;
    }
    this.#sent = count;
    const id = this.#log ? `id: ${this.name}-${count}\n` : "";
    return response.write(`${this.#lead}${id}data: ${data}\n\n`);
  }

  #updateWaiting(waiting = 0): void {
    this.#openWork.waiting += waiting - this.#waiting;
    this.#waiting = waiting;
  }

  /** Called when the connection breaks. The stream continues without one. */
  disconnected(): void {
    this.#response = undefined;
    this.#updateWaiting();
    this.onDisconnect?.disconnected();
  }
}

/**
 * The size of unsent data of one client, in bytes: a client that reads more
 * slowly is disconnected, and may reconnect.
 */
const maxWaiting = 4_194_304;

/**
 * The size of unsent data that a client may have even if all clients together
 * exceed their limit, in bytes.
 */
const fairShare = 65_536;

interface StoredEvent {
  readonly log: EventLog;
  readonly key: string;
  readonly text: string;
  /** The memory that it takes, in bytes. */
  readonly bytes: number;
}

/**
 * The maximum memory of the events that a session keeps, in bytes: enough for a
 * client that is away for minutes.
 */
const maxBytes = 1_048_576;

/**
 * The memory of an event besides its text, in bytes, so that many short events
 * take no more than a long one.
 */
const ownBytes = 256;

/** Events by key, the oldest first, and their memory. */
export class Events<Key> extends Map<Key, StoredEvent> {
  #bytes = 0;

  add(key: Key, event: StoredEvent): void {
    this.set(key, event);
    this.#bytes += event.bytes;
  }

  override delete(key: Key): boolean {
    this.#bytes -= this.get(key)?.bytes ?? 0;
    return super.delete(key);
  }

  /**
   * Drops the oldest events until the others take no more than `max` bytes, but
   * keeps the latest `kept`.
   */
  shrink(max: number, kept: number): void {
    for (const { log, key } of this.values()) {
      if (this.#bytes <= max || this.size <= kept) return;
      log.drop(key);
    }
  }
}

/**
 * The events of all sessions of an endpoint, which keep them for clients that
 * reconnect.
 */
export type EventStore = Events<StoredEvent | undefined>;

/** The latest events of the streams of one session. */
export class EventLog {
  readonly #store: EventStore;
  readonly #maxStored: number;
  /** By stream and number. */
  readonly #events = new Events<string>();

  /** `store` has the events of all sessions, `maxStored` bytes at most. */
  constructor(store: EventStore, maxStored: number) {
    this.#store = store;
    this.#maxStored = maxStored;
  }

  add(stream: string, count: number, text: string): void {
    const key = `${stream}-${count}`;
    const event = {
      log: this,
      key,
      text,
      bytes: ownBytes + new TextEncoder().encode(text).length,
    };
    this.#events.add(key, event);
    this.#store.add(event, event);
    // The latest event of a session stays, unless all sessions together exceed
    // their limit.
    this.#events.shrink(maxBytes, 1);
    this.#store.shrink(this.#maxStored, 0);
  }

  drop(key: string): void {
    this.#store.delete(this.#events.get(key));
    this.#events.delete(key);
  }

  /** Drops the events of a stream up to and including one of them. */
  dropUntil(stream: string, last: number): void {
    for (
      let count = last;
      count > 0 && this.#events.has(`${stream}-${count}`);
      count--
    ) {
      this.drop(`${stream}-${count}`);
    }
  }

  /** Drops all events when the session ends. */
  clear(): void {
    for (const key of this.#events.keys()) this.drop(key);
  }

  /**
   * Returns the events of a stream after one of them, up to another; undefined
   * if one was dropped (SSE-03).
   */
  eventsAfter(
    stream: string,
    first: number,
    last: number,
  ): readonly string[] | undefined {
    const texts: string[] = [];
    for (let count = first + 1; count <= last; count++) {
      const event = this.#events.get(`${stream}-${count}`);
      if (event === undefined) return undefined;
      texts.push(event.text);
    }
    return texts;
  }
}
