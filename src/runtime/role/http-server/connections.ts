import type { Server } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Counts the connections of a server. Above the limit the one that has been idle for longest is closed, so that idle clients keep nobody
 * out; the new one only if none is idle. Node itself would always close the new one.
 */
export class Connections {
  /** The number of open requests of each connection. */
  readonly #open = new Map<Duplex, number>();
  /** The connections without an open request, the longest idle first. */
  readonly #idle = new Set<Duplex>();
  #isClosing = false;

  constructor(server: Server, max: number) {
    server.on("connection", (socket) => {
      this.#open.set(socket, 0);
      socket.once("close", () => this.#forget(socket));
      this.#rest(socket);
      const [longestIdle] = this.#idle;
      if (this.#open.size > max) this.#close(longestIdle ?? socket);
    });
    server.prependListener("request", ({ socket }, response) => {
      this.begin(socket);
      response.on("close", () => this.#end(socket));
    });
  }

  isIdle(socket: Duplex): boolean {
    return this.#idle.has(socket);
  }

  /** Counts a request. The caller does this only for an upgrade, which has no response. */
  begin(socket: Duplex): void {
    this.#idle.delete(socket);
    this.#open.set(socket, (this.#open.get(socket) ?? 0) + 1);
  }

  /** Closes idle connections at once, and the others when they become idle. */
  close(): void {
    this.#isClosing = true;
    for (const socket of this.#idle) this.#close(socket);
  }

  /** Called when a response has been sent, or cannot be. */
  #end(socket: Duplex): void {
    const count = this.#open.get(socket);
    if (count === undefined) return;
    this.#open.set(socket, count - 1);
    if (count === 1) this.#rest(socket);
  }

  #rest(socket: Duplex): void {
    if (this.#isClosing) this.#close(socket);
    else this.#idle.add(socket);
  }

  #close(socket: Duplex): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Duplex): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
  }
}
