import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answerer } from "./web.js";
import type { HttpHeaders, HttpRequest, HttpResponse, Sink } from "./wire.js";

/** Answers a request of Node's own kind; never throws. */
export function answerNode(
  answer: Answerer,
  request: IncomingMessage,
  response: ServerResponse,
  isLocal: boolean,
): void {
  const out = new NodeResponse(response);
  answer(new NodeRequest(request, isLocal), out).catch(() => {
    if (response.headersSent) response.destroy();
    else out.reply(500);
  });
}

class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly isLocal: boolean;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage, isLocal: boolean) {
    this.#request = request;
    this.method = request.method ?? "";
    this.url = request.url ?? "/";
    this.isLocal = isLocal;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  body(maxBytes: number): Promise<string | undefined> {
    const request = this.#request;
    // A framework may have read and parsed it already.
    const { body: parsed } = request as { body?: unknown };
    if (parsed !== undefined) return Promise.resolve(JSON.stringify(parsed));
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) return void chunks.push(chunk);
        request.pause();
        resolve(undefined);
      });
      request.on("end", () => {
        const [only] = chunks;
        resolve((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString());
      });
      request.on("error", reject);
    });
  }

  toRequest(): Request {
    const { headers, method = "" } = this.#request;
    const given = Object.entries(headers).map(
      ([name]) => [name, this.header(name) ?? ""] as [string, string],
    );
    return new Request(new URL(this.url, `http://${headers.host ?? "localhost"}`), {
      method,
      headers: given,
    });
  }
}

class NodeResponse implements HttpResponse {
  onGone: (() => void) | undefined;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("close", () => {
      if (!response.writableFinished) this.onGone?.();
    });
  }

  reply(status: number, headers: HttpHeaders = {}, body = ""): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const length = Buffer.byteLength(body);
    // What is left of a body that nobody reads would be taken for the next request.
    const rest = response.req.complete || status < 400 ? {} : { connection: "close" };
    response.writeHead(status, { ...headers, ...rest, ...(status !== 204 && { "content-length": length }) });
    response.end(body);
  }

  stream(headers: HttpHeaders): Sink {
    const response = this.#response;
    let room: Promise<void> | undefined;
    response.writeHead(200, { ...headers });
    response.flushHeaders();
    return {
      get waiting() {
        return response.writableLength;
      },
      write: (text) => {
        if (response.writableEnded || response.destroyed || response.write(text)) return undefined;
        return (room ??= new Promise((resolve) => {
          const done = (): void => {
            response.off("drain", done).off("close", done);
            room = undefined;
            resolve();
          };
          response.on("drain", done).on("close", done);
        }));
      },
      end: (byForce) => {
        if (byForce) response.destroy();
        else response.end();
      },
    };
  }
}
