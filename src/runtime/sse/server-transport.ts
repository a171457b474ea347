import { EventStream } from "../core/role/http-server/stream.js";
import { TransportError } from "../core/errors.js";
import type { MessageInfo, Receiver, Transport } from "../core/ports/transport.js";
import type { Load } from "../core/role/http-server/load.js";
import type { HttpResponse } from "../core/role/http-server/exchange.js";

/** Sends the messages of a server over one stream; those of the client arrive by POSTs (HSSE-03, HSSE-07). */
export class SseTransport implements Transport {
  readonly carrier = "http";
  readonly #stream: EventStream;
  #receiver: Receiver | undefined;

  constructor(load: Load) {
    this.#stream = new EventStream("", load, undefined, "event: message\n");
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const disconnected = (): void => {
      this.#stream.ended = true;
      receiver.closed(new TransportError("The client disconnected."));
    };
    this.#stream.onDisconnect = { disconnected };
  }

  /** Opens the stream with the event that names the URL for messages (HSSE-01). */
  open(response: HttpResponse, uri: string): void {
    this.#stream.attach(response);
    this.#stream.raw(`event: endpoint\ndata: ${uri}\n\n`);
  }

  receive(message: unknown, info: MessageInfo): void {
    this.#receiver?.message(message, info);
  }

  send(message: unknown): Promise<void> | undefined {
    if (this.#stream.ended) throw new TransportError("The connection is closed.");
    return this.#stream.push(JSON.stringify(message));
  }

  keepAlive(): void {
    this.#stream.keepAlive();
  }

  async close(): Promise<void> {
    if (this.#stream.ended) return;
    this.#stream.end();
    this.#receiver?.closed();
  }
}
