import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";

import { TransportError } from "../errors.js";
import { lineEnd, lineReader, LineWriter } from "./lines.js";
import {
  type MessageLimits,
  type Receiver,
  type Transport,
} from "../ports/transport.js";
import { startOnce } from "./start-once.js";

/** Options of `StdioServerTransport`. */
export interface StdioServerOptions {
  /** Limits of messages. */
  readonly limits?: MessageLimits | undefined;
  /** The stream to read from; `process.stdin` by default. */
  readonly input?: Readable;
  /** The stream to write to; `process.stdout` by default. */
  readonly output?: Writable;
}

/**
 * The stdio transport of a server: one message per line. The program must not
 * write anything else to stdout (STDIO-03).
 */
export class StdioServerTransport implements Transport {
  readonly carrier = "pipe";
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer = new LineWriter();
  readonly #maxBytes: number | undefined;
  #receiver: Receiver | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: StdioServerOptions = {}) {
    this.#input = options.input ?? process.stdin;
    this.#output = options.output ?? process.stdout;
    this.#writer.setStream(this.#output);
    this.#maxBytes = options.limits?.messageBytes;
  }

  start(receiver: Receiver): void {
    startOnce(this);
    this.#receiver = receiver;
    const read = lineReader(receiver, this.#maxBytes);
    this.#input.on("data", (chunk: Buffer | string) => {
      if (!this.#closed)
        read(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    });
    this.#input.on("end", () => {
      if (!this.#closed) read(lineEnd);
      receiver.ended();
    });
    for (const stream of [this.#input, this.#output])
      stream.on("error", (error: Error) => void this.#end(error));
  }

  send(message: unknown): Promise<void> | undefined {
    const room = this.#writer.write(message);
    // Reads no requests while the client does not read the answers (STDIO-16).
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
    this.#receiver?.closed(
      error && new TransportError("The client disconnected.", { cause: error }),
    );
  }
}
