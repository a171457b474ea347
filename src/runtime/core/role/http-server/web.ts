import {
  type DisconnectListener,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type IncomingBody,
  type NativeHandler,
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
  const cancel = (): void => void reader?.cancel().catch(ignore);
  body.cancel = cancel;
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) body.add(part.value);
    body.complete();
  } catch (error) {
    body.fail(error as Error);
  }
}

class WebResponse implements HttpResponse {
  headers: HttpHeaders = {};
  refuse: HttpResponse["refuse"];
  onEnd: (() => void) | undefined;
  hasEnded = false;
  readonly #resolve: (response: Response) => void;
  readonly #signal: AbortSignal;
  #onDisconnect: DisconnectListener | undefined;
  #out: WritableStreamDefaultWriter<Uint8Array> | undefined;
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

  reply(status: number, headers?: HttpHeaders, body?: string): void {
    this.#end();
    this.#respond(body ?? null, status, headers);
  }

  disconnect(): void {
    this.#disconnect();
    this.#out?.close().catch(ignore);
  }

  stream(headers: HttpHeaders): void {
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: highWater });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({}, strategy);
    this.#out = writable.getWriter();
    this.#out.closed.catch(this.#disconnect);
    this.#respond(readable, 200, headers);
  }

  get waiting(): number {
    return this.hasEnded ? 0 : highWater - (this.#out?.desiredSize ?? highWater);
  }

  write(text: string): Promise<void> | undefined {
    const out = this.#out;
    if (this.hasEnded || !out) return undefined;
    out.write(new TextEncoder().encode(text)).catch(ignore);
    return (out.desiredSize ?? 1) > 0 ? undefined : out.ready.catch(ignore);
  }

  end(byForce?: boolean): void {
    if (this.hasEnded) return;
    this.#end();
    const closing = byForce
      ? this.#out?.abort(new Error("The client reads too slowly."))
      : this.#out?.close();
    closing?.catch(ignore);
  }

  #respond(body: string | ReadableStream | null, status: number, headers?: HttpHeaders): void {
    this.#resolve(new Response(body, { status, headers: { ...this.headers, ...headers } }));
  }

  #end(): void {
    this.hasEnded = true;
    this.#signal.removeEventListener("abort", this.#disconnect);
    this.onEnd?.();
  }

  #disconnect = (): void => {
    if (this.hasEnded) return;
    this.#end();
    this.#isDisconnected = true;
    this.#onDisconnect?.disconnected();
    // The platform still waits for a response, although the client has gone.
    this.#respond(null, 499);
  };
}

const ignore = (): void => {};

/** The number of bytes that a stream buffers before `write` returns a promise. */
const highWater = 65_536;
