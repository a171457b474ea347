import { TransportError } from "../errors.js";
import { backoff } from "../jsonrpc/pause.js";
import type { Revision } from "../tables.js";
import { Child } from "./child.js";
import { LineWriter } from "./lines.js";
import type { MessageLimits, Receiver, Transport } from "./transport.js";

/** How a server is started and ended. */
export interface StdioOptions {
  /** The folder to start in; that of this process by default. */
  readonly cwd?: string;
  /**
   * Environment variables in addition to the few that programs need to start, such as PATH and HOME. What else stands in
   * the environment of this process is kept from the server; `{ ...process.env }` passes all of it.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What becomes of the server's stderr, which is only for people (STDIO-05): shown as it is by default. */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void);
  /** The most that it takes. */
  readonly limits?: MessageLimits | undefined;
  /** How long the server may take to end after its stdin was closed, and again after SIGTERM, in milliseconds; 2,000 by default. */
  readonly shutdownTime?: number;
  /**
   * How a server that ends unexpectedly is started again; `false` leaves it. Only in revisions without a handshake: with one, the
   * session is gone and the connection with it. What was in flight rejects with a `TransportError` whose `isRetryable` is true;
   * streams of announcements are opened again.
   */
  readonly restart?: RestartOptions | false;
}

/** How often, and how soon, a server is started again. */
export interface RestartOptions {
  /** Most starts that follow on each other with less than a minute between them; 5 by default. */
  readonly maxRestarts?: number;
  /** The wait before the first of them, in milliseconds, which then doubles; 100 by default. */
  readonly restartTime?: number;
}

/** A server that is started as a child process and spoken to over its standard streams. STDIO-01 */
export function stdio(command: string, args: readonly string[] = [], options: StdioOptions = {}): Transport {
  return new StdioTransport(command, args, options);
}

class StdioTransport implements Transport {
  readonly #server: ConstructorParameters<typeof Child>;
  readonly #writer = new LineWriter();
  readonly #next: () => number | undefined;
  #receiver: Receiver | undefined;
  #child: Child | undefined;
  /** Does the server keep nothing between two requests? */
  #isStateless = false;
  #hasSpoken = false;
  #timer: NodeJS.Timeout | undefined;
  /** Resolves when the last server that ended by itself is really gone. */
  #ending: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(...server: ConstructorParameters<typeof Child>) {
    this.#server = server;
    const [, , { restart }] = server;
    const { maxRestarts = 5, restartTime = 100 } = restart || {};
    this.#next = backoff(restart === false ? 0 : maxRestarts, restartTime);
  }

  start(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
    return this.#run(receiver);
  }

  speak({ opening }: Revision): void {
    this.#isStateless = opening === "per-request";
  }

  send(message: unknown): Promise<void> | undefined {
    return this.#writer.write(message);
  }

  /** With an error, the server went away by itself. */
  close(error?: TransportError): Promise<void> {
    return (this.#closed ??= this.#shutDown(error));
  }

  again(): Transport {
    const [command, args, options] = this.#server;
    return stdio(command, args, options);
  }

  async #run(receiver: Receiver): Promise<void> {
    const child = new Child(...this.#server);
    this.#child = child;
    this.#writer.to(child.stdin);
    await child.start(receiver, (error) => {
      if (child === this.#child && !this.#closed) this.#lost(child, receiver, error);
    });
  }

  /** STDIO-11, STDIO-12. COMPAT-04: a server that has never said a word may have taken the first one for its end. */
  #lost(child: Child, receiver: Receiver, error: TransportError): void {
    this.#hasSpoken ||= child.hasSpoken;
    const wait = this.#isStateless && this.#hasSpoken ? this.#next() : undefined;
    if (wait === undefined) return void this.close(error);
    this.#child = undefined;
    this.#writer.to(null);
    this.#ending = child.end();
    const message = `${error.message} It is started again, and the call may be made again.`;
    receiver.lost?.(undefined, new TransportError(message, { cause: error, isRetryable: true }));
    receiver.report?.(error);
    this.#timer = setTimeout(() => {
      this.#run(receiver).catch((failure: TransportError) => this.close(failure));
    }, wait);
  }

  async #shutDown(error: TransportError | undefined): Promise<void> {
    clearTimeout(this.#timer);
    if (error) this.#receiver?.closed(error);
    // What is still to be written goes first.
    void this.#writer.end();
    await this.#child?.end();
    await this.#ending;
    if (!error) this.#receiver?.closed();
  }
}
