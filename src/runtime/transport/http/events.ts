import { createParser } from "eventsource-parser";

import { ValidationError } from "../../index.js";

/** What a stream of server-sent events tells. */
export interface EventListener {
  /** `name` is undefined for an event of the common kind; `id` where it brought none. */
  event(data: string, name: string | undefined, id: string | undefined): void;
  /** How long to wait before coming back, in milliseconds. */
  retry(time: number): void;
  /** The stream cannot be read further. */
  fault(error: Error): void;
}

/** Reads a stream of server-sent events as its bytes come, however they are cut. SSE-08 */
export class EventReader {
  readonly #decoder = new TextDecoder();
  readonly #feed: (text: string) => void;
  #isOver = false;
  #last = "";

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
        listener.fault(new ValidationError(`A message is longer than ${maxBytes} bytes.`, []));
      },
    });
    this.#feed = feed;
  }

  feed(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** What has not ended by now is dropped. */
  end(): void {
    // A line may end in CR alone, which is only known once no LF can follow.
    if (this.#last === "\r") this.#take("\n");
    this.#isOver = true;
  }

  #take(text: string): void {
    if (this.#isOver || text === "") return;
    this.#last = text.slice(-1);
    this.#feed(text);
  }
}
