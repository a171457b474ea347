import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";

import { TransportError } from "../errors.js";
import { LineWriter } from "./line-writer.js";
import { defaultMaxMessageBytes, lineReader } from "./lines.js";
import type { Receiver, Transport } from "./transport.js";

/** How a server uses its standard streams. */
export interface StdioServerOptions {
  /** Longest message, in bytes; 64 MiB by default. */
  readonly maxMessageBytes?: number;
  /** Where messages come from; the process's stdin by default. */
  readonly input?: Readable;
  /** Where messages go; the process's stdout by default. */
  readonly output?: Writable;
}

/** The server's end of stdio: one message a line on stdin and stdout. STDIO-03: nothing else may be written to stdout. */
export class StdioServerTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer: LineWriter;
  readonly #maxBytes: number;
  #receiver: Receiver | undefined;
  #closed = false;

  constructor(options: StdioServerOptions = {}) {
    this.#input = options.input ?? process.stdin;
    this.#output = options.output ?? process.stdout;
    this.#writer = new LineWriter(this.#output);
    this.#maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const read = lineReader(receiver, this.#maxBytes);
    this.#input.on("data", (chunk: Buffer | string) => {
      if (this.#closed) return;
      read(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      // STDIO-16: a client that does not read its answers gets no new ones.
      if (this.#writer.room) this.#wait();
    });
    this.#input.on("end", () => receiver.ended());
    this.#input.on("error", (error: Error) => this.#fail(error));
    this.#output.on("error", (error: Error) => this.#fail(error));
  }

  send(message: unknown): Promise<void> | void {
    const room = this.#writer.write(message);
    if (room) this.#wait();
    return room;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    await this.#writer.end();
    this.#receiver?.closed();
  }

  #wait(): void {
    if (this.#input.isPaused()) return;
    this.#input.pause();
    void Promise.resolve(this.#writer.room).then(() => this.#closed || this.#input.resume());
  }

  #fail(error: Error): void {
    this.#writer.break();
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    this.#receiver?.closed(new TransportError("The client went away.", { cause: error }));
  }
}
