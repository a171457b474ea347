import type { HttpHeaders, HttpRequest, HttpResponse, Sink } from "./wire.js";

/** What answers requests in the one form or the other. */
export type Answerer = (request: HttpRequest, response: HttpResponse) => Promise<void>;

/** Answers a request of the web's own kind. */
export function answerWeb(answer: Answerer, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    answer(webRequest(request), new WebResponse(request.signal, resolve)).catch(reject);
  });
}

function webRequest(request: Request): HttpRequest {
  const { method, url, headers } = request;
  return {
    method,
    url,
    isLocal: false,
    header: (name) => headers.get(name) ?? (name === "host" ? new URL(url).host : undefined),
    body: (maxBytes) => readAll(request.body, maxBytes),
    toRequest: () => new Request(url, { method, headers }),
  };
}

async function readAll(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | undefined> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

class WebResponse implements HttpResponse {
  onGone: (() => void) | undefined;
  readonly #resolve: (response: Response) => void;
  #isOver = false;

  constructor(signal: AbortSignal, resolve: (response: Response) => void) {
    this.#resolve = resolve;
    signal.addEventListener("abort", this.#gone);
  }

  reply(status: number, headers: HttpHeaders = {}, body?: string): void {
    this.#isOver = true;
    this.#resolve(new Response(body ?? null, { status, headers: { ...headers } }));
  }

  stream(headers: HttpHeaders): Sink {
    const encoder = new TextEncoder();
    let out!: ReadableStreamDefaultController<Uint8Array>;
    let hasRoom: (() => void) | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (out = controller),
        pull: () => hasRoom?.(),
        cancel: this.#gone,
      },
      { highWaterMark: highWater, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    this.#resolve(new Response(body, { status: 200, headers: { ...headers } }));
    const isOver = (): boolean => this.#isOver;
    return {
      get waiting() {
        return isOver() ? 0 : highWater - (out.desiredSize ?? highWater);
      },
      write: (text) => {
        if (this.#isOver) return undefined;
        out.enqueue(encoder.encode(text));
        if ((out.desiredSize ?? 1) > 0) return undefined;
        return new Promise((resolve) => (hasRoom = resolve));
      },
      end: (byForce) => {
        if (this.#isOver) return;
        this.#isOver = true;
        if (byForce) out.error(new Error("The client reads too slowly."));
        else out.close();
        hasRoom?.();
      },
    };
  }

  #gone = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onGone?.();
  };
}

/** What a stream takes before it says that it is full, in bytes. */
const highWater = 65_536;
