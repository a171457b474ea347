import type { HttpLimits } from "./endpoint-options.js";
import type { HttpHeaders, HttpResponse, Sink } from "./wire.js";

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
  /** Most that may wait for a slow client before its connection is cut, in bytes. */
  readonly #maxWaiting: number;
  #sink: Sink | undefined;
  /** The last event that was written, whether or not it has a log. */
  #sent = 0;
  #count = 0;

  /** `maxWaiting` is 4 MiB by default; `lead` is a line that each event begins with. */
  constructor(name: string, maxWaiting: number = 4_194_304, log?: EventLog, lead: string = "") {
    this.#lead = lead;
    this.name = name;
    this.#maxWaiting = maxWaiting;
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
  }

  end(): void {
    this.over = true;
    this.release();
  }

  /** Lets the connection go; the stream itself goes on. */
  release(): void {
    this.#sink?.end();
    this.#sink = undefined;
  }

  /** One message always fits, however long. */
  #write(count: number, data: string): Promise<void> | undefined {
    const sink = this.#sink;
    if (!sink) return undefined;
    if (sink.waiting > this.#maxWaiting) {
      sink.end(true);
      this.#lose();
      return undefined;
    }
    this.#sent = count;
    const id = this.#log ? `id: ${this.name}-${count}\n` : "";
    return sink.write(`${this.#lead}${id}data: ${data}\n\n`);
  }

  #lose(): void {
    this.#sink = undefined;
    this.onGone?.();
  }
}

/** The latest events of a session's streams. */
export class EventLog {
  readonly #maxEvents: number;
  readonly #maxLength: number;
  /** By stream and number, the oldest first. */
  readonly #events = new Map<string, string>();
  #length = 0;

  constructor({ sessionEvents = 256, sessionEventBytes = 1_048_576 }: HttpLimits) {
    this.#maxEvents = sessionEvents;
    this.#maxLength = sessionEventBytes;
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
