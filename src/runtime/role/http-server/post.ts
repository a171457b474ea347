import type { JsonObject } from "../../message.js";
import type { EventStream } from "./stream.js";
import type { HttpResponse } from "./exchange.js";

/** When clients come back to a stream that was closed on purpose, in milliseconds, where nobody says. SSE-05 */
export const usualRetry = 1000;

/** What a POST needs of the carrier it belongs to. */
export interface PostHost {
  /** The status of an answer that stands alone. */
  statusOf(reply: JsonObject): number;
  /** A stream, over the response where the client is still there. */
  newStream(response: HttpResponse | undefined, retryMs: number | undefined): EventStream;
}

/**
 * The requests of one POST and their answer: one JSON body when nothing comes before it, else a stream that ends with it.
 * HTTP-07, HTTP-18, HTTP-19, HTTP-43, HTTP-44
 */
export class Post {
  /** All has been said. */
  over = false;
  readonly #host: PostHost;
  readonly #isBatch: boolean;
  /** The length of the body, in bytes. */
  readonly bytes: number;
  /** Requests that are not answered yet. */
  waiting: number;
  /** Undefined once the client is gone. */
  #response: HttpResponse | undefined;
  #replies: string[] = [];
  #stream: EventStream | undefined;
  /** Was it there when somebody last looked? */
  #isOld = false;

  constructor(host: PostHost, count: number, isBatch: boolean, response: HttpResponse) {
    this.#host = host;
    this.waiting = count;
    this.#isBatch = isBatch;
    this.#response = response;
    this.bytes = response.bytes;
    const leave = (): void => void (this.#response = undefined);
    response.onGone = leave;
  }

  get isConnected(): boolean {
    return this.#stream?.isConnected ?? this.#response !== undefined;
  }

  /** Takes the answer to one of its requests, and its text; without them, that there will be none (CANC-03). */
  answer(reply?: JsonObject, text?: string): void {
    if (text !== undefined) {
      if (this.#stream) void this.#stream.push(text);
      else this.#replies.push(text);
    }
    if (--this.waiting > 0) return;
    if (this.#stream || this.#replies.length === 0) this.stream().end();
    else this.#reply(this.#isBatch || !reply ? 200 : this.#host.statusOf(reply));
    this.#leave();
  }

  /** The stream of what comes before the answer; opened when first asked for. */
  stream(retryMs?: number): EventStream {
    if (!this.#stream) {
      this.#stream = this.#host.newStream(this.#response, retryMs);
      for (const text of this.#replies) void this.#stream.push(text);
    } else if (retryMs !== undefined) this.#stream.prime(retryMs);
    return this.#stream;
  }

  /** SSE-05: lets the connection go; what is sent from now on waits for the client to come back. */
  release(retryMs: number | undefined): void {
    if (!this.over) this.stream(retryMs ?? usualRetry).release();
  }

  /** HTTP-47: what takes long becomes a stream, since some in between give up on a silent answer. */
  keepAlive(): void {
    if (this.#stream || (this.#isOld && this.#response)) this.stream().keepAlive();
    this.#isOld = true;
  }

  /** There will be no answer. */
  abandon(): void {
    if (this.#stream) this.#stream.end();
    else this.#response?.reply(503);
    this.#leave();
  }

  #reply(status: number): void {
    const body = this.#isBatch ? `[${this.#replies.join()}]` : this.#replies[0];
    this.#response?.reply(status, { "content-type": "application/json" }, body);
  }

  /** Whoever still knows this POST, if only until the next collection, keeps nothing else alive by it. */
  #leave(): void {
    this.over = true;
    this.#response = undefined;
    this.#stream = undefined;
    this.#replies = [];
  }
}
