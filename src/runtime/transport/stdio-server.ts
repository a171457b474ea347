import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";

import { TransportError } from "../errors.js";
import { lineReader, LineWriter } from "./lines.js";
import type { MessageLimits, Receiver, Transport } from "./transport.js";

/** How a server uses its standard streams. */
export interface StdioServerOptions {
  /** The most that it takes. */
  readonly limits?: MessageLimits | undefined;
  /** Where messages come from; the process's stdin by default. */
  readonly input?: Readable;
  /** Where messages go; the process's stdout by default. */
  readonly output?: Writable;
}

/** The server's end of stdio: one message a line on stdin and stdout. STDIO-03: nothing else may be written to stdout. */
export class StdioServerTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer = new LineWriter();
  readonly #maxBytes: number | undefined;
  #receiver: Receiver | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: StdioServerOptions = {}) {
    this.#input = options.input ?? process.stdin;
    this.#output = options.output ?? process.stdout;
    this.#writer.to(this.#output);
    this.#maxBytes = options.limits?.messageBytes;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const read = lineReader(receiver, this.#maxBytes);
    this.#input.on("data", (chunk: Buffer | string) => {
      if (!this.#closed) read(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    });
    this.#input.on("end", () => receiver.ended());
    for (const stream of [this.#input, this.#output])
      stream.on("error", (error: Error) => void this.#end(error));
  }

  send(message: unknown): Promise<void> | undefined {
    const room = this.#writer.write(message);
    // STDIO-16: a client that does not read its answers gets no new ones.
    if (room && !this.#input.isPaused()) {
      this.#input.pause();
      void room.then(() => void (this.#closed ?? this.#input.resume()));
    }
    return room;
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  #end(error: Error | undefined): Promise<void> {
    return (this.#closed ??= this.#shutDown(error));
  }

  async #shutDown(error: Error | undefined): Promise<void> {
    this.#input.pause();
    await this.#writer.end();
    this.#receiver?.closed(error && new TransportError("The client went away.", { cause: error }));
  }
}
