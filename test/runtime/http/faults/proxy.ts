import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** The probability of each fault. */
export interface Weather {
  /** Of closing both directions at a chunk. */
  readonly cut: number;
  /** Of closing one direction only. */
  readonly half: number;
}

/**
 * An unreliable connection between a client and a server: it closes, delays,
 * splits, coalesces and half-closes.
 */
export class Proxy {
  weather: Weather = { cut: 0, half: 0 };
  cuts = 0;
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #random: () => number;

  private constructor(port: number, random: () => number) {
    this.#random = random;
    this.#server = createServer({ allowHalfOpen: true }, (near) => {
      this.connections++;
      const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      for (const socket of [near, far]) {
        this.#sockets.add(socket.on("error", () => {}).setNoDelay());
        socket.on("close", () => this.#sockets.delete(socket));
      }
      this.#pipe(near, far);
      this.#pipe(far, near);
    });
  }

  static async to(port: number, random: () => number): Promise<Proxy> {
    const proxy = new Proxy(port, random);
    await new Promise<void>((resolve) =>
      proxy.#server.listen(0, "127.0.0.1", resolve),
    );
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pipe(from: Socket, to: Socket): void {
    /** The received bytes that were not forwarded yet. */
    let held: Buffer[] = [];
    let isSending = false;
    let hasEnded = false;
    const cut = (): void => {
      this.cuts++;
      if (this.#random() < 0.5) {
        from.resetAndDestroy();
        to.resetAndDestroy();
      } else {
        from.destroy();
        to.destroy();
      }
    };
    const send = async (): Promise<void> => {
      if (isSending) return;
      isSending = true;
      // Chunks that are received during the delay are forwarded together.
      await this.#pause();
      while (held.length > 0 && !to.destroyed) {
        const all = Buffer.concat(held);
        held = [];
        for (let start = 0; start < all.length;) {
          const end =
            this.#random() < 0.5
              ? all.length
              : start + 1 + Math.floor(this.#random() * 60);
          if (this.#random() < this.weather.cut) return cut();
          to.write(all.subarray(start, end));
          start = end;
          if (this.#random() < 0.2) await this.#pause();
        }
      }
      isSending = false;
      if (hasEnded) to.end();
      // Either the client ends its side and still reads, or the end of the
      // server is lost.
      else if (this.#random() < this.weather.half) to.end();
    };
    from.on("data", (chunk: Buffer) => {
      held.push(chunk);
      void send();
    });
    from.on("end", () => {
      hasEnded = true;
      void send();
    });
    from.on("close", () => {
      if (!hasEnded) to.destroy();
    });
  }

  #pause(): Promise<void> {
    const time = this.#random();
    return new Promise((resolve) => {
      if (time < 0.7) setImmediate(resolve);
      else setTimeout(resolve, time * 3);
    });
  }
}

/** Random numbers between 0 and 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
