import { advise } from "../advice.js";
import { TransportError } from "../errors.js";
import { type Receiver, type Transport } from "../ports/transport.js";
import { startOnce } from "./start-once.js";

/**
 * Creates two connected transports in memory. Each side receives copies of the
 * messages of the other, in order and asynchronously (CUST-05). Both sides are
 * warned of more than over other transports, such as of keys in `_meta` with a
 * reserved prefix.
 */
export function memoryPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryTransport implements Transport {
  readonly advise: typeof advise = advise;
  peer!: MemoryTransport;
  #receiver: Receiver | undefined;
  // Messages that are not delivered yet, as JSON text.
  #inbox: string[] = [];
  #scheduled = false;
  #closed = false;
  #turns = 0;

  start(receiver: Receiver): void {
    startOnce(this);
    this.#receiver = receiver;
    this.#schedule();
  }

  send(message: unknown): void {
    if (this.#closed) throw new TransportError("The connection is closed.");
    // JSON text, as on other transports, so that the sides share no objects.
    this.peer.#inbox.push(JSON.stringify(message));
    this.peer.#schedule();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#shut();
    this.peer.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || !this.#receiver) return;
    this.#scheduled = true;
    // Two sides that answer each other at once would otherwise block timers.
    const later =
      ++this.#turns % 256
        ? queueMicrotask
        : (task: () => void) => setTimeout(task, 0);
    later(() => {
      this.#scheduled = false;
      const inbox = this.#inbox;
      this.#inbox = [];
      for (const text of inbox) {
        if (this.#closed) return;
        this.#receiver?.message(JSON.parse(text));
      }
      if (this.peer.#closed && !this.#closed) this.#shut();
    });
  }

  #shut(): void {
    this.#closed = true;
    this.#receiver?.closed();
  }
}
