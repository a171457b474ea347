import {
  isMcpError,
  isOwnError,
  isRejection,
  isSessionError,
  isTimeoutError,
  isTransportError,
  isValidationError,
  SessionError,
  TimeoutError,
  TransportError,
} from "../errors.js";
import { ClientConnection } from "../jsonrpc/client-connection.js";
import { isObject } from "../../../common/object.js";
import { withTimeout } from "../../../common/timing.js";
import { join } from "../capabilities.js";
import { type ListOptions, probeTime } from "../session/client-side.js";
import type {
  ClientSessionConfig,
  ClientSettings,
  ClientSide,
} from "../session/config.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { Transport } from "../ports/transport.js";
import {
  checkHandlers,
  makeConfig,
  type SideOptions,
  withQuestions,
} from "./config.js";

/**
 * An open session, which generated clients wrap. It sends requests by method
 * and checks their results. The generated methods declare the types: `never` is
 * assignable to each of them without inference, which halves the time to
 * compile a client.
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
  checkHandlers([answeringSide], options.handlers, questionsHint);
  const config = clientConfig(answeringSide, options, transport);
  return connect(transport, options, (connection) =>
    open([config], connection),
  );
}

const questionsHint =
  " To handle requests of the server, import `clientQuestions` beside the client and pass it: { questions: clientQuestions, handlers }.";

/** Creates the configuration of a client for one revision. */
function clientConfig(
  side: ClientSide,
  options: SideOptions & ClientSettings,
  transport: Transport,
): ClientSessionConfig {
  const [config, additions] = makeConfig<ClientSide, ClientSettings>(
    side,
    options,
  );
  const capabilities = join(config.capabilities, transport.capabilities ?? {});
  return {
    ...config,
    capabilities,
    follow: Object.assign(
      {},
      ...additions.map(({ follow }) => follow),
      options.follow,
    ),
  };
}

/**
 * Opens a connection and a session over it; a second time if the transport has
 * changed to HTTP+SSE. If the session cannot be opened, closes the connection.
 *
 * @throws TimeoutError if the connection is not open within `timeout`, without
 *   the time that a person needs to sign in.
 */
async function connect(
  transport: Transport,
  settings: ClientSettings,
  session: (connection: ClientConnection) => Promise<ClientSession>,
): Promise<ClientSession> {
  const connection = new ClientConnection(transport, settings);
  const { timeout = 60_000 } = settings;
  const starting = Promise.resolve(transport.start(connection)).then(
    () => true,
  );
  if (!(await withTimeout(timeout, starting, () => connection.isPaused))) {
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

/**
 * Negotiates a revision, preferably that of the first config. Leaves the
 * connection open if that fails.
 */
async function open(
  configs: readonly ClientSessionConfig[],
  connection: ClientConnection,
): Promise<ClientSession> {
  const [{ side }] = configs as [ClientSessionConfig];
  const session = side.engine(configs, connection);
  await session.open();
  connection.onClosed = session.config.settings.onClose;
  // The types of its members, which are for generated methods, say less than
  // those of the class.
  return session as unknown as ClientSession;
}

/** Options of `negotiate`. */
export interface NegotiateOptions extends SideOptions, ClientSettings {
  /**
   * The revisions to choose from, in order of preference; by default all that
   * were generated.
   */
  readonly revisions?: readonly string[] | undefined;
  /**
   * `auto`, the default, detects the revision of the server. A revision allows
   * only that one.
   */
  readonly mode?: string | undefined;
}

/** A side, and the client class that wraps its session. */
export type ClientChoice = readonly [
  side: ClientSide,
  client: new (session: ClientSession) => unknown,
];

/**
 * Opens a session in a revision that both sides support, and wraps it in the
 * client of that revision.
 *
 * @throws TransportError if the server cannot be reached or disconnects.
 * @throws McpError if the server answers with an error.
 * @throws SessionError if both sides share no revision, or `revisions` or
 *   `mode` names one that was not generated.
 * @throws TypeError for a handler whose method no revision has.
 */
export async function negotiate<C>(
  choices: readonly ClientChoice[],
  transport: Transport,
  options: NegotiateOptions,
): Promise<C> {
  const sides = choices.map(([side]) => withQuestions(side, options.questions));
  const configs = choose(sides, options).map((side) =>
    clientConfig(side, options, transport),
  );
  checkHandlers(sides, options.handlers, questionsHint);
  const { address } = transport;
  const revisionCache =
    address === undefined ? undefined : options.revisionCache;
  const session = await agree(
    configs,
    transport,
    options,
    address && revisionCache?.get(address),
  );
  const { revision } = session;
  if (address !== undefined) revisionCache?.set(address, revision);
  const choice = choices.find(([side]) => side.revision.revision === revision);
  if (!choice) throw noClientError(revision, sides);
  return new choice[1](session) as C;
}

function choose(
  sides: readonly ClientSide[],
  { revisions, mode = "auto" }: NegotiateOptions,
): ClientSide[] {
  const names = mode === "auto" ? revisions : [mode];
  if (!names) return [...sides];
  return names.map((name) => {
    const side = sides.find(({ revision }) => revision.revision === name);
    if (!side) throw noClientError(name, sides);
    return side;
  });
}

function noClientError(
  name: string,
  sides: readonly ClientSide[],
): SessionError {
  const names = sides.map(({ revision }) => revision.revision).join(", ");
  return new SessionError(
    "revision",
    `No client was generated for revision ${name}, only for ${names}.`,
  );
}

function agree(
  configs: readonly ClientSessionConfig[],
  transport: Transport,
  settings: ClientSettings,
  cachedRevision: string | undefined,
): Promise<ClientSession> {
  const modern = configs.filter(
    ({ side }) => side.revision.opening === "per-request",
  );
  const legacy = configs.filter(
    ({ side }) => side.revision.opening === "initialize",
  );
  return connect(transport, settings, async (connection) => {
    if (modern.length === 0) return open(legacy, connection);
    // A server that is known to be legacy is not probed (COMPAT-10).
    const cached = legacy.find(
      ({ side }) => side.revision.revision === cachedRevision,
    );
    if (cached) {
      try {
        return await open(
          [cached, ...legacy.filter((config) => config !== cached)],
          connection,
        );
      } catch (error) {
        const isAnswer =
          isMcpError(error) ||
          isSessionError(error) ||
          isValidationError(error);
        if (
          !isAnswer &&
          !(isTransportError(error) && isRejection(error.status))
        )
          throw error;
      }
    }
    // Probes with `server/discover` (COMPAT-01, COMPAT-11).
    try {
      return await open(modern, connection);
    } catch (error) {
      const order = fallback(error, transport, legacy);
      if (order.length === 0) throw error;
      if (isTransportError(error) && transport.answersEach)
        return open(order, connection).catch(withProbe(error));
      const session = isTransportError(error)
        ? undefined
        : await openAfterProbe(order, connection, settings, error);
      if (session) return session;
      // Some legacy servers exit at an unknown first message, or do not work
      // after it (COMPAT-04).
      const next = transport.reconnect?.(error as Error);
      if (!next) throw error;
      await connection.close();
      return connect(next, settings, (connection) => open(order, connection));
    }
  });
}

/**
 * Opens a legacy session over the connection of the probe. Resolves with
 * undefined if the server refuses `initialize`, exits or does not answer, and
 * can be reached over a new connection.
 */
async function openAfterProbe(
  order: readonly ClientSessionConfig[],
  connection: ClientConnection,
  settings: ClientSettings,
  probe: unknown,
): Promise<ClientSession | undefined> {
  const opening = open(order, connection);
  const { answersEach, reconnect } = connection.transport;
  if (answersEach || !reconnect) return opening;
  // A server that has not answered the probe may be slow to start.
  const isSlow = isTimeoutError((probe as Error).cause);
  return withTimeout(isSlow ? Infinity : probeTime(settings), opening).catch(
    (error: unknown) => {
      if (isMcpError(error) || isTransportError(error) || isTimeoutError(error))
        return undefined;
      throw error;
    },
  );
}

/**
 * The legacy revisions to try after a probe failed, the best first; none if the
 * failure does not suggest a legacy server.
 */
function fallback(
  error: unknown,
  { answersEach }: Transport,
  legacy: readonly ClientSessionConfig[],
): readonly ClientSessionConfig[] {
  // The server lists its revisions (COMPAT-09).
  const details = isMcpError(error)
    ? error.data
    : isSessionError(error)
      ? error.cause
      : undefined;
  const supported = isObject(details) ? details["supported"] : undefined;
  if (Array.isArray(supported)) {
    return legacy.filter(({ side }) =>
      supported.includes(side.revision.revision),
    );
  }
  // The modern engine knows the answers of legacy servers. A server may also
  // exit, or answer with a result of its own (COMPAT-02).
  const isLegacy =
    (isSessionError(error) && error.reason === "revision") ||
    isValidationError(error) ||
    (isTransportError(error) &&
      (!answersEach || [500, 501, 505].includes(error.status ?? 0)));
  return isLegacy ? legacy : [];
}

/**
 * Throws the error of `initialize` together with that of the probe, whose
 * status alone does not prove a legacy server.
 */
const withProbe =
  (probe: TransportError) =>
  (error: unknown): never => {
    if (
      !(error instanceof Error) ||
      !isOwnError(error) ||
      error.name === "AuthorizationError"
    )
      throw error;
    const message = `${probe.message} Then \`initialize\`: ${error.message}`;
    throw new TransportError(message, {
      ...probe,
      ...(isTransportError(error) && error),
      cause: error,
    });
  };
