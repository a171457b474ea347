import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { TransportError } from "../errors.js";
import type { SocketLike } from "./socket.js";

/** The part of the package `ws` that is used here; it is loaded only by programs that need it. */
export interface WsPackage {
  readonly WebSocket: new (url: URL, protocol: string, options: WsClientOptions) => SocketLike;
  readonly WebSocketServer: new (options: {
    readonly noServer: true;
    readonly maxPayload: number;
    readonly perMessageDeflate: false;
    handleProtocols(offered: Set<string>): string | false;
  }) => WsServer;
}

export interface WsClientOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly maxPayload: number;
  readonly perMessageDeflate: false;
}

/** A socket of that package. */
export interface WsSocket extends SocketLike {
  on(event: "ping" | "pong", listener: (data: Buffer) => void): void;
}

export interface WsServer {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    done: (socket: WsSocket) => void,
  ): void;
}

/** Throws a `TransportError` when the package is not there. */
export async function loadWs(): Promise<WsPackage> {
  try {
    return (await import("ws")) as unknown as WsPackage;
  } catch (error) {
    throw new TransportError("WebSockets need the package ws here: run npm install ws.", { cause: error });
  }
}
