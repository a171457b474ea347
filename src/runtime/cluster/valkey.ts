/**
 * Valkey and Redis as the store that processes share:
 * `cluster({ store: valkey(client), secrets })`.
 * @module
 */
import { pause, withTimeout } from "../../common/timing.js";
import { shown, warn } from "../core/report.js";
import type { SharedStore } from "./store.js";

/** Options of `valkey`. */
export interface ValkeyOptions {
  /**
   * The name of the application, which is part of all its keys; "app" by
   * default.
   */
  readonly app?: string | undefined;
  /** How long a command may take, in milliseconds; 2,000 by default. */
  readonly timeout?: number | undefined;
  /**
   * Called with a warning if the engine may remove values that are in use. By
   * default, it is printed.
   */
  onWarning?(message: string): void;
}

/** The position before the first entry of a log. */
const start = "0-0";
/**
 * How long the engine waits for entries until it answers that there are none,
 * in milliseconds: shorter than the time that users give a command or a silent
 * connection.
 */
const block = 500;
/** The time between two attempts to connect again, in milliseconds. */
const retryTime = 200;
/**
 * The minimum time between two such attempts of the user's client, in
 * milliseconds.
 */
const minReconnect = 1000;

/**
 * The arguments: version (empty removes the value), replaced version (a space
 * for any), time, text. The version is the first line of a text.
 */
const putScript = `local v = redis.call('GETRANGE', KEYS[1], 0, 64):match('[^\\n]*')
if ARGV[2] ~= ' ' and v ~= ARGV[2] and v ~= ARGV[1] then return 0 end
if ARGV[1] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3]) end
return 1`;

/**
 * The arguments: time, number of entries to keep, entries. Older entries are
 * removed in whole nodes of the engine.
 */
const appendScript = `for i = 3, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'v', ARGV[i]) end
redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', redis.call('TIME')[1] * 1000 - ARGV[1]))
return redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/**
 * A store in Valkey 7.2 or Redis 6.2 and later, over a client of node-redis,
 * ioredis or iovalkey. You connect the client and close it; TLS, users,
 * Sentinel and so on are its options. `follow` opens a connection of its own, a
 * duplicate of the client. If the engine says that it is a read-only replica,
 * the client is told to connect again, since another engine may have become the
 * primary one.
 *
 * @throws TypeError if the client has another shape.
 */
export function valkey(
  client: NodeRedisClient | IoredisClient,
  options: ValkeyOptions = {},
): SharedStore {
  const { app = "app", timeout = 2000 } = options;
  if (!isClient(client))
    throw new TypeError(
      "valkey: expected a client of ioredis, iovalkey or node-redis (`createClient`).",
    );
  // Braces keep all keys in one slot of a cluster.
  const nameOf = (kind: string, key: string): string =>
    `mcpgen:1:{${encodeURIComponent(app)}}:${kind}:${key}`;
  let isReconnecting = false;
  const run = (...parts: readonly unknown[]): Promise<unknown> =>
    send(client, timeout, parts.map(String)).catch((error: unknown) => {
      if (!isReconnecting && /\bREADONLY\b/.test(String(error))) {
        isReconnecting = true;
        // If it rejects, the client goes on by its own rules.
        reconnect(client).catch(() => {});
        void pause(minReconnect).then(() => (isReconnecting = false));
      }
      throw error;
    });
  run("INFO", "memory").then(
    (memory) => {
      const [, policy] =
        /maxmemory_policy:(?!noeviction)(\S+)/.exec(String(memory)) ?? [];
      if (policy)
        warn(
          options,
          `valkey: set maxmemory-policy to noeviction. ${policy} removes what is in use.`,
        );
    },
    // An engine that does not answer, or may not, fails other calls.
    () => {},
  );
  return {
    async get(key) {
      const text = await run("GET", nameOf("value", key));
      if (text === null) return undefined;
      if (typeof text !== "string") throw unexpected("GET", text);
      const end = text.indexOf("\n");
      return { value: text.slice(end + 1), version: text.slice(0, end) };
    },
    async put(key, value, { ttl, version, replaces = " " }) {
      const parts = [
        value === undefined ? "" : version,
        replaces,
        Math.ceil(ttl),
        `${version}\n${value}`,
      ];
      const name = nameOf("value", key);
      const reply = await run("EVAL", putScript, 1, name, ...parts);
      // With `stringNumbers`, ioredis returns a text.
      if (!/^[01]$/.test(String(reply))) throw unexpected("EVAL", reply);
      return Number(reply) === 1;
    },
    async append(log, entries, { ttl, keep }) {
      await run(
        "EVAL",
        appendScript,
        1,
        nameOf("log", log),
        Math.ceil(ttl),
        keep,
        ...entries,
      );
    },
    follow: (log, receive, lost) =>
      follow(client, timeout, nameOf("log", log), receive, lost),
  };
}

/** Follows a log over a connection of its own, which is opened again. */
async function follow(
  client: RedisClient,
  timeout: number,
  name: string,
  receive: Parameters<SharedStore["follow"]>[1],
  lost: () => void,
): Promise<() => void> {
  let isStopped = false;
  /** The position of the last entry. "-" is before all. */
  let cursor = "-";
  let connection: Connection;

  async function open(): Promise<void> {
    connection = duplicate(client);
    const command = ["XREVRANGE", name, "+", cursor, "COUNT", "1"];
    const last = await connection.send(timeout, command);
    const [[position] = [start]] = last as readonly (readonly [string])[];
    // No entry is at the cursor or later: the log has begun anew, in this
    // engine or another.
    if (cursor === "-" || position === start) cursor = position;
  }

  async function read(wait: number): Promise<void> {
    const limits = ["COUNT", "100", "BLOCK", String(wait)];
    const command = ["XREAD", ...limits, "STREAMS", name, cursor];
    const reply = await connection.send(wait + timeout, command);
    for (const [position, [, value]] of entriesIn(reply)) {
      if (isStopped) return;
      cursor = position;
      receive({ position, value });
    }
  }

  async function readAll(): Promise<void> {
    for (let isBroken = false; ;) {
      if (isStopped) return;
      try {
        if (isBroken) {
          await open();
          isBroken = false;
          if (!isStopped) lost();
        }
        const [before, end] = [cursor, performance.now() + block];
        await read(block);
        const rest = end - performance.now();
        // An engine or a proxy that does not wait must not be asked at once
        // again.
        if (cursor === before && rest > block / 2) await pause(rest);
      } catch {
        isBroken = true;
        connection.close();
        if (!isStopped) await pause(retryTime);
      }
    }
  }

  const stop = (): void => {
    isStopped = true;
    connection.close();
  };
  try {
    await open();
    // The user of the engine may lack the right to read a log.
    await read(1);
  } catch (error) {
    stop();
    throw error;
  }
  void readAll();
  return stop;
}

const unexpected = (command: string, reply: unknown): Error =>
  new Error(`The engine answered ${command} with ${shown(reply)}.`);

type Entries = readonly (readonly [
  position: string,
  fields: readonly [name: string, value: string],
])[];

/**
 * The entries in a reply to XREAD: a list of pairs by RESP 2; by RESP 3 a map,
 * which a library makes an object or a flat list.
 */
function entriesIn(reply: unknown): Entries {
  const parts = Object.values(reply ?? {});
  const last = (parts.at(-1) ?? []) as
    Entries | readonly [key: string, entries: Entries];
  return typeof last[0] === "string" ? (last[1] as Entries) : (last as Entries);
}

/**
 * The time between two looks at a client that is not connected, in
 * milliseconds.
 */
const lookTime = 20;

/** What `valkey` uses of a client of node-redis (`redis`, `@redis/client`). */
export interface NodeRedisClient {
  on(event: string, listener: () => void): unknown;
  sendCommand(
    parts: readonly string[],
    options?: {
      readonly abortSignal?: AbortSignal;
      readonly typeMapping?: object;
    },
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
const isIoredis = (client: RedisClient): client is IoredisClient =>
  "call" in client;

/**
 * A cluster or a sentinel of node-redis has more parameters before the command.
 */
const isClient = (client: RedisClient): boolean =>
  client?.duplicate !== undefined &&
  (isIoredis(client) || client.sendCommand.length <= 2);

/**
 * Sends a command that is not kept for longer than somebody waits for it: the
 * libraries keep commands while they are not connected, and those of a long
 * outage would pile up.
 */
async function command(
  client: RedisClient,
  timeout: number,
  parts: readonly string[],
): Promise<unknown> {
  const [name = "", ...others] = parts;
  if (isIoredis(client)) {
    // ioredis takes no command back.
    for (
      let waited = 0;
      /connect|close/.test(client.status);
      waited += lookTime
    ) {
      if (waited > timeout) return undefined;
      await pause(lookTime);
    }
    return client.call(name, ...others);
  }
  // A moment later, so that the caller gets the error of `replyWithin`. The
  // user may have mapped texts to buffers.
  return client.sendCommand(parts, {
    abortSignal: AbortSignal.timeout(timeout + 100),
    typeMapping: {},
  });
}

/**
 * Resolves with the reply. Rejects after a time in milliseconds: the libraries
 * wait for ever for an engine that is silent.
 */
async function replyWithin(
  timeout: number,
  work: Promise<unknown>,
): Promise<unknown> {
  const reply = await withTimeout(timeout, work);
  if (reply === undefined)
    throw new Error(`The engine did not answer within ${timeout} ms.`);
  return reply;
}

/** Sends a command, and rejects after a time in milliseconds. */
const send = (
  client: RedisClient,
  timeout: number,
  parts: readonly string[],
): Promise<unknown> => replyWithin(timeout, command(client, timeout, parts));

function close(client: RedisClient, isForNow = false): void {
  if (isIoredis(client)) client.disconnect(isForNow);
  else if (client.isOpen) client.destroy();
}

/** Lets a client connect anew. */
async function reconnect(client: RedisClient): Promise<void> {
  close(client, true);
  if (!isIoredis(client)) await client.connect();
}

/** A connection of its own, for a command that waits. */
type Connection = ReturnType<typeof duplicate>;

/**
 * Duplicates a client. The duplicate is closed as soon as its connection
 * breaks.
 */
function duplicate(client: RedisClient) {
  const copy = client.duplicate();
  const error = new Error("The connection to the engine broke.");
  let isBroken = false;
  /**
   * Rejects the command that waits. One promise for all of them would keep
   * every reply in memory.
   */
  let stop: ((reason: Error) => void) | undefined;
  // Only once: a second `disconnect` of ioredis starts a timer that keeps the
  // process running for two seconds.
  const end = (): void => {
    if (isBroken) return;
    isBroken = true;
    stop?.(error);
    queueMicrotask(() => close(copy));
  };
  // ioredis rejects no command when a connection breaks: it connects again and
  // sends the command again.
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
