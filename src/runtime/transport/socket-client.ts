import { TransportError } from "../index.js";
import { type SocketLike, type SocketOptions, SocketTransport, subprotocol } from "./socket.js";
import type { Transport } from "./transport.js";
import { loadWs } from "./ws.js";

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
  return new ClientSocket(target, options);
}

class ClientSocket extends SocketTransport {
  override readonly again: () => Transport;

  constructor(url: URL, options: WebSocketOptions) {
    super(() => connect(url, options), options);
    this.again = () => new ClientSocket(url, options);
  }
}

async function connect(
  url: URL,
  { headers, maxMessageLength = 67_108_864 }: WebSocketOptions,
): Promise<SocketLike> {
  const { WebSocket: own } = globalThis as {
    readonly WebSocket?: new (url: URL, protocol: string) => SocketLike;
  };
  try {
    if (own && !headers) return new own(url, subprotocol);
    const { WebSocket } = await loadWs();
    // A character takes at most three bytes.
    const maxPayload = maxMessageLength * 3;
    return new WebSocket(url, subprotocol, { headers, maxPayload, perMessageDeflate: false });
  } catch (error) {
    if (error instanceof TransportError) throw error;
    throw new TransportError(`The socket could not be opened: ${(error as Error).message}`, { cause: error });
  }
}
