import {
  type DisconnectListener,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type IncomingBody,
  type NativeHandler,
  type Sink,
  urlOf,
} from "./exchange.js";

/** Answers a web `Request`. */
export function answerWeb(answer: NativeHandler, request: Request): Promise<Response> {
  return new Promise((resolve) => answer(webRequest(request), new WebResponse(request.signal, resolve)));
}

function webRequest(request: Request): HttpRequest {
  const { method, url, headers } = request;
  return {
    method,
    url,
    isLocal: false,
    isDecoded: false,
    header: (name) => headers.get(name) ?? (name === "host" ? urlOf(url).host : undefined),
    read: (body) => void readAll(request.body, body),
    toRequest: () => new Request(url, { method, headers }),
  };
}

async function readAll(stream: ReadableStream<Uint8Array> | null, body: IncomingBody): Promise<void> {
  const reader = stream?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => {});
  body.cancel = cancel;
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) body.add(part.value);
    body.finish();
  } catch (error) {
    body.fail(error as Error);
  }
}

class WebResponse implements HttpResponse {
  headers: HttpHeaders = {};
  refuse: HttpResponse["refuse"];
  readonly #resolve: (response: Response) => void;
  readonly #signal: AbortSignal;
  #onDisconnect: DisconnectListener | undefined;
  #onEnd: (() => void) | undefined;
  #out: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #hasEnded = false;
  #isDisconnected = false;

  constructor(signal: AbortSignal, resolve: (response: Response) => void) {
    this.#resolve = resolve;
    this.#signal = signal;
    if (signal.aborted) this.#disconnect();
    else signal.addEventListener("abort", this.#disconnect);
  }

  set onDisconnect(listener: DisconnectListener | undefined) {
    this.#onDisconnect = listener;
    if (this.#isDisconnected) listener?.disconnected();
  }

  get onEnd(): (() => void) | undefined {
    return this.#onEnd;
  }

  set onEnd(call: (() => void) | undefined) {
    this.#onEnd = call;
    if (this.#hasEnded) call?.();
  }

  reply(status: number, headers: HttpHeaders = {}, body?: string): void {
    this.#end();
    this.#resolve(new Response(body ?? null, { status, headers: { ...this.headers, ...headers } }));
  }

  disconnect(): void {
    this.#disconnect();
    this.#out?.close().catch(() => {});
  }

  stream(headers: HttpHeaders): Sink {
    const encoder = new TextEncoder();
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: highWater });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({}, strategy);
    const out = writable.getWriter();
    out.closed.catch(this.#disconnect);
    this.#out = out;
    this.#resolve(new Response(readable, { status: 200, headers: { ...this.headers, ...headers } }));
    const hasEnded = (): boolean => this.#hasEnded;
    const noop = (): void => {};
    return {
      get waiting() {
        return hasEnded() ? 0 : highWater - (out.desiredSize ?? highWater);
      },
      write: (text) => {
        if (this.#hasEnded) return undefined;
        out.write(encoder.encode(text)).catch(noop);
        return (out.desiredSize ?? 1) > 0 ? undefined : out.ready.catch(noop);
      },
      end: (byForce) => {
        if (this.#hasEnded) return;
        this.#end();
        const closing = byForce ? out.abort(new Error("The client reads too slowly.")) : out.close();
        closing.catch(noop);
      },
    };
  }

  #end(): void {
    this.#hasEnded = true;
    this.#signal.removeEventListener("abort", this.#disconnect);
    this.#onEnd?.();
  }

  #disconnect = (): void => {
    if (this.#hasEnded) return;
    this.#end();
    this.#isDisconnected = true;
    this.#onDisconnect?.disconnected();
    // The platform still waits for a response, although the client has gone.
    this.#resolve(new Response(null, { status: 499 }));
  };
}

/** The number of bytes that a stream buffers before `write` returns a promise. */
const highWater = 65_536;
