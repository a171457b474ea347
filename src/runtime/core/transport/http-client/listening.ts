import { Stream, type StreamHost } from "./stream.js";
import type { ResponseReader } from "./response-reader.js";
import type { ServerSession } from "./session.js";

/** The transport that listens. */
export interface ListeningHost extends StreamHost {
  /** Returns true, and drops the session, if a response says that the server has lost it. */
  losesSession(response: ResponseReader, stream: Stream): boolean;
  /** Warns that notifications have not arrived since a time, because of a response or an error. */
  onSilence(since: Date, response: ResponseReader, error: Error | undefined): void;
}

/** The stream of messages that belong to no request (HTTP-14), which is opened again after a call once it could not be resumed. */
export class Listening {
  readonly #host: ListeningHost;
  #stream: Stream | undefined;
  /** The time before which an ended stream is not opened again; undefined while it is open, or if the server has none. */
  #nextTime: number | undefined;
  /** The end of the stream that was warned of. */
  #breakTime = 0;

  constructor(host: ListeningHost) {
    this.#host = host;
  }

  /** Opens the stream, unless it is open, the server has none, or it ended less than `maxReconnectTime` ago. */
  open(session: ServerSession): void {
    if (this.#stream && (this.#nextTime === undefined || performance.now() < this.#nextTime)) return;
    this.#nextTime = undefined;
    // The stream is the same one, so that the server sends the messages since the last event.
    const stream: Stream = (this.#stream ??= new Stream(this.#host, {
      session,
      end: (response, error) => this.#ended(stream, response, error),
    }));
    stream.get();
  }

  close(): void {
    this.#stream?.drop();
    this.#stream = undefined;
  }

  #ended(stream: Stream, response: ResponseReader, error: Error | undefined): void {
    const hasNone = [404, 405].includes(response.status) && !stream.use.session.hasStreams;
    // A server without such a stream is not asked again (HTTP-15).
    if (this.#host.losesSession(response, stream) || hasNone) return;
    const { maxReconnectTime = 30_000 } = this.#host.options;
    this.#nextTime = performance.now() + maxReconnectTime;
    if (stream.breakTime !== this.#breakTime)
      this.#host.onSilence(new Date(stream.breakTime), response, error);
    this.#breakTime = stream.breakTime;
  }
}
