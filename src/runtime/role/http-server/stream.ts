import type { EventLog } from "./event-log.js";
import type { Load } from "./load.js";
import type { HttpHeaders, HttpResponse, Sink } from "./exchange.js";

/** HTTP-47: what keeps everything between the two sides from collecting or changing events. */
const eventHeaders: HttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Messages to one client, one event each. With a log a stream outlives its connection: what could not be sent is sent when
 * the client comes back. SSE-01, SSE-03, SSE-10
 */
export class EventStream {
  readonly name: string;
  /** Nothing more will be said. */
  over = false;
  /** Called when the connection breaks or the client reads too slowly. */
  onGone: (() => void) | undefined;
  readonly #lead: string;
  readonly #log: EventLog | undefined;
  readonly #load: Load;
  /** How much of the load waits for this client, in bytes. */
  #waiting = 0;
  /** How often the log was looked through since the client got everything. */
  #age = 0;
  #sink: Sink | undefined;
  /** The last event that was written, whether or not it has a log. */
  #sent = 0;
  #count = 0;

  /** `lead` is a line that each event begins with. */
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
   * Lets the stream go on over a new connection, with all events after the given one, or those that were never sent; false
   * when some of them are no longer there.
   */
  attach(response: HttpResponse, after: number = this.#sent): boolean {
    if (after > this.#count) return false;
    const missed = after === this.#count ? [] : this.#log?.after(this.name, after, this.#count);
    if (!missed) return false;
    this.#sink?.end();
    const sink = response.stream(eventHeaders);
    this.#sink = sink;
    const lose = (): void => {
      if (this.#sink === sink) this.#lose();
    };
    response.onGone = lose;
    missed.forEach((text, i) => this.#write(after + i + 1, text));
    if (this.over) this.end();
    return true;
  }

  /** SSE-04, SSE-05: an id to come back to, and how long to wait before, in milliseconds. */
  prime(retryMs?: number): void {
    this.#log?.add(this.name, ++this.#count, "");
    if (retryMs !== undefined) this.raw(`retry: ${retryMs}\n`);
    this.#write(this.#count, "");
  }

  /** Takes the text of a message. Returns a promise of room when there is none. */
  push(text: string): Promise<void> | undefined {
    this.#log?.add(this.name, ++this.#count, text);
    return this.#write(this.#count, text);
  }

  /** Takes lines that are no message, which nobody is sent again. */
  raw(lines: string): void {
    this.#sink?.write(lines);
  }

  /** A line that means nothing, so that nobody in between takes the stream for dead. */
  keepAlive(): void {
    this.raw(":\n\n");
    this.#weigh(this.#sink?.waiting);
  }

  /**
   * Drops what the log keeps of a stream that was sent to its end. A client that lost the end has time to come back: the time of
   * four signs of life.
   */
  isForgotten(): boolean {
    if (!this.over || this.#sent < this.#count || this.#age++ < 4) return false;
    this.#log?.forget(this.name, this.#count);
    return true;
  }

  end(): void {
    this.over = true;
    this.release();
  }

  /** Lets the connection go; the stream itself goes on. */
  release(): void {
    this.#sink?.end();
    this.#sink = undefined;
    this.#weigh();
  }

  /** One message always fits, however long. */
  #write(count: number, data: string): Promise<void> | undefined {
    const sink = this.#sink;
    if (!sink) return undefined;
    const { waitingBytes = 4_194_304, totalWaitingBytes = 268_435_456 } = this.#load.limits;
    this.#weigh(sink.waiting);
    const isFull = this.#waiting > fairWaiting && this.#load.waiting > totalWaitingBytes;
    if (isFull || this.#waiting > waitingBytes) {
      sink.end(true);
      this.#lose();
      return undefined;
    }
    this.#sent = count;
    const id = this.#log ? `id: ${this.name}-${count}\n` : "";
    return sink.write(`${this.#lead}${id}data: ${data}\n\n`);
  }

  #weigh(waiting = 0): void {
    this.#load.waiting += waiting - this.#waiting;
    this.#waiting = waiting;
  }

  #lose(): void {
    this.#sink = undefined;
    this.#weigh();
    this.onGone?.();
  }
}

/** What may wait for a client even while too much waits for all of them, in bytes. */
const fairWaiting = 65_536;
