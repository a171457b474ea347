import { connect, type Socket } from "node:net";
import {
  createHttpHandler,
  type HttpOptions,
  serveHttp,
  type ServeHttpOptions,
} from "@mcpgen/runtime/http";
import { afterTest } from "../../kit/closing.js";
import { legacy } from "../../kit/index.js";
import { sendNode } from "./exchange.js";
import { hello } from "./messages.js";
import { type Open, serversWith } from "./server.js";

/** A socket that a test writes to and reads from. */
export class Raw {
  readonly socket: Socket;
  text = "";
  closed = false;
  readonly ended: Promise<void>;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (chunk: Buffer) => {
      this.text += chunk.toString("latin1");
      this.#wake?.();
    });
    this.socket.on("error", () => {});
    this.ended = new Promise((resolve) =>
      this.socket.on("close", () => {
        this.closed = true;
        this.#wake?.();
        resolve();
      }),
    );
  }

  write(data: string | Uint8Array): this {
    this.socket.write(data);
    return this;
  }

  /** Resolves once the received text matches, or the connection is closed. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text) && !this.closed)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.text;
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+)/g)]
      .map(([, status]) => Number(status))
      .filter((s) => s !== 100);
  }
}

/** The body of a handshake. */
export const body = JSON.stringify(hello(legacy.revision));
/** The headers of a valid POST. */
export const usual = [
  "Host: 127.0.0.1",
  "Accept: application/json, text/event-stream",
  "Content-Type: application/json",
];
/** The head of a request, from its lines. */
export const head = (
  lines: readonly string[],
  first = "POST /mcp HTTP/1.1",
): string => `${[first, ...lines].join("\r\n")}\r\n\r\n`;
/** The text of a complete request. */
export const whole = (
  text = body,
  more: readonly string[] = usual,
  first?: string,
): string =>
  head([...more, `Content-Length: ${Buffer.byteLength(text)}`], first) + text;

/** A server on its own port, with a raw socket to it. */
export const open = async (
  options: HttpOptions = {},
  serving: ServeHttpOptions = {},
  servers = serversWith(),
): Promise<Open & { raw(): Raw }> => {
  const up = await serveHttp(createHttpHandler(servers, options), {
    port: 0,
    ...serving,
  });
  afterTest(up.close);
  return {
    port: up.port,
    close: up.close,
    send: (sent) => sendNode(up.port, sent),
    raw: () => new Raw(up.port),
  };
};
