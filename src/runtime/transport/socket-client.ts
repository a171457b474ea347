import type { Awaitable } from "../timing.js";
import { type SocketLike, type SocketOptions, SocketTransport, subprotocol } from "./socket.js";
import type { Transport } from "./transport.js";
import { loadWs, type WsClientOptions } from "./ws.js";

/** How a server is reached over a WebSocket. */
export interface WebSocketOptions extends SocketOptions {
  /** Headers of the handshake. The platform's own WebSocket cannot send any, so that with headers the package `ws` is used. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server at a `ws:` or `wss:` URL. Starting it throws a `TransportError` where the platform has no WebSocket and `ws` is missing. */
export function webSocket(url: string | URL, options: WebSocketOptions = {}): Transport {
  const target = new URL(url);
  if (!/^wss?:$/.test(target.protocol))
    throw new TypeError(`${target.protocol} is no address of a WebSocket.`);
  const make = (): Transport =>
    Object.assign(new SocketTransport(() => connect(target, options), options), { again: make });
  return make();
}

function connect(
  url: URL,
  { headers, limits: { messageBytes = 67_108_864 } = {} }: WebSocketOptions,
): Awaitable<SocketLike> {
  const { WebSocket: own } = globalThis as {
    readonly WebSocket?: new (url: URL, protocol: string) => SocketLike;
  };
  // At once, since some platforms tell of a failure before anything that waits could listen.
  if (own && !headers) return new own(url, subprotocol);
  // What is only a little too long reaches the transport, which says so in words.
  const maxPayload = messageBytes * 3;
  const options: WsClientOptions = { headers, maxPayload, perMessageDeflate: false };
  return loadWs().then(({ WebSocket }) => new WebSocket(url, subprotocol, options));
}
