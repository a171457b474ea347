import { withMeta } from "../session/outgoing.js";
import { isMcpError, jsonRpcCodes, SessionError, TimeoutError } from "../errors.js";
import { Connection } from "../jsonrpc/connection.js";
import { warn } from "../report.js";
import { getOwn, type JsonObject } from "../../../common/object.js";
import { within } from "../../../common/timing.js";
import { declares, join } from "../session/capabilities.js";
import { undeclaredError, unknownMethodError } from "../session/check.js";
import type {
  ClientEngineSession,
  ClientSessionConfig,
  ClientSettings,
  ClientSide,
  Identity,
} from "../session/config.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { SideTable } from "../tables.js";
import type { Transport } from "../ports/transport.js";
import { checkHandlers, makeConfig, type SideOptions, withQuestions } from "./config.js";

/** Options of reading all pages of a list. */
export interface ListOptions extends RequestOptions {
  /** Maximum number of pages to read; 1,000 by default. */
  readonly maxPages?: number | undefined;
}

/**
 * An open session, which generated clients wrap. It sends requests by method and checks their results. The generated methods declare
 * the types: `never` is assignable to each of them without inference, which halves the time to compile a client.
 */
export interface ClientSession {
  readonly revision: string;
  /** The identity of the server. */
  server(): never;
  /** Returns a promise of the result. */
  request(method: string, params?: object, options?: RequestOptions): never;
  /** Returns an async iterable of the items of all pages. */
  items(method: string, params?: object, options?: ListOptions): never;
  notify(method: string, params?: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a session in one revision.
 *
 * @throws TransportError if the server cannot be reached or disconnects.
 * @throws McpError if the server answers with an error.
 * @throws TypeError for a handler whose method the revision does not have.
 */
export async function openClient(
  side: ClientSide,
  transport: Transport,
  options: SideOptions & ClientSettings,
): Promise<ClientSession> {
  const answeringSide = withQuestions(side, options.questions);
  checkHandlers([answeringSide], options.handlers);
  const config = clientConfig(answeringSide, options, transport);
  return connect(transport, options, (connection) => open([config], connection));
}

/** Creates the configuration of a client for one revision. */
export function clientConfig(
  side: ClientSide,
  options: SideOptions & ClientSettings,
  transport: Transport,
): ClientSessionConfig {
  const [config, additions] = makeConfig<ClientSide, ClientSettings>(side, options);
  const capabilities = join(config.capabilities, transport.capabilities ?? {});
  return {
    ...config,
    capabilities,
    follow: Object.assign({}, ...additions.map(({ follow }) => follow), options.follow),
  };
}

/**
 * Opens a connection and a session over it; a second time if the transport has changed to HTTP+SSE. If the session cannot be opened,
 * closes the connection.
 *
 * @throws TimeoutError if the connection is not open within `timeout`, without the time that a person needs to sign in.
 */
export async function connect(
  transport: Transport,
  settings: ClientSettings,
  session: (connection: Connection) => Promise<ClientSession>,
): Promise<ClientSession> {
  const connection = new Connection(transport, settings);
  const { timeout = 60_000 } = settings;
  const starting = Promise.resolve(transport.start(connection)).then(() => true);
  if (!(await within(timeout, starting, () => connection.isPaused))) {
    await connection.close();
    const text = `The server did not accept the connection within ${timeout} ms. Raise \`timeout\` to wait longer.`;
    throw new TimeoutError(text);
  }
  const { answersEach } = transport;
  try {
    return await session(connection).catch((error: unknown) => {
      if (transport.answersEach === answersEach) throw error;
      return session(connection);
    });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Negotiates a revision, preferably that of the first config. Leaves the connection open if that fails. */
export async function open(
  configs: readonly ClientSessionConfig[],
  connection: Connection,
): Promise<ClientSession> {
  const [{ side }] = configs as [ClientSessionConfig];
  const session = side.engine(configs, connection);
  await session.open();
  connection.onClosed = session.config.settings.onClose;
  // The types of its members, which are for generated methods, say less than these.
  return new OpenSession(session, connection) as unknown as ClientSession;
}

/** True if a page has the items of the page before. */
function isRepeated(items: readonly unknown[], before: readonly unknown[]): boolean {
  if (items.length === 0 || items.length !== before.length) return false;
  try {
    return JSON.stringify(items) === JSON.stringify(before);
  } catch {
    // The items are nested too deeply.
    return false;
  }
}

/** The `ClientSession` over an engine's session. */
class OpenSession {
  readonly #session: ClientEngineSession;
  readonly #connection: Connection;

  constructor(session: ClientEngineSession, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
  }

  get revision(): string {
    return this.#side.revision.revision;
  }

  server(): Identity {
    return this.#session.server;
  }

  get #side(): SideTable {
    return this.#session.config.side;
  }

  request(method: string, params?: object, options: RequestOptions = {}): Promise<unknown> {
    const row = getOwn(this.#side.outgoingRequests, method);
    if (!row) return Promise.reject(unknownMethodError(this.#side, method));
    try {
      const { meta } = options;
      const sent = params as JsonObject | undefined;
      return this.#session.call(row, meta ? withMeta(sent, meta) : sent, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Reads pages until one has no cursor (PAGE-02). Cursors are opaque (PAGE-01). Some servers ignore them: a page that repeats the one before
   * is not given out, and a repeated cursor ends the list with a warning (PAGE-05). If the server rejects its own cursor, starts again once,
   * unless the caller already has items, which would come twice.
   */
  async *items(
    method: string,
    params?: object,
    options: ListOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const member = getOwn(this.#side.outgoingRequests, method)?.facts.items;
    if (member === undefined) throw unknownMethodError(this.#side, method);
    const { maxPages = 1000 } = options;
    const cursors = new Set<unknown>();
    let pageParams = params;
    let mayRestart = true;
    let itemsBefore: readonly unknown[] = [];
    for (;;) {
      let page: JsonObject;
      try {
        page = (await this.request(method, pageParams, options)) as JsonObject;
      } catch (error) {
        if (pageParams === params || !isMcpError(error) || error.code !== jsonRpcCodes.INVALID_PARAMS)
          throw error;
        const message = `${method}: the server rejects its own cursor, so the list has changed. Read it again from the start.`;
        if (!mayRestart) throw new SessionError("pages", message, { cause: error });
        mayRestart = false;
        cursors.clear();
        pageParams = params;
        continue;
      }
      const items = page[member] as unknown[];
      mayRestart &&= items.length === 0;
      if (!isRepeated(items, itemsBefore)) yield* items;
      itemsBefore = items;
      const cursor = page["nextCursor"];
      if (cursor === undefined) return;
      if (cursors.has(cursor)) {
        const message = `${method}: the server returned the same cursor twice, so the list ends here. It may be incomplete.`;
        return warn(this.#session.config.settings, message);
      }
      cursors.add(cursor);
      if (cursors.size >= maxPages)
        throw new SessionError("pages", `${method}: there are more than ${maxPages} pages.`);
      pageParams = { ...params, cursor };
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
