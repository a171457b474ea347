import { RefusedError } from "../errors.js";
import { Connection } from "../jsonrpc/connection.js";
import { getOwn, type JsonObject } from "../message.js";
import { declares } from "../session/capabilities.js";
import { undeclaredError, unknownMethodError } from "../session/check.js";
import type {
  ClientEngineSession,
  ClientSessionConfig,
  ClientSettings,
  ClientSide,
} from "../session/config.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { SideTable } from "../tables.js";
import type { Transport } from "../transport/transport.js";
import { checkHandlers, makeConfig, type SideOptions } from "./config.js";

/** How a list is read, page after page. */
export interface ListOptions extends RequestOptions {
  /** Most pages to read; 1,000 by default. */
  readonly maxPages?: number | undefined;
}

/**
 * An open session, as generated clients use it: by wire method, its results checked. The generated signature around each
 * call says the type; `never` fits them all and leaves a compiler nothing to infer or compare, which halves what a client
 * costs it.
 */
export interface ClientSession {
  readonly revision: string;
  /** What the server said of itself. */
  server(): never;
  /** A promise of the result. */
  request(method: string, params?: object, options?: RequestOptions): never;
  /** An async iterable of the items on all pages. */
  items(method: string, params?: object, options?: ListOptions): never;
  notify(method: string, params?: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a session in one revision.
 *
 * @throws TransportError when the server cannot be reached or goes away.
 * @throws McpError when the server refuses.
 */
export async function openClient(
  side: ClientSide,
  transport: Transport,
  options: SideOptions & ClientSettings,
): Promise<ClientSession> {
  checkHandlers([side], options.handlers);
  const config = clientConfig(side, options);
  return connect(transport, options, (connection) => open([config], connection));
}

/** A client's side, made ready. */
export type ReadyClient = ClientSessionConfig & { readonly side: ClientSide };

/** Makes a client's side ready. */
export function clientConfig(side: ClientSide, options: SideOptions & ClientSettings): ReadyClient {
  const [config, provided] = makeConfig<ClientSide, ClientSettings>(side, options);
  return { ...config, follow: Object.assign({}, ...provided.map(({ follow }) => follow), options.follow) };
}

/** Opens a connection, and a session over it; when there is no session, there is no connection either. */
export async function connect(
  transport: Transport,
  settings: ClientSettings,
  session: (connection: Connection) => Promise<ClientSession>,
): Promise<ClientSession> {
  const connection = new Connection(transport, settings);
  await transport.start(connection);
  try {
    return await session(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Agrees on a revision, the first config's most of all. The connection stays as it is when that fails. */
export async function open(
  configs: readonly ReadyClient[],
  connection: Connection,
  timeout?: number,
): Promise<ClientSession> {
  const [{ side }] = configs as [ReadyClient];
  const session = side.engine(configs, connection);
  await session.open(timeout);
  connection.onClosed = session.config.settings.onClose;
  return new OpenSession(session, connection);
}

/** The session over a session that is open. */
class OpenSession implements ClientSession {
  readonly #session: ClientEngineSession;
  readonly #connection: Connection;

  constructor(session: ClientEngineSession, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
  }

  get revision(): string {
    return this.#side.revision.revision;
  }

  server(): never {
    return this.#session.server as never;
  }

  request(method: string, params?: object, options?: RequestOptions): never {
    return this.#request(method, params, options) as never;
  }

  items(method: string, params?: object, options?: ListOptions): never {
    return this.#items(method, params, options) as never;
  }

  get #side(): SideTable {
    return this.#session.config.side;
  }

  #request(method: string, params?: object, options: RequestOptions = {}): Promise<unknown> {
    const row = getOwn(this.#side.outgoingRequests, method);
    if (!row) return Promise.reject(unknownMethodError(this.#side, method));
    try {
      return this.#session.call(row, params as JsonObject | undefined, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** PAGE-01, PAGE-02, PAGE-05: cursors are opaque, the empty one too; the end is where there is none. */
  async *#items(
    method: string,
    params?: object,
    options: ListOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const member = getOwn(this.#side.outgoingRequests, method)?.facts.items;
    if (member === undefined) throw unknownMethodError(this.#side, method);
    const { maxPages = 1000 } = options;
    const seen = new Set<unknown>();
    let asked = params;
    for (;;) {
      const page = (await this.#request(method, asked, options)) as JsonObject;
      yield* page[member] as unknown[];
      const cursor = page["nextCursor"];
      if (cursor === undefined) return;
      if (seen.has(cursor))
        throw new RefusedError("pages", `${method}: the server gave out the same cursor twice.`);
      seen.add(cursor);
      if (seen.size >= maxPages)
        throw new RefusedError("pages", `${method}: there are more than ${maxPages} pages.`);
      asked = { ...params, cursor };
    }
  }

  async notify(method: string, params?: object): Promise<void> {
    const row = getOwn(this.#side.outgoingNotifications, method);
    if (!row) throw unknownMethodError(this.#side, method);
    const { facts } = row;
    const { capabilities } = this.#session.config;
    if (facts.needs && facts.needsOf !== "server" && !declares(capabilities, facts.needs)) {
      throw undeclaredError(method, facts.needs, "client");
    }
    await this.#session.announce(row, params as JsonObject | undefined);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
