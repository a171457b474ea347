import { TimeoutError, TransportError } from "../../index.js";
import type { Reading } from "./reading.js";
import { Stream, type StreamHost } from "./client-stream.js";

/** How long a server may take to accept what it does not answer, in milliseconds. */
const takingTime = 60_000;

/** What it needs of the carrier. */
export interface TellingHost extends StreamHost {
  /** What may be said of the address. */
  readonly address: string;
  /** The session of what is sent now. */
  readonly session: string | undefined;
  /** Why something that was sent in a session was not taken. */
  failure(reading: Reading, error: Error | undefined, session: string | undefined): Error;
}

/** Sends what is not answered, one after the other, so that nothing overtakes anything. */
export class Telling {
  readonly #host: TellingHost;
  /** What is under way, and how to give it up. */
  readonly #open = new Map<Stream, (error: Error) => void>();
  #last: Promise<void> = Promise.resolve();

  constructor(host: TellingHost) {
    this.#host = host;
  }

  /** Resolves once the server has taken it. */
  send(body: string, headers: Readonly<Record<string, string>> | undefined): Promise<void> {
    const sent = this.#last.then(() => this.#post(body, headers));
    this.#last = sent.catch(() => {});
    return sent;
  }

  /** Waits for what is under way, by a function that knows for how long, and gives up the rest. */
  async close(wait: (work: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await wait(this.#last);
    for (const [stream, reject] of this.#open) {
      stream.drop();
      reject(new TransportError("The connection is closed."));
    }
  }

  #post(body: string, headers: Readonly<Record<string, string>> | undefined): Promise<void> {
    const host = this.#host;
    const { address, session } = host;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const taken = new Promise<void>((resolve, reject) => {
      const end = (reading: Reading, error: Error | undefined): void => {
        this.#open.delete(stream);
        if (reading.isSuccess && !error) resolve();
        else reject(host.failure(reading, error, session));
      };
      const stream = new Stream(host, "answer", end, (status) => {
        if (status >= 200 && status < 300) resolve();
      });
      timer = setTimeout(() => {
        stream.drop();
        this.#open.delete(stream);
        reject(new TimeoutError(`${address} did not take a message within ${takingTime} ms.`));
      }, takingTime);
      this.#open.set(stream, reject);
      stream.post(body, headers);
    });
    return taken.finally(() => clearTimeout(timer));
  }
}
