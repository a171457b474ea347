import { type Answerer, type Exchange, ServerDispatcher } from "../jsonrpc/dispatcher.js";
import { Connection, type NotificationReceiver } from "../jsonrpc/connection.js";
import type { WireNotification, WireRequest } from "../message.js";
import type { ServerEngineSession, ServerSessionConfig } from "../session/config.js";
import type { Transport } from "../ports/transport.js";
import { byEra, chooseServer, isInitialize, type ServersByEra } from "./choose-server.js";
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
 * Serves one client over one transport, with a server of one revision or one for each of several, the newest first. The messages of the
 * client select the revision.
 *
 * @throws TransportError if the transport cannot be opened, and TypeError if there is no server.
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
  // Before `initialize`, the rules of the newest revision apply (JRPC-07), except that batches are not allowed (BATCH-03).
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
  const close = (): Promise<void> => router.close();
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** Finds the session that a message belongs to. One connection may have a session of each era (COMPAT-12, COMPAT-13). */
class Router implements Answerer, NotificationReceiver {
  readonly #dispatcher: ServerDispatcher;
  readonly #servers: ServersByEra;
  readonly #sessions = new Map<ServerSessionConfig, ServerEngineSession>();
  /** The server of the connection's only legacy session; undefined before `initialize`. */
  #legacyServer: ServerSessionConfig | undefined;

  constructor(connection: Connection, cores: readonly ServerSessionConfig[]) {
    this.#servers = byEra(cores);
    this.#dispatcher = new ServerDispatcher(connection, cores[0]?.settings ?? {});
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

  finish(): void {
    for (const session of this.#sessions.values()) session.finish?.();
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
      session = core.side.engine(core, this.#dispatcher, this.#servers.supported);
      this.#sessions.set(core, session);
      core.sessions.add(session);
    }
    return session;
  }
}
