import { TransportError } from "../errors.js";
import { backoff } from "../../../common/timing.js";
import type { Revision } from "../tables.js";
import { Child, type StdioOptions } from "./child.js";
import { LineWriter } from "./lines.js";
import { type Receiver, type Transport } from "../ports/transport.js";
import { startOnce } from "./start-once.js";

/**
 * Creates a transport that starts a server as a child process and uses its standard streams (STDIO-01). `start` rejects with a
 * `TransportError` if the process cannot be started.
 */
export function stdio(command: string, args: readonly string[] = [], options: StdioOptions = {}): Transport {
  return new StdioTransport(command, args, options);
}

class StdioTransport implements Transport {
  readonly carrier = "pipe";
  readonly #server: ConstructorParameters<typeof Child>;
  readonly #writer = new LineWriter();
  readonly #next: () => number | undefined;
  #receiver: Receiver | undefined;
  #child: Child | undefined;
  /** True if the server keeps no state between requests. */
  #isStateless = false;
  #hasOutput = false;
  #timer: NodeJS.Timeout | undefined;
  /** Resolves when the last server that exited unexpectedly has been cleaned up. */
  #ending: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(...server: ConstructorParameters<typeof Child>) {
    this.#server = server;
    const [, , { restart }] = server;
    const { maxRestarts = 5, restartTime = 100 } = restart || {};
    this.#next = backoff(restart === false ? 0 : maxRestarts, restartTime);
  }

  start(receiver: Receiver): Promise<void> {
    startOnce(this);
    this.#receiver = receiver;
    return this.#run(receiver);
  }

  useRevision({ opening }: Revision): void {
    this.#isStateless = opening === "per-request";
  }

  send(message: unknown): Promise<void> | undefined {
    return this.#writer.write(message);
  }

  /** Closes the transport. `error` is the reason if the server exited unexpectedly. */
  close(error?: TransportError): Promise<void> {
    return (this.#closed ??= this.#shutDown(error));
  }

  reconnect(): Transport {
    const [command, args, options] = this.#server;
    return stdio(command, args, options);
  }

  async #run(receiver: Receiver): Promise<void> {
    const child = new Child(...this.#server);
    this.#child = child;
    this.#writer.setStream(child.stdin);
    await child.start(receiver, (error) => {
      if (child === this.#child && !this.#closed) this.#lost(child, receiver, error);
    });
  }

  /**
   * Restarts the server if its revision keeps no session (STDIO-11); otherwise closes (STDIO-12). A server that never wrote anything is
   * not restarted: a legacy server may exit at the first unknown request (COMPAT-04).
   */
  #lost(child: Child, receiver: Receiver, error: TransportError): void {
    this.#hasOutput ||= child.hasOutput;
    const wait = this.#isStateless && this.#hasOutput ? this.#next() : undefined;
    if (wait === undefined) return void this.close(error);
    this.#child = undefined;
    this.#writer.setStream(null);
    this.#ending = child.end();
    const message = `The server is restarted, and the call may be repeated: ${error.message}`;
    receiver.lost?.(undefined, new TransportError(message, { cause: error, isRetryable: true }));
    receiver.report?.(error);
    this.#timer = setTimeout(() => {
      this.#run(receiver).catch((restartError: TransportError) => this.close(restartError));
    }, wait);
  }

  async #shutDown(error: TransportError | undefined): Promise<void> {
    clearTimeout(this.#timer);
    if (error) this.#receiver?.closed(error);
    // Writes pending messages first.
    void this.#writer.end();
    await this.#child?.end();
    await this.#ending;
    if (!error) this.#receiver?.closed();
  }
}
