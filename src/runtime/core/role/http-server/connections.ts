import type { Server } from "node:http";
import type { Duplex } from "node:stream";

/** One connection of a server. */
export class OpenConnection {
  readonly #all: Connections;
  /** Undefined once the connection is closed. */
  socket: Duplex | undefined;
  /** The number of open requests. */
  open = 0;
  /** When the connection became idle: a number that grows with each one that does. */
  idleSince: number;

  constructor(all: Connections, socket: Duplex) {
    this.#all = all;
    this.socket = socket;
    this.idleSince = ++all.clock;
  }

  /** Called when the response to a request has been sent, or cannot be. */
  end(): void {
    if (--this.open > 0) return;
    this.idleSince = ++this.#all.clock;
    if (this.#all.isClosing) this.close();
  }

  close(): void {
    const { socket } = this;
    this.forget();
    socket?.destroy();
  }

  forget(): void {
    if (this.socket) this.#all.forget(this.socket);
    this.socket = undefined;
  }
}

/**
 * Counts the connections of a server. Above the limit the one that has been idle for longest is closed, so that idle clients keep nobody
 * out; the new one only if none is idle. Node itself would always close the new one.
 */
export class Connections {
  clock = 0;
  isClosing = false;
  readonly #open = new Map<Duplex, OpenConnection>();
  /** The connections that were idle when they were last sorted, the longest idle last. A request changes no order of a list. */
  #sorted: OpenConnection[] = [];
  #sortedAt = 0;

  constructor(server: Server, max: number) {
    server.on("connection", (socket) => {
      const connection = new OpenConnection(this, socket);
      this.#open.set(socket, connection);
      socket.once("close", () => connection.forget());
      if (this.isClosing) connection.close();
      else if (this.#open.size > max) (this.#longestIdle() ?? connection).close();
    });
  }

  isIdle(socket: Duplex): boolean {
    return this.#open.get(socket)?.open === 0;
  }

  /** Counts a request or an upgrade. The caller calls `end` of the connection when the response has ended; an upgrade has none. */
  begin(socket: Duplex): OpenConnection | undefined {
    const connection = this.#open.get(socket);
    if (connection) connection.open++;
    return connection;
  }

  /** Closes idle connections at once, and the others when they become idle. */
  close(): void {
    this.isClosing = true;
    for (const connection of this.#open.values()) if (connection.open === 0) connection.close();
  }

  forget(socket: Duplex): void {
    this.#open.delete(socket);
  }

  #longestIdle(): OpenConnection | undefined {
    const known = this.#nextSorted();
    if (known) return known;
    const idle = [...this.#open.values()].filter(({ open }) => open === 0);
    this.#sorted = idle.sort((a, b) => b.idleSince - a.idleSince);
    this.#sortedAt = this.clock;
    return this.#nextSorted();
  }

  /** The next one of the sorted connections that has been idle since; all others have become idle later. */
  #nextSorted(): OpenConnection | undefined {
    for (let entry = this.#sorted.pop(); entry; entry = this.#sorted.pop())
      if (entry.socket && entry.open === 0 && entry.idleSince <= this.#sortedAt) return entry;
    return undefined;
  }
}
