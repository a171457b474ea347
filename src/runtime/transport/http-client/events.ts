import { createParser } from "eventsource-parser";

import { ValidationError } from "../../errors.js";

/** Receives server-sent events. */
export interface EventListener {
  /** `name` is undefined for an event of type "message"; `id` is undefined if the event has none. */
  event(data: string, name: string | undefined, id: string | undefined): void;
  /** The wait before the client reconnects, in milliseconds. */
  retry(time: number): void;
  /** The stream cannot be read further. */
  onError(error: Error): void;
}

/** Reads a stream of server-sent events from chunks of bytes of any size (SSE-08). */
export class EventReader {
  readonly #decoder = new TextDecoder();
  readonly #feed: (text: string) => void;
  #isOver = false;
  #endedInReturn = false;

  constructor(listener: EventListener, maxBytes: number) {
    const { feed } = createParser({
      maxBufferSize: maxBytes,
      onEvent: ({ data, event, id }) => {
        if (this.#isOver) return;
        listener.event(data, event === "message" ? undefined : event, id);
      },
      onRetry: (time) => listener.retry(time),
      onError: ({ type }) => {
        if (type !== "max-buffer-size-exceeded") return;
        this.#isOver = true;
        listener.onError(new ValidationError(`A message is longer than ${maxBytes} bytes.`));
      },
    });
    this.#feed = feed;
  }

  feed(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    if (this.#isOver || text === "") return;
    // A line ends in CR, LF or both. At a CR the parser waits for the next character, which may come much later.
    const rest = this.#endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith("\r");
    this.#feed(rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest);
  }

  /** Drops an unfinished event. */
  end(): void {
    this.#isOver = true;
  }
}
