import type { Awaitable } from "../../common/timing.js";
import { parseAddress } from "../core/transport/address.js";
import { type SocketLike, type SocketOptions, SocketTransport, subprotocol } from "./socket.js";
import type { Transport } from "../core/ports/transport.js";
import { loadWs, type WsClientOptions } from "./ws.js";

/** Options of `webSocket`. */
export interface WebSocketOptions extends SocketOptions {
  /** Headers of the handshake. With headers the package `ws` is used, because the platform's WebSocket cannot send them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates a transport to a server at a `ws:` or `wss:` URL. `start` rejects with a `TransportError` if the platform has no WebSocket and
 * `ws` is not installed.
 *
 * @throws TypeError if the URL is not a `ws:` or `wss:` URL.
 */
export function webSocket(url: string | URL, options: WebSocketOptions = {}): Transport {
  const target = parseAddress(url);
  if (!/^wss?:$/.test(target.protocol))
    throw new TypeError(`Expected a ws: or wss: URL, got ${target.protocol}.`);
  const make = (): Transport =>
    Object.assign(new SocketTransport(() => connect(target, options), options), { reconnect: make });
  return make();
}

function connect(
  url: URL,
  { headers, limits: { messageBytes = 67_108_864 } = {} }: WebSocketOptions,
): Awaitable<SocketLike> {
  const { WebSocket: PlatformWebSocket } = globalThis as {
    readonly WebSocket?: new (url: URL, protocol: string) => SocketLike;
  };
  // Synchronous, because some platforms emit an error before a listener could be added after an await.
  if (PlatformWebSocket && !headers) return new PlatformWebSocket(url, subprotocol);
  // Larger than the limit, so that the transport itself reports a message that is slightly too long.
  const maxPayload = messageBytes * 3;
  const options: WsClientOptions = { headers, maxPayload, perMessageDeflate: false };
  return loadWs().then(({ WebSocket }) => new WebSocket(url, subprotocol, options));
}
