import { pause, withTimeout } from "../../common/timing.js";

/** The time between two looks at a client that is not connected, in milliseconds. */
const lookTime = 20;

/** What `valkey` uses of a client of node-redis (`redis`, `@redis/client`). */
export interface NodeRedisClient {
  on(event: string, listener: () => void): unknown;
  sendCommand(
    parts: readonly string[],
    options?: { readonly abortSignal?: AbortSignal; readonly typeMapping?: object },
  ): Promise<unknown>;
  duplicate(): NodeRedisClient;
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
}

/** What `valkey` uses of a client of ioredis or iovalkey. */
export interface IoredisClient {
  on(event: string, listener: () => void): unknown;
  call(command: string, ...parts: string[]): Promise<unknown>;
  readonly status: string;
  duplicate(): IoredisClient;
  connect(): Promise<unknown>;
  disconnect(reconnect?: boolean): void;
}

/** A client of one of the libraries. */
export type RedisClient = NodeRedisClient | IoredisClient;

// A client of ioredis has `sendCommand` too, with another parameter.
const isIoredis = (client: RedisClient): client is IoredisClient => "call" in client;

/** A cluster or a sentinel of node-redis has more parameters before the command. */
export const isClient = (client: RedisClient): boolean =>
  client?.duplicate !== undefined && (isIoredis(client) || client.sendCommand.length <= 2);

/**
 * Sends a command that is not kept for longer than somebody waits for it: the libraries keep commands while they are not connected, and those
 * of a long outage would pile up.
 */
async function command(client: RedisClient, timeout: number, parts: readonly string[]): Promise<unknown> {
  const [name = "", ...others] = parts;
  if (isIoredis(client)) {
    // ioredis takes no command back.
    for (let waited = 0; /connect|close/.test(client.status); waited += lookTime) {
      if (waited > timeout) return undefined;
      await pause(lookTime);
    }
    return client.call(name, ...others);
  }
  // A moment later, so that the caller gets the error of `replyWithin`. The user may have mapped texts to buffers.
  return client.sendCommand(parts, { abortSignal: AbortSignal.timeout(timeout + 100), typeMapping: {} });
}

/** Resolves with the reply. Rejects after a time in milliseconds: the libraries wait for ever for an engine that is silent. */
async function replyWithin(timeout: number, work: Promise<unknown>): Promise<unknown> {
  const reply = await withTimeout(timeout, work);
  if (reply === undefined) throw new Error(`The engine did not answer within ${timeout} ms.`);
  return reply;
}

/** Sends a command, and rejects after a time in milliseconds. */
export const send = (client: RedisClient, timeout: number, parts: readonly string[]): Promise<unknown> =>
  replyWithin(timeout, command(client, timeout, parts));

function close(client: RedisClient, isForNow = false): void {
  if (isIoredis(client)) client.disconnect(isForNow);
  else if (client.isOpen) client.destroy();
}

/** Lets a client connect anew. */
export async function reconnect(client: RedisClient): Promise<void> {
  close(client, true);
  if (!isIoredis(client)) await client.connect();
}

/** A connection of its own, for a command that waits. */
export type Connection = ReturnType<typeof duplicate>;

/** Duplicates a client. The duplicate is closed as soon as its connection breaks. */
export function duplicate(client: RedisClient) {
  const copy = client.duplicate();
  const error = new Error("The connection to the engine broke.");
  let isBroken = false;
  /** Rejects the command that waits. One promise for all of them would keep every reply in memory. */
  let stop: ((reason: Error) => void) | undefined;
  // Only once: a second `disconnect` of ioredis starts a timer that keeps the process running for two seconds.
  const end = (): void => {
    if (isBroken) return;
    isBroken = true;
    stop?.(error);
    queueMicrotask(() => close(copy));
  };
  // ioredis rejects no command when a connection breaks: it connects again and sends the command again.
  for (const event of ["error", "close"]) copy.on(event, end);
  const opened = copy.connect().catch((error: unknown) => {
    // A duplicate of ioredis connects by itself, unless its user made it lazy.
    if (!isIoredis(copy)) throw error;
  });
  return {
    /** Sends a command. Rejects also as soon as the connection breaks. */
    send(timeout: number, parts: readonly string[]): Promise<unknown> {
      const reply = new Promise((resolve, reject) => {
        if (isBroken) return reject(error);
        stop = reject;
        opened.then(() => command(copy, timeout, parts)).then(resolve, reject);
      });
      return replyWithin(timeout, reply);
    },
    close: (): void => end(),
  };
}
