import { isTransportError, TransportError, ValidationError } from "../errors.js";
import { pause, within } from "../timing.js";
import type { Awaitable } from "../timing.js";
import type { MessageInfo, Receiver, Transport } from "./transport.js";

/** A WebSocket, as browsers and servers have it, as far as it is used here. */
export interface SocketLike {
  readonly readyState: number;
  /** What waits to be sent, in bytes. */
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** What such a socket tells. */
export interface SocketEvent {
  /** Of a message: text, or bytes in some form. */
  readonly data?: unknown;
  /** Of an error. */
  readonly message?: string;
  /** Of a close. */
  readonly code?: number;
  readonly reason?: string;
}

/** Bounds of one socket. */
export interface SocketLimits {
  /** Longest message, in bytes; 64 MiB by default, and 4 MiB for a server. */
  readonly messageBytes?: number | undefined;
  /** Most that may wait to be sent before the sender has to wait, in bytes; 1 MiB by default. */
  readonly waitingBytes?: number | undefined;
}

/** How a socket is used. */
export interface SocketOptions {
  readonly limits?: SocketLimits | undefined;
  /** How long the other side may take to end, in milliseconds; 2,000 by default. */
  readonly shutdownTime?: number;
}

/** The name of the protocol in a socket's handshake. CUST-04 */
export const subprotocol = "mcp";

const [connecting, open, closed] = [0, 1, 3];
/** Codes of RFC 6455, section 7.4.1. */
const [normal, unsupportedData, tooBig] = [1000, 1003, 1009];
/** Added to one of them it is a code that any program may use: 4003, 4009. */
const privateUse = 3000;

/** One JSON message per text frame, over a socket that somebody else has opened or is opening. CUST-04 */
export function socketTransport(socket: SocketLike, options: SocketOptions = {}): Transport {
  return new SocketTransport(() => socket, options);
}

/** The same over a socket that is made when the transport starts. */
export class SocketTransport implements Transport {
  readonly #make: () => Awaitable<SocketLike>;
  readonly #options: SocketOptions;
  readonly #info: MessageInfo | undefined;
  #socket: SocketLike | undefined;
  /** There from when the socket is open until it is known to be gone. */
  #receiver: Receiver | undefined;
  #room: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** `info` goes with every message. */
  constructor(make: () => Awaitable<SocketLike>, options: SocketOptions, info?: MessageInfo) {
    this.#make = make;
    this.#options = options;
    this.#info = info;
  }

  async start(receiver: Receiver): Promise<void> {
    let reason = "The socket could not be opened";
    let socket: SocketLike;
    try {
      const made = this.#make();
      socket = "then" in made ? await made : made;
    } catch (cause) {
      if (isTransportError(cause)) throw cause;
      throw new TransportError(`${reason}: ${(cause as Error).message}`, { cause });
    }
    this.#socket = socket;
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        reason = "The socket broke";
        this.#receiver = receiver;
        resolve();
      };
      // Once it is open, rejecting changes nothing.
      socket.addEventListener("close", ({ code = 0, reason: words }) => {
        const text = words ? `: ${words.slice(0, 125)}` : "";
        const error = new TransportError(`${reason} (${code})${text}.`);
        this.#end(code === normal || this.#closing ? undefined : error);
        reject(error);
      });
      socket.addEventListener("message", ({ data }) => this.#message(data));
      socket.addEventListener("error", ({ message }) => {
        if (message) reason = `${reason}: ${message}`;
        // Some platforms tell of no close where nothing was opened.
        reject(new TransportError(`${reason}.`));
      });
      if (socket.readyState === open) begin();
      else if (socket.readyState === connecting) socket.addEventListener("open", begin);
      else reject(new TransportError("The socket is closed."));
    });
  }

  send(message: unknown): Promise<void> | undefined {
    const socket = this.#socket;
    if (this.#closing || socket?.readyState !== open) throw new TransportError("The connection is closed.");
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
    if (typeof data !== "string") return this.#refuse(unsupportedData, "Messages are text.");
    if (exceeds(data, messageBytes))
      return this.#refuse(tooBig, `A message is longer than ${messageBytes} bytes.`);
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch (error) {
      const reason = `A message is not JSON: ${(error as Error).message}`;
      return this.#receiver?.malformed(new ValidationError(reason));
    }
    this.#receiver?.message(value, this.#info && { ...this.#info, bytes: data.length });
  }

  #refuse(code: number, reason: string): void {
    this.#closing = this.#shutDown(code, reason);
    this.#end(new TransportError(reason));
  }

  #hasRoom({ bufferedAmount, readyState }: SocketLike): boolean {
    return readyState !== open || bufferedAmount <= (this.#options.limits?.waitingBytes ?? 1_048_576);
  }

  /** A socket does not say when there is room again. */
  async #whenRoom(socket: SocketLike): Promise<void> {
    while (!this.#hasRoom(socket)) await pause(10);
    this.#room = undefined;
  }

  /** Resolves when the socket is gone, with or without the other side's doing. */
  async #shutDown(code: number, reason?: string): Promise<void> {
    const socket = this.#socket as (SocketLike & { terminate?(): void }) | undefined;
    if (socket && socket.readyState !== closed) {
      const gone = new Promise((resolve) => socket.addEventListener("close", resolve));
      close(socket, code, reason);
      await within(this.#options.shutdownTime ?? 2000, gone);
      socket.terminate?.();
    }
    this.#end();
  }

  /** Tells the receiver, once. */
  #end(error?: Error): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.closed(error);
  }
}

/** Is a text longer than this in UTF-8? A character takes at most three bytes. */
const exceeds = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && (text.length > bytes || new TextEncoder().encode(text).length > bytes);

function close(socket: SocketLike, code: number, reason?: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Browsers, and Node's own WebSocket, leave a program only the codes from 3000 on.
    socket.close(privateUse + code, reason);
  }
}
