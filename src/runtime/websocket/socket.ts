import { withoutMark } from "../core/bytes.js";
import {
  isTransportError,
  TransportError,
  ValidationError,
} from "../core/errors.js";
import { type Awaitable, pause, withTimeout } from "../../common/timing.js";
import type {
  MessageInfo,
  Receiver,
  Transport,
} from "../core/ports/transport.js";
import { parseAddress } from "../core/transport/address.js";
import { startOnce } from "../core/transport/start-once.js";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The part of a WebSocket that is used here. */
export interface SocketLike {
  readonly readyState: number;
  /** The number of bytes that are not sent yet. */
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** An event of a `SocketLike`. */
export interface SocketEvent {
  /** For a message: text or bytes. */
  readonly data?: unknown;
  /** For an error. */
  readonly message?: string;
  /** For a close. */
  readonly code?: number;
  readonly reason?: string;
}

/** Limits of one socket. */
export interface SocketLimits {
  /**
   * Maximum length of a message, in bytes; 64 MiB by default, and 4 MiB for a
   * server.
   */
  readonly messageBytes?: number | undefined;
  /**
   * Maximum number of unsent bytes before `send` returns a promise; 1 MiB by
   * default.
   */
  readonly waitingBytes?: number | undefined;
}

/** Options of a socket transport. */
export interface SocketOptions {
  readonly limits?: SocketLimits | undefined;
  /** How long the peer may take to close, in milliseconds; 2,000 by default. */
  readonly shutdownTime?: number;
}

/** The WebSocket subprotocol (CUST-04). */
export const subprotocol = "mcp";

const [connecting, open, closed] = [0, 1, 3];
/** Codes of RFC 6455, section 7.4.1. */
const [normal, unsupportedData, tooBig] = [1000, 1003, 1009];
/** Added to a code, gives a code for private use: 4003, 4009. */
const privateUse = 3000;

/**
 * Creates a transport over an open or opening WebSocket, with one JSON message
 * per text frame (CUST-04). `start` rejects with a `TransportError` if the
 * socket does not open.
 */
export function socketTransport(
  socket: SocketLike,
  options: SocketOptions = {},
): Transport {
  return new SocketTransport(() => socket, options);
}

/**
 * A transport over a WebSocket that `open` creates when the transport starts.
 */
export class SocketTransport implements Transport {
  readonly carrier = "websocket";
  readonly #make: () => Awaitable<SocketLike>;
  readonly #options: SocketOptions;
  readonly #info: MessageInfo | undefined;
  #socket: SocketLike | undefined;
  /** Defined while the socket is open. */
  #receiver: Receiver | undefined;
  #room: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Rejects the start, while it is under way. */
  #stop: ((error: TransportError) => void) | undefined;

  /** `info` accompanies each message. */
  constructor(
    make: () => Awaitable<SocketLike>,
    options: SocketOptions,
    info?: MessageInfo,
  ) {
    this.#make = make;
    this.#options = options;
    this.#info = info;
  }

  async start(receiver: Receiver): Promise<void> {
    startOnce(this);
    let reason = "The socket could not be opened";
    let socket: SocketLike;
    try {
      const result = this.#make();
      socket = "then" in result ? await result : result;
    } catch (cause) {
      if (isTransportError(cause)) throw cause;
      throw new TransportError(`${reason}: ${(cause as Error).message}`, {
        cause,
      });
    }
    this.#socket = socket;
    await new Promise<void>((resolve, reject) => {
      this.#stop = reject;
      const begin = (): void => {
        reason = "The socket failed";
        this.#stop = undefined;
        this.#receiver = receiver;
        resolve();
      };
      // After the socket has opened, rejecting has no effect.
      socket.addEventListener("close", ({ code = 0, reason: detail }) => {
        const text = detail ? `: ${detail.slice(0, 125)}` : "";
        const error = new TransportError(`${reason} (${code})${text}.`);
        this.#end(code === normal || this.#closing ? undefined : error);
        reject(error);
      });
      socket.addEventListener("message", ({ data }) => this.#message(data));
      socket.addEventListener("error", ({ message }) => {
        if (message) reason = `${reason}: ${message}`;
        // Some platforms emit no close event if the socket did not open.
        reject(new TransportError(`${reason}.`));
      });
      if (this.#closing) void this.#shutDown(normal);
      else if (socket.readyState === open) begin();
      else if (socket.readyState === connecting)
        socket.addEventListener("open", begin);
      else reject(new TransportError("The socket is closed."));
    });
  }

  send(message: unknown): Promise<void> | undefined {
    const socket = this.#socket;
    if (this.#closing || socket?.readyState !== open)
      throw new TransportError("The connection is closed.");
    socket.send(JSON.stringify(message));
    if (this.#hasRoom(socket)) return undefined;
    return (this.#room ??= this.#whenRoom(socket));
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#shutDown(normal));
  }

  #message(data: unknown): void {
    if (this.#closing) return;
    const { messageBytes = 67_108_864 } = this.#options.limits ?? {};
    if (typeof data !== "string")
      return this.#closeWith(unsupportedData, "Messages must be text frames.");
    if (exceeds(data, messageBytes))
      return this.#closeWith(
        tooBig,
        `A message is longer than ${messageBytes} bytes.`,
      );
    let value: unknown;
    try {
      value = JSON.parse(withoutMark(data));
    } catch (error) {
      const reason = `A message is not JSON: ${(error as Error).message}`;
      return this.#receiver?.malformed(new ValidationError(reason));
    }
    this.#receiver?.message(
      value,
      this.#info && { ...this.#info, bytes: data.length },
    );
  }

  #closeWith(code: number, reason: string): void {
    this.#closing = this.#shutDown(code, reason);
    this.#end(new TransportError(reason));
  }

  #hasRoom({ bufferedAmount, readyState }: SocketLike): boolean {
    return (
      readyState !== open ||
      bufferedAmount <= (this.#options.limits?.waitingBytes ?? 1_048_576)
    );
  }

  /** Polls, because a WebSocket has no event for this. */
  async #whenRoom(socket: SocketLike): Promise<void> {
    while (!this.#hasRoom(socket)) await pause(10);
    this.#room = undefined;
  }

  /** Closes the socket. Terminates it if the peer does not close in time. */
  async #shutDown(code: number, reason?: string): Promise<void> {
    this.#stop?.(new TransportError("The connection is closed."));
    const socket = this.#socket as
      (SocketLike & { terminate?(): void }) | undefined;
    if (socket && socket.readyState !== closed) {
      const closeEvent = new Promise((resolve) =>
        socket.addEventListener("close", resolve),
      );
      close(socket, code, reason);
      await withTimeout(this.#options.shutdownTime ?? 2000, closeEvent);
      socket.terminate?.();
    }
    this.#end();
  }

  /** Calls `closed` of the receiver, once. */
  #end(error?: Error): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.closed(error);
  }
}

/**
 * True if the text is longer than this in UTF-8. A UTF-16 code unit takes at
 * most three bytes.
 */
const exceeds = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes &&
  (text.length > bytes || new TextEncoder().encode(text).length > bytes);

function close(socket: SocketLike, code: number, reason?: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Browsers and Node's WebSocket allow programs only codes from 3000.
    socket.close(privateUse + code, reason);
  }
}

/**
 * The part of the package `ws` that is used here. It is an optional dependency,
 * loaded on first use.
 */
interface WsPackage {
  readonly WebSocket: new (
    url: URL,
    protocol: string,
    options: WsClientOptions,
  ) => SocketLike;
  readonly WebSocketServer: new (options: {
    readonly noServer: true;
    readonly maxPayload: number;
    readonly perMessageDeflate: false;
    handleProtocols(offered: Set<string>): string | false;
  }) => WsServer;
}

interface WsClientOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly maxPayload: number;
  readonly perMessageDeflate: false;
}

/** A socket of the package `ws`. */
export interface WsSocket extends SocketLike {
  on(event: "ping" | "pong", listener: (data: Buffer) => void): void;
}

interface WsServer {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    onSocket: (socket: WsSocket) => void,
  ): void;
}

/**
 * Loads the package `ws`. Rejects with a `TransportError` if it is not
 * installed.
 */
export async function loadWs(): Promise<WsPackage> {
  try {
    return (await import("ws")) as unknown as WsPackage;
  } catch (error) {
    throw new TransportError(
      "WebSockets need the package ws: run npm install ws.",
      { cause: error },
    );
  }
}

/** Options of `webSocket`. */
export interface WebSocketOptions extends SocketOptions {
  /**
   * Headers of the handshake. With headers the package `ws` is used, because
   * the platform's WebSocket cannot send them.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates a transport to a server at a `ws:` or `wss:` URL. `start` rejects
 * with a `TransportError` if the platform has no WebSocket and `ws` is not
 * installed.
 *
 * @throws TypeError if the URL is not a `ws:` or `wss:` URL.
 */
export function webSocket(
  url: string | URL,
  options: WebSocketOptions = {},
): Transport {
  const target = parseAddress(url);
  if (!/^wss?:$/.test(target.protocol))
    throw new TypeError(`Expected a ws: or wss: URL, got ${target.protocol}.`);
  const make = (): Transport =>
    Object.assign(
      new SocketTransport(() => connect(target, options), options),
      { reconnect: make },
    );
  return make();
}

function connect(
  url: URL,
  { headers, limits: { messageBytes = 67_108_864 } = {} }: WebSocketOptions,
): Awaitable<SocketLike> {
  const { WebSocket: PlatformWebSocket } = globalThis as {
    readonly WebSocket?: new (url: URL, protocol: string) => SocketLike;
  };
  // Synchronous, because some platforms emit an error before a listener could
  // be added after an await.
  if (PlatformWebSocket && !headers)
    return new PlatformWebSocket(url, subprotocol);
  // Larger than the limit, so that the transport itself reports a message that
  // is slightly too long.
  const maxPayload = messageBytes * 3;
  const options: WsClientOptions = {
    headers,
    maxPayload,
    perMessageDeflate: false,
  };
  return loadWs().then(
    ({ WebSocket }) => new WebSocket(url, subprotocol, options),
  );
}
