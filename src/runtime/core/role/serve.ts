import {
  type Answerer,
  type Exchange,
  ServerDispatcher,
} from "../jsonrpc/dispatcher.js";
import {
  Connection,
  type NotificationReceiver,
} from "../jsonrpc/connection.js";
import { metaOf, type WireNotification, type WireRequest } from "../message.js";
import { getOwn, isObject } from "../../../common/object.js";
import type {
  ServerEngineSession,
  ServerSessionConfig,
} from "../session/config.js";
import type { Transport } from "../ports/transport.js";
import type { ServerDefinition } from "./server.js";

/** An open connection of a server. */
export interface Serving {
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  /** Answers open requests, then closes the connection. Never rejects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves one client over one transport, with a server of one revision or one
 * for each of several, the newest first. The messages of the client select the
 * revision.
 *
 * @throws TransportError if the transport cannot be opened, and TypeError if
 *   there is no server.
 */
export async function serve(
  transport: Transport,
  servers: ServerDefinition | readonly ServerDefinition[],
): Promise<Serving> {
  const cores = [servers].flat().map(({ core }) => core);
  const [first] = cores;
  if (!first) throw new TypeError("serve: expected at least one server.");
  const { settings, side } = first;
  const connection = new Connection(transport, settings);
  // Before `initialize`, the rules of the newest revision apply (JRPC-07),
  // except that batches are not allowed (BATCH-03).
  connection.rules = { ...side.revision, batches: false };
  const router = new Router(connection, cores);
  const closed = new Promise<void>((resolve) => {
    const end = (): void => {
      router.closed();
      resolve();
    };
    connection.onClosed = end;
  });
  await transport.start(connection);
  const close = (): Promise<void> => router.close();
  return { closed, close, [Symbol.asyncDispose]: close };
}

/**
 * Finds the session that a message belongs to. One connection may have a
 * session of each era (COMPAT-12, COMPAT-13).
 */
class Router implements Answerer, NotificationReceiver {
  readonly #dispatcher: ServerDispatcher;
  readonly #servers: ServersByEra;
  readonly #sessions = new Map<ServerSessionConfig, ServerEngineSession>();
  /**
   * The server of the connection's only legacy session; undefined before
   * `initialize`.
   */
  #legacyServer: ServerSessionConfig | undefined;

  constructor(connection: Connection, cores: readonly ServerSessionConfig[]) {
    this.#servers = byEra(cores);
    this.#dispatcher = new ServerDispatcher(
      connection,
      cores[0]?.settings ?? {},
    );
    this.#dispatcher.answerer = this;
    connection.notifications = this;
  }

  request(message: WireRequest, exchange: Exchange): unknown {
    return this.#sessionOf(this.#coreOf(message)).request(message, exchange);
  }

  notification(message: WireNotification): void {
    const { modern, legacy } = this.#servers;
    const core = this.#legacyServer ?? modern[0] ?? legacy[0];
    this.#sessionOf(core as ServerSessionConfig).notification(message);
  }

  endStreams(): void {
    for (const session of this.#sessions.values()) session.endStreams?.();
  }

  close(): Promise<void> {
    return this.#dispatcher.drain();
  }

  closed(): void {
    for (const [core, session] of this.#sessions) core.sessions.delete(session);
  }

  #coreOf(message: WireRequest): ServerSessionConfig {
    const core = chooseServer(this.#servers, message);
    if (core.side.revision.opening === "per-request") return core;
    if (isInitialize(this.#servers, message)) this.#legacyServer ??= core;
    return this.#legacyServer ?? core;
  }

  #sessionOf(core: ServerSessionConfig): ServerEngineSession {
    let session = this.#sessions.get(core);
    if (!session) {
      session = core.side.engine(
        core,
        this.#dispatcher,
        this.#servers.supported,
      );
      this.#sessions.set(core, session);
      core.sessions.add(session);
    }
    return session;
  }
}

/** The servers of one connection or URL by era, the newest first. */
export interface ServersByEra {
  readonly modern: readonly ServerSessionConfig[];
  readonly legacy: readonly ServerSessionConfig[];
  /** All revisions, the newest first. */
  readonly supported: readonly string[];
}

/** Groups servers, of which there is at least one, by era. */
export function byEra(all: readonly ServerSessionConfig[]): ServersByEra {
  return {
    modern: all.filter(({ side }) => side.revision.opening === "per-request"),
    legacy: all.filter(({ side }) => side.revision.opening === "initialize"),
    supported: all.map(({ side }) => side.revision.revision),
  };
}

/**
 * Chooses the server that answers a message (COMPAT-12, COMPAT-13, HTTP-12,
 * VERS-02): the modern one whose revision the message or the HTTP header names;
 * else the legacy one that `initialize` offers or the header names; else the
 * newest legacy one. `isInSession` is true for a message of a session of a
 * legacy server.
 */
export function chooseServer(
  servers: ServersByEra,
  message: unknown,
  headerRevision?: string,
  isInSession = false,
): ServerSessionConfig {
  const { modern, legacy } = servers;
  const params = isObject(message) ? message["params"] : undefined;
  const modernServer = modernServerFor(modern, params);
  if (modernServer) return modernServer;
  const [newest] = legacy;
  if (!newest) return modern[0] as ServerSessionConfig;
  if (isInitialize(servers, message)) {
    const requestedRevision = isObject(params)
      ? params["protocolVersion"]
      : undefined;
    return serverOf(legacy, requestedRevision) ?? newest;
  }
  return (
    (isInSession ? undefined : serverOf(modern, headerRevision)) ??
    serverOf(legacy, headerRevision) ??
    newest
  );
}

/** True if a message opens a session of one of the legacy servers. */
export function isInitialize(
  { legacy }: ServersByEra,
  message: unknown,
): boolean {
  const method = isObject(message) ? message["method"] : undefined;
  if (method === undefined) return false;
  for (const { side } of legacy)
    if (side.revision.wellKnown.initialize === method) return true;
  return false;
}

/** The server of a revision. */
function serverOf(
  servers: readonly ServerSessionConfig[],
  revision: unknown,
): ServerSessionConfig | undefined {
  for (const server of servers)
    if (server.side.revision.revision === revision) return server;
  return undefined;
}

/**
 * The modern server of the revision in `_meta`; for an unknown revision the
 * newest, whose error lists the supported ones.
 */
function modernServerFor(
  modern: readonly ServerSessionConfig[],
  params: unknown,
): ServerSessionConfig | undefined {
  const meta = metaOf(params);
  for (const { side } of modern) {
    const revision = getOwn(meta, side.revision.meta.protocolVersion);
    if (typeof revision === "string")
      return serverOf(modern, revision) ?? modern[0];
  }
  return undefined;
}
