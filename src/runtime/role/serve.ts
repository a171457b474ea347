import { type RequestHandler, ServerDispatcher } from "../jsonrpc/dispatcher.js";
import { Connection } from "../jsonrpc/connection.js";
import { getOwn, isObject, type WireNotification, type WireRequest } from "../message.js";
import { metaOf } from "../session/meta.js";
import type { ServerEngineSession } from "../session/config.js";
import type { Transport } from "../transport/transport.js";
import type { ServerCore, ServerDefinition } from "./server.js";

/** A connection that is being served. */
export interface Serving {
  /** Resolves when the client is gone, or the connection was closed. */
  readonly closed: Promise<void>;
  /** Ends the connection in good order. Never rejects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves one client over one transport: a server of one revision, or one for each of several, the newest first, among which
 * the client's own messages choose.
 *
 * @throws TransportError when the transport cannot be opened.
 */
export async function serve(
  transport: Transport,
  servers: ServerDefinition | readonly ServerDefinition[],
): Promise<Serving> {
  const cores = [servers].flat().map(({ core }) => core);
  const [first] = cores;
  if (!first) throw new TypeError("serve: there is no server to serve.");
  const { settings, side } = first.config;
  const connection = new Connection(transport, settings);
  // Until a handshake agrees on a revision, the newest one says how (JRPC-07), and nothing comes in batches (BATCH-03).
  connection.adopt({ ...side.revision, batches: false });
  const router = new Router(connection, cores);
  const closed = new Promise<void>((resolve) => {
    const end = (): void => {
      router.closed();
      resolve();
    };
    connection.onClosed = end;
  });
  await transport.start(connection);
  const close = (): Promise<void> => router.finish();
  return { closed, close, [Symbol.asyncDispose]: close };
}

/**
 * Serves what one carrier of a single client's message brings, in one revision: nothing came before it, and nothing comes
 * after. The session is not among the core's: it is for the caller to say whether it hears announcements.
 */
export function serveAlone(
  transport: Transport,
  { side, config }: ServerCore,
  supported: readonly string[],
): ServerEngineSession {
  const connection = new Connection(transport, config.settings);
  connection.adopt(side.revision);
  const handle: RequestHandler = (message, exchange) => session.request(message, exchange);
  const session: ServerEngineSession = side.engine(
    config,
    new ServerDispatcher(connection, handle, config.settings),
    supported,
  );
  const hear = (message: WireNotification): void => session.notification(message);
  connection.onNotification = hear;
  void transport.start(connection);
  return session;
}

/** COMPAT-12, COMPAT-13: finds the session that a message belongs to. Both eras may share a connection. */
class Router {
  readonly #dispatcher: ServerDispatcher;
  readonly #cores: readonly ServerCore[];
  readonly #modern: readonly ServerCore[];
  readonly #legacy: readonly ServerCore[];
  readonly #sessions = new Map<ServerCore, ServerEngineSession>();
  /** The one legacy session of the connection, once there is one. */
  #legacyServer: ServerCore | undefined;

  constructor(connection: Connection, cores: readonly ServerCore[]) {
    const handle: RequestHandler = (message, exchange) =>
      this.#sessionOf(this.#coreOf(message)).request(message, exchange);
    this.#dispatcher = new ServerDispatcher(connection, handle, cores[0]?.config.settings ?? {});
    const hear = (message: WireNotification): void => {
      const core = this.#legacyServer ?? this.#modern[0] ?? this.#cores[0];
      this.#sessionOf(core as ServerCore).notification(message);
    };
    connection.onNotification = hear;
    this.#cores = cores;
    this.#modern = cores.filter(({ side }) => side.revision.opening === "per-request");
    this.#legacy = cores.filter(({ side }) => side.revision.opening === "initialize");
  }

  finish(): Promise<void> {
    for (const session of this.#sessions.values()) session.finish?.();
    return this.#dispatcher.drain();
  }

  closed(): void {
    for (const [core, session] of this.#sessions) core.sessions.delete(session);
  }

  #coreOf(message: WireRequest): ServerCore {
    const [only] = this.#cores;
    if (this.#cores.length === 1) return only as ServerCore;
    const modern = claimed(this.#modern, message.params);
    if (modern) return modern;
    if (
      !this.#legacyServer &&
      this.#legacy.some(({ side }) => side.revision.wellKnown.initialize === message.method)
    ) {
      // VERS-02: the version that was offered, else the newest of its era.
      const offered = isObject(message.params) ? message.params["protocolVersion"] : undefined;
      this.#legacyServer = named(this.#legacy, offered) ?? this.#legacy[0];
    }
    return this.#legacyServer ?? this.#legacy[0] ?? (only as ServerCore);
  }

  #sessionOf(core: ServerCore): ServerEngineSession {
    let session = this.#sessions.get(core);
    if (!session) {
      const supported = this.#cores.map(({ side }) => side.revision.revision);
      session = core.side.engine(core.config, this.#dispatcher, supported);
      this.#sessions.set(core, session);
      core.sessions.add(session);
    }
    return session;
  }
}

/** The modern server of the revision that params name: the newest one, which says what is known, where nobody knows it. */
export function claimed(modern: readonly ServerCore[], params: unknown): ServerCore | undefined {
  const meta = metaOf(params);
  for (const { side } of modern) {
    const revision = getOwn(meta, side.revision.meta.protocolVersion);
    if (typeof revision === "string") return named(modern, revision) ?? modern[0];
  }
  return undefined;
}

/** The server of a revision. */
export const named = (cores: readonly ServerCore[], revision: unknown): ServerCore | undefined =>
  cores.find(({ side }) => side.revision.revision === revision);
