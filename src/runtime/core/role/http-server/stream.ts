import type { EventLog } from "./event-log.js";
import type { Load } from "./load.js";
import type { DisconnectListener, HttpHeaders, HttpResponse, Sink } from "./exchange.js";

/** Headers that prevent proxies from buffering or changing events (HTTP-47). */
const eventHeaders: HttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * A stream of messages to one client, one event each. With a log, a stream outlives its connection: unsent messages are sent when the
 * client reconnects (SSE-01, SSE-03, SSE-10).
 */
export class EventStream {
  readonly name: string;
  /** True once the stream has ended. */
  ended = false;
  /** Called when the connection breaks or the client reads too slowly. */
  onDisconnect: DisconnectListener | undefined;
  readonly #lead: string;
  readonly #log: EventLog | undefined;
  readonly #load: Load;
  /** The share of this client in `load.waiting`, in bytes. */
  #waiting = 0;
  /** The number of keep-alives since the last event was sent. */
  #age = 0;
  #sink: Sink | undefined;
  /** The number of the last event that was written. */
  #sent = 0;
  #count = 0;

  /** Each event begins with the line `lead`. */
  constructor(name: string, load: Load, log?: EventLog, lead: string = "") {
    this.#lead = lead;
    this.name = name;
    this.#load = load;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#sink !== undefined;
  }

  /**
   * Continues the stream over a new connection, with all events after the given one, or those that were never sent. Returns false if
   * some of these events are no longer available.
   */
  attach(response: HttpResponse, after: number = this.#sent): boolean {
    if (after > this.#count) return false;
    const events = after === this.#count ? [] : this.#log?.eventsAfter(this.name, after, this.#count);
    if (!events) return false;
    this.#sink?.end();
    const sink = response.stream(eventHeaders);
    this.#sink = sink;
    const disconnected = (): void => {
      if (this.#sink === sink) this.#disconnect();
    };
    response.onDisconnect = { disconnected };
    events.forEach((text, i) => this.#write(after + i + 1, text));
    if (this.ended) this.end();
    return true;
  }

  /** Gives up the events that were not sent. Returns false, and does nothing, if there was no event `after` yet. */
  skip(after = 0): boolean {
    if (after > this.#count) return false;
    this.#sent = this.#count;
    return true;
  }

  /** Sends an event id to resume from, and the time before the client reconnects, in milliseconds (SSE-04, SSE-05). */
  prime(retryMs?: number): void {
    this.#log?.add(this.name, ++this.#count, "");
    if (retryMs !== undefined) this.raw(`retry: ${retryMs}\n`);
    this.#write(this.#count, "");
  }

  /** Sends the text of a message. Returns a promise that resolves when there is room for more, if there is none now. */
  push(text: string): Promise<void> | undefined {
    this.#log?.add(this.name, ++this.#count, text);
    return this.#write(this.#count, text);
  }

  /** Sends lines that are not a message and are not sent again. */
  raw(lines: string): void {
    this.#sink?.write(lines);
  }

  /** Sends a comment, so that proxies keep the connection open. */
  keepAlive(): void {
    this.raw(":\n\n");
    this.#updateWaiting(this.#sink?.waiting);
  }

  /**
   * Drops the logged events of a stream whose end was sent, after four keep-alives: until then, a client that missed the end can
   * reconnect. Returns true if the stream was dropped.
   */
  expire(): boolean {
    if (!this.ended || this.#sent < this.#count || this.#age++ < 4) return false;
    this.#log?.dropUntil(this.name, this.#count);
    return true;
  }

  end(): void {
    this.ended = true;
    this.release();
  }

  /** Closes the connection. The stream continues without one. */
  release(): void {
    this.#sink?.end();
    this.#sink = undefined;
    this.#updateWaiting();
  }

  /** Writes an event. A single message of any length is always sent. */
  #write(count: number, data: string): Promise<void> | undefined {
    const sink = this.#sink;
    if (!sink) return undefined;
    this.#updateWaiting(sink.waiting);
    const isFull = this.#waiting > fairShare && this.#load.waiting > this.#load.limits.bytes * 4;
    if (isFull || this.#waiting > maxWaiting) {
      sink.end(true);
      this.#disconnect();
      return undefined;
    }
    this.#sent = count;
    const id = this.#log ? `id: ${this.name}-${count}\n` : "";
    return sink.write(`${this.#lead}${id}data: ${data}\n\n`);
  }

  #updateWaiting(waiting = 0): void {
    this.#load.waiting += waiting - this.#waiting;
    this.#waiting = waiting;
  }

  #disconnect(): void {
    this.#sink = undefined;
    this.#updateWaiting();
    this.onDisconnect?.disconnected();
  }
}

/** The size of unsent data of one client, in bytes: a client that reads more slowly is disconnected, and may reconnect. */
const maxWaiting = 4_194_304;

/** The size of unsent data that a client may have even if all clients together exceed their limit, in bytes. */
const fairShare = 65_536;
