import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { TransportError } from "../core/errors.js";
import type { SocketLike } from "./socket.js";

/** The part of the package `ws` that is used here. It is an optional dependency, loaded on first use. */
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

/** A socket of the package `ws`. */
export interface WsSocket extends SocketLike {
  on(event: "ping" | "pong", listener: (data: Buffer) => void): void;
}

export interface WsServer {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    onSocket: (socket: WsSocket) => void,
  ): void;
}

/** Loads the package `ws`. Rejects with a `TransportError` if it is not installed. */
export async function loadWs(): Promise<WsPackage> {
  try {
    return (await import("ws")) as unknown as WsPackage;
  } catch (error) {
    throw new TransportError("WebSockets need the package ws: run npm install ws.", { cause: error });
  }
}
