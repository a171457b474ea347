import {
  type ClientRequest,
  type IncomingMessage,
  request as nodeRequest,
} from "node:http";
import type { Json } from "../../kit/index.js";

/** An HTTP request of a test. The defaults are those of a valid client. */
export interface Sent {
  readonly method?: string;
  /** Path and query; by default the path of the endpoint. */
  readonly path?: string;
  readonly headers?: Readonly<
    Record<string, string | readonly string[] | undefined>
  >;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
  /** Disconnects the client before it receives the headers of the response. */
  readonly signal?: AbortSignal;
}

/** One event of a stream; a comment has only `comment`. */
export interface Event {
  readonly id?: string;
  readonly retry?: string;
  readonly event?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** A response whose headers were received. */
export interface Answer {
  readonly status: number;
  /** True once the body has ended with an error. */
  readonly isBroken: boolean;
  header(name: string): string | undefined;
  /** The whole body. */
  text(): Promise<string>;
  json(): Promise<Json>;
  /** The next event; undefined at the end of the stream. */
  next(): Promise<Event | undefined>;
  /** The next event that is a message. */
  message(): Promise<Json>;
  /** Closes the connection before the end of the response. */
  leave(): void;
}

export function bodyOf({ body }: Sent): string | Uint8Array | undefined {
  if (
    body === undefined ||
    typeof body === "string" ||
    body instanceof Uint8Array
  )
    return body;
  return JSON.stringify(body);
}

export function headersOf({
  headers,
  body,
}: Sent): Record<string, string | readonly string[]> {
  const usual: Sent["headers"] = {
    accept: "application/json, text/event-stream",
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const all = Object.entries({ ...usual, ...headers });
  return Object.fromEntries(
    all.filter(
      (entry): entry is [string, string | readonly string[]] =>
        entry[1] !== undefined,
    ),
  );
}

export const methodOf = ({ method, body }: Sent): string =>
  method ?? (body === undefined ? "GET" : "POST");

/** Over a real socket, one for each request. */
export function sendNode(port: number, sent: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${port}`, ...headersOf(sent) };
    const { path = "/mcp", signal } = sent;
    const where = {
      port,
      host: "127.0.0.1",
      method: methodOf(sent),
      path,
      ...(signal && { signal }),
    };
    const request: ClientRequest = nodeRequest(
      { ...where, headers, agent: false },
      (response: IncomingMessage) => {
        response.on("error", () => {});
        const header = (name: string): string | undefined =>
          response.headers[name] as string | undefined;
        resolve(
          new Reading(response.statusCode ?? 0, header, response, () =>
            request.destroy(),
          ),
        );
      },
    );
    request.on("error", reject);
    request.end(bodyOf(sent));
  });
}

/** To a function, as a framework calls it. */
export async function sendWeb(
  handler: (request: Request) => Promise<Response>,
  sent: Sent,
): Promise<Answer> {
  const leaving = new AbortController();
  const headers = new Headers({ host: "127.0.0.1" });
  for (const [name, value] of Object.entries(headersOf(sent))) {
    headers.delete(name);
    for (const one of [value].flat()) headers.append(name, one as string);
  }
  sent.signal?.addEventListener("abort", () => leaving.abort());
  const init = { method: methodOf(sent), headers, signal: leaving.signal };
  const body = bodyOf(sent) as string | undefined;
  const request = new Request(`http://127.0.0.1${sent.path ?? "/mcp"}`, {
    ...init,
    body: body ?? null,
  });
  const response = await handler(request);
  const chunks = (response.body ??
    new Response("").body) as unknown as AsyncIterable<Uint8Array>;
  const header = (name: string): string | undefined =>
    response.headers.get(name) ?? undefined;
  return new Reading(response.status, header, chunks, () => leaving.abort());
}

/** A response from its status, its headers and the parts of its body. */
export class Reading implements Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly leave: () => void;
  isBroken = false;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(
    status: number,
    header: (name: string) => string | undefined,
    body: AsyncIterable<Uint8Array>,
    leave: () => void,
  ) {
    this.status = status;
    this.header = header;
    this.#chunks = body[Symbol.asyncIterator]();
    this.leave = leave;
  }

  async text(): Promise<string> {
    while (await this.#more());
    return this.#text;
  }

  async json(): Promise<Json> {
    return JSON.parse(await this.text()) as Json;
  }

  async next(): Promise<Event | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        if (await this.#more()) continue;
        return undefined;
      }
      const lines = this.#text.slice(0, end).split("\n");
      this.#text = this.#text.slice(end + 2);
      return Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(":");
          return [
            line.slice(0, colon) || "comment",
            line.slice(colon + 1).replace(/^ /, ""),
          ];
        }),
      );
    }
  }

  async message(): Promise<Json> {
    for (;;) {
      const event = await this.next();
      if (!event) throw new Error("The stream ended before the next message.");
      if (event.data) return JSON.parse(event.data) as Json;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch(() => {
      this.isBroken = true;
      return { done: true, value: undefined };
    });
    if (done || !value) return false;
    this.#text += this.#decoder.decode(value as Uint8Array, { stream: true });
    return true;
  }
}
