import type { JsonObject } from "../../index.js";
import type { RequestId } from "../transport.js";
import type { EventStream } from "./stream.js";
import type { HttpHeaders, HttpResponse } from "./wire.js";

/** What a POST needs of the carrier it belongs to. */
export interface PostHost {
  /** Headers of every answer. */
  readonly headers: HttpHeaders;
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
  readonly #host: PostHost;
  readonly #response: HttpResponse;
  /** The ids that are asked for, undefined for what could not be read. */
  readonly #ids: readonly (RequestId | undefined)[];
  #waiting: number;
  #isBatch: boolean;
  readonly #replies: JsonObject[] = [];
  #stream: EventStream | undefined;
  #isGone = false;
  /** Was it there when somebody last looked? */
  #isOld = false;

  constructor(
    host: PostHost,
    ids: readonly (RequestId | undefined)[],
    isBatch: boolean,
    response: HttpResponse,
  ) {
    this.#host = host;
    this.#ids = ids;
    this.#waiting = ids.length;
    this.#isBatch = isBatch;
    this.#response = response;
    response.onGone = () => (this.#isGone = true);
  }

  /** Takes the answer to one of its requests; true when that was the last one. */
  answer(reply: JsonObject, id: RequestId | undefined): boolean {
    this.#waiting--;
    if (!this.#ids.includes(id)) {
      // An error about none of them in particular answers them all.
      this.#waiting = 0;
      this.#isBatch = false;
    }
    if (this.#stream) void this.#stream.push(reply);
    else this.#replies.push(reply);
    if (this.#waiting > 0) return false;
    if (this.#stream) this.#stream.end();
    else this.#reply();
    return true;
  }

  /** The stream of what comes before the answer; opened when first asked for. */
  stream(retryMs?: number): EventStream {
    if (!this.#stream) {
      this.#stream = this.#host.newStream(this.#isGone ? undefined : this.#response, retryMs);
      for (const reply of this.#replies) void this.#stream.push(reply);
    } else if (retryMs !== undefined) this.#stream.prime(retryMs);
    return this.#stream;
  }

  /** SSE-05: lets the connection go; what is sent from now on waits for the client to come back. */
  release(retryMs: number | undefined): void {
    this.stream(retryMs).release();
  }

  /** HTTP-47: what takes long becomes a stream, since some in between give up on a silent answer. */
  keepAlive(): void {
    if (this.#isOld) this.stream().keepAlive();
    this.#isOld = true;
  }

  /** There will be no answer. */
  abandon(): void {
    if (this.#stream) this.#stream.end();
    else if (!this.#isGone) this.#response.reply(503, this.#host.headers);
  }

  #reply(): void {
    if (this.#isGone) return;
    const [first = {}] = this.#replies;
    const status = this.#isBatch ? 200 : this.#host.statusOf(first);
    const body = JSON.stringify(this.#isBatch ? this.#replies : first);
    this.#response.reply(status, { ...this.#host.headers, "content-type": "application/json" }, body);
  }
}
