import { TransportError } from "../errors.js";
import type { Receiver, Transport } from "./transport.js";

/**
 * Two transports joined in memory. What one side sends, the other gets as a copy, in order and never before `send` has
 * returned, so that nothing is shared and nothing depends on the call stack.
 */
export function memoryPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryTransport implements Transport {
  peer!: MemoryTransport;
  #receiver: Receiver | undefined;
  // Text that came before start, or waits for its turn.
  #inbox: string[] = [];
  #scheduled = false;
  #closed = false;
  #turns = 0;

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#schedule();
  }

  send(message: unknown): void {
    if (this.#closed) throw new TransportError("The connection is closed.");
    // A message passes through JSON text, as on every other carrier.
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
    // Two sides that answer each other at once would otherwise never let a timer run.
    const later = ++this.#turns % 256 ? queueMicrotask : (task: () => void) => setTimeout(task, 0);
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
