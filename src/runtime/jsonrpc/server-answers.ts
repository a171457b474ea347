import { rpcError } from "../errors.js";
import { type Answer, Answers } from "./answers.js";
import type { Connection } from "./connection.js";
import { Exchange } from "./exchange.js";

/** How many requests a server takes on. */
export interface ServerLimits {
  /** Most requests being answered at once; 256 by default. */
  readonly maxInFlight?: number | undefined;
  /** Most requests waiting beyond those; 1,024 by default. */
  readonly maxQueue?: number | undefined;
  /** How long answers may still take once the client sends nothing more, or the server closes, in milliseconds; 1,000 by default. */
  readonly drainTime?: number | undefined;
}

/** A server's answers: bounded, and given to the end when a client stops asking. */
export class ServerAnswers extends Answers {
  readonly #limits: ServerLimits;
  readonly #queue: { readonly exchange: Exchange; start(): void }[] = [];
  #busy = 0;
  /** The work on notifications, which nobody waits for. */
  readonly #loose = new Set<Exchange>();
  #drained: (() => void) | undefined;

  constructor(connection: Connection, answer: Answer, limits: ServerLimits) {
    super(connection, answer);
    this.#limits = limits;
  }

  /** Does the work at once, or when its turn comes, or never if it was cancelled by then. Throws when there is no room. */
  whenFree(exchange: Exchange, work: () => unknown): unknown {
    const { maxInFlight = 256, maxQueue = 1024 } = this.#limits;
    if (this.#busy < maxInFlight) {
      this.#busy++;
      exchange.busy = true;
      return work();
    }
    if (this.#queue.length >= maxQueue) {
      throw rpcError("INTERNAL_ERROR", "Too many requests.");
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        try {
          resolve(this.whenFree(exchange, work));
        } catch (error) {
          reject(error);
        }
      };
      this.#queue.push({ exchange, start });
    });
  }

  /** Does work that ends with the connection, and reports how it fails. */
  work(task: (exchange: Exchange) => unknown): void {
    const exchange = new Exchange(undefined, undefined);
    this.#loose.add(exchange);
    new Promise((resolve) => resolve(task(exchange)))
      .catch((error: unknown) => this.connection.report(error))
      .finally(() => this.#loose.delete(exchange));
  }

  /** STDIO-09: what was asked is answered, if that does not take long. */
  ended(): void {
    void this.drain();
  }

  /** Closes the connection once nothing is left to be answered, or after a while. */
  async drain(): Promise<void> {
    if (this.open.size > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        timer = setTimeout(resolve, this.#limits.drainTime ?? 1000);
      });
      clearTimeout(timer);
    }
    await this.connection.close();
  }

  override closed(reason: Error): void {
    this.#drained?.();
    for (const exchange of this.#loose) exchange.abort(reason);
    super.closed(reason);
  }

  protected override finish(exchange: Exchange): void {
    super.finish(exchange);
    if (exchange.busy) {
      this.#busy--;
      let next = this.#queue.shift();
      while (next?.exchange.over) next = this.#queue.shift();
      next?.start();
    }
    if (this.open.size === 0) this.#drained?.();
  }
}
