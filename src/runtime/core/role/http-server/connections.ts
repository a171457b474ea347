import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** What is known of a connection. */
interface Entry {
  /** Undefined once the connection is closed. */
  socket: Duplex | undefined;
  /** The number of open requests. */
  open: number;
  /** When the connection became idle: a number that grows with each one that does. */
  idleSince: number;
}

/**
 * Counts the connections of a server. Above the limit the one that has been idle for longest is closed, so that idle clients keep nobody
 * out; the new one only if none is idle. Node itself would always close the new one.
 */
export class Connections {
  readonly #entries = new Map<Duplex, Entry>();
  /** The connections that were idle when they were last sorted, the longest idle last. A request changes no order of a list. */
  #sorted: Entry[] = [];
  #sortedAt = 0;
  #clock = 0;
  #isClosing = false;

  constructor(server: Server, max: number) {
    server.on("connection", (socket) => {
      const entry = { socket, open: 0, idleSince: ++this.#clock };
      this.#entries.set(socket, entry);
      socket.once("close", () => this.#forget(entry));
      if (this.#isClosing) this.#close(entry);
      else if (this.#entries.size > max) this.#close(this.#longestIdle() ?? entry);
    });
    const end = this.#end.bind(this);
    // One function for all responses: a closure for each of them costs more.
    function onClose(this: ServerResponse): void {
      end(this.req.socket);
    }
    server.prependListener("request", ({ socket }: IncomingMessage, response) => {
      this.begin(socket);
      response.on("close", onClose);
    });
  }

  isIdle(socket: Duplex): boolean {
    return this.#entries.get(socket)?.open === 0;
  }

  /** Counts a request. The caller does this only for an upgrade, which has no response. */
  begin(socket: Duplex): void {
    const entry = this.#entries.get(socket);
    if (entry) entry.open++;
  }

  /** Closes idle connections at once, and the others when they become idle. */
  close(): void {
    this.#isClosing = true;
    for (const entry of this.#entries.values()) if (entry.open === 0) this.#close(entry);
  }

  /** Called when a response has been sent, or cannot be. */
  #end(socket: Duplex): void {
    const entry = this.#entries.get(socket);
    if (!entry || --entry.open > 0) return;
    entry.idleSince = ++this.#clock;
    if (this.#isClosing) this.#close(entry);
  }

  #longestIdle(): Entry | undefined {
    const known = this.#nextSorted();
    if (known) return known;
    const idle = [...this.#entries.values()].filter(({ open }) => open === 0);
    this.#sorted = idle.sort((a, b) => b.idleSince - a.idleSince);
    this.#sortedAt = this.#clock;
    return this.#nextSorted();
  }

  /** The next one of the sorted connections that has been idle since; all others have become idle later. */
  #nextSorted(): Entry | undefined {
    for (let entry = this.#sorted.pop(); entry; entry = this.#sorted.pop())
      if (entry.socket && entry.open === 0 && entry.idleSince <= this.#sortedAt) return entry;
    return undefined;
  }

  #close(entry: Entry): void {
    const { socket } = entry;
    this.#forget(entry);
    socket?.destroy();
  }

  #forget(entry: Entry): void {
    if (entry.socket) this.#entries.delete(entry.socket);
    entry.socket = undefined;
  }
}
