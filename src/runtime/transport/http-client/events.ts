import { createParser } from "eventsource-parser";

import { ValidationError } from "../../errors.js";

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
        listener.fault(new ValidationError(`A message is longer than ${maxBytes} bytes.`));
      },
    });
    this.#feed = feed;
  }

  feed(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    if (this.#isOver || text === "") return;
    // A line may end in CR, LF or both. The parser knows that, but waits at a CR for what comes next, though it be long in coming.
    const rest = this.#endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith("\r");
    this.#feed(rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest);
  }

  /** What has not ended by now is dropped. */
  end(): void {
    this.#isOver = true;
  }
}
