import {
  type BodyMeter,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type NativeHandler,
  type Sink,
  urlOf,
} from "./exchange.js";

/** Answers a web `Request`. */
export function answerWeb(answer: NativeHandler, request: Request): Promise<Response> {
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
    header: (name) => headers.get(name) ?? (name === "host" ? urlOf(url).host : undefined),
    body: (maxBytes, meter, count) => readAll(request.body, maxBytes, meter, count),
    toRequest: () => new Request(url, { method, headers }),
  };
}

async function readAll(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  meter: BodyMeter,
  count: (bytes: number) => void,
): Promise<string | undefined> {
  if (!body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  meter.onRefused = cancel;
  for (;;) {
    const { done, value } = await reader.read();
    if (meter.isRefused) return undefined;
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      cancel();
      return undefined;
    }
    count(value.byteLength);
    text += decoder.decode(value, { stream: true });
  }
}

class WebResponse implements HttpResponse {
  headers: HttpHeaders = {};
  bytes = 0;
  forbid: HttpResponse["forbid"];
  readonly #resolve: (response: Response) => void;
  readonly #signal: AbortSignal;
  #onGone: (() => void) | undefined;
  #onOver: (() => void) | undefined;
  #out: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #isOver = false;
  #isGone = false;

  constructor(signal: AbortSignal, resolve: (response: Response) => void) {
    this.#resolve = resolve;
    this.#signal = signal;
    if (signal.aborted) this.#gone();
    else signal.addEventListener("abort", this.#gone);
  }

  set onGone(call: (() => void) | undefined) {
    this.#onGone = call;
    if (this.#isGone) call?.();
  }

  get onOver(): (() => void) | undefined {
    return this.#onOver;
  }

  set onOver(call: (() => void) | undefined) {
    this.#onOver = call;
    if (this.#isOver) call?.();
  }

  reply(status: number, headers: HttpHeaders = {}, body?: string): void {
    this.#end();
    this.#resolve(new Response(body ?? null, { status, headers: { ...this.headers, ...headers } }));
  }

  hangUp(): void {
    this.#gone();
    this.#out?.close().catch(() => {});
  }

  stream(headers: HttpHeaders): Sink {
    const encoder = new TextEncoder();
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: highWater });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({}, strategy);
    const out = writable.getWriter();
    out.closed.catch(this.#gone);
    this.#out = out;
    this.#resolve(new Response(readable, { status: 200, headers: { ...this.headers, ...headers } }));
    const isOver = (): boolean => this.#isOver;
    const nothing = (): void => {};
    return {
      get waiting() {
        return isOver() ? 0 : highWater - (out.desiredSize ?? highWater);
      },
      write: (text) => {
        if (this.#isOver) return undefined;
        out.write(encoder.encode(text)).catch(nothing);
        return (out.desiredSize ?? 1) > 0 ? undefined : out.ready.catch(nothing);
      },
      end: (byForce) => {
        if (this.#isOver) return;
        this.#end();
        const ended = byForce ? out.abort(new Error("The client reads too slowly.")) : out.close();
        ended.catch(nothing);
      },
    };
  }

  #end(): void {
    this.#isOver = true;
    this.#signal.removeEventListener("abort", this.#gone);
    this.#onOver?.();
  }

  #gone = (): void => {
    if (this.#isOver) return;
    this.#end();
    this.#isGone = true;
    this.#onGone?.();
    // The platform still waits for a response, although the client has gone.
    this.#resolve(new Response(null, { status: 499 }));
  };
}

/** The number of bytes that a stream buffers before it asks to wait. */
const highWater = 65_536;
