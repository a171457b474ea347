import {
  memoryPair,
  serve,
  type ServerDefinition,
  type Transport,
} from "@mcpgen/runtime";
import type { Json } from "./messages.js";

/**
 * The other end of a connection, in the hands of a test: it reads and writes
 * messages as they stand on the wire.
 */
export class Wire {
  readonly transport: Transport;
  /** All that came, in order. */
  readonly seen: Json[] = [];
  closed = false;
  #position = 0;
  #wake: (() => void) | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
    void transport.start({
      message: (message) => {
        this.seen.push(message as Json);
        this.#wake?.();
      },
      malformed: (error) => {
        throw error;
      },
      ended: () => {},
      closed: () => {
        this.closed = true;
        this.#wake?.();
      },
    });
  }

  send(message: unknown): void {
    void this.transport.send(message);
  }

  /** The next message that has not been taken yet. */
  async next(): Promise<Json> {
    while (this.#position === this.seen.length) {
      if (this.closed)
        throw new Error("The connection was closed before the next message.");
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.seen[this.#position++] as Json;
  }

  /**
   * Sends a request and takes what comes next, which is its answer unless the
   * test provoked something else.
   */
  async ask(id: unknown, method: string, params?: Json): Promise<Json> {
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.next();
  }

  /** Answers the request that comes next, and returns it. */
  async answer(result: Json): Promise<Json> {
    const request = await this.next();
    this.send({ jsonrpc: "2.0", id: request["id"], result });
    return request;
  }

  /** What came and was not taken, once nothing more is on its way. */
  async rest(): Promise<readonly Json[]> {
    await turns();
    return this.seen.slice(this.#position);
  }
}

/** Lets all that is on its way arrive: a few turns of the event loop. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++)
    await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A server of one or more revisions with a test in place of its client. */
export async function serveWire(
  servers: ServerDefinition | readonly ServerDefinition[],
): Promise<Wire> {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(serverTransport, servers);
  return new Wire(clientTransport);
}
