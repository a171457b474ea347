import {
  isMcpError,
  isOwnError,
  isRejection,
  isSessionError,
  isTimeoutError,
  isTransportError,
  isValidationError,
  SessionError,
  TransportError,
} from "../errors.js";
import type { Connection } from "../jsonrpc/connection.js";
import { isObject } from "../../../common/object.js";
import { within } from "../../../common/timing.js";
import { probeTime } from "../session/client-side.js";
import type { ClientSessionConfig, ClientSettings, ClientSide } from "../session/config.js";
import type { Transport } from "../ports/transport.js";
import { clientConfig, type ClientSession, connect, open } from "./client.js";
import { checkHandlers, type SideOptions, withQuestions } from "./config.js";

/** Options of `negotiate`. */
export interface NegotiateOptions extends SideOptions, ClientSettings {
  /** The revisions to choose from, in order of preference; by default all that were generated. */
  readonly revisions?: readonly string[] | undefined;
  /** `auto`, the default, detects the revision of the server. A revision allows only that one. */
  readonly mode?: string | undefined;
}

/** A side, and the client class that wraps its session. */
export type ClientChoice = readonly [side: ClientSide, client: new (session: ClientSession) => unknown];

/**
 * Opens a session in a revision that both sides support, and wraps it in the client of that revision.
 *
 * @throws TransportError if the server cannot be reached or disconnects.
 * @throws McpError if the server answers with an error.
 * @throws SessionError if both sides share no revision, or `revisions` or `mode` names one that was not generated.
 * @throws TypeError for a handler whose method no revision has.
 */
export async function negotiate<C>(
  choices: readonly ClientChoice[],
  transport: Transport,
  options: NegotiateOptions,
): Promise<C> {
  const sides = choices.map(([side]) => withQuestions(side, options.questions));
  const configs = choose(sides, options).map((side) => clientConfig(side, options, transport));
  checkHandlers(sides, options.handlers);
  const { address } = transport;
  const revisionCache = address === undefined ? undefined : options.revisionCache;
  const session = await agree(configs, transport, options, address && revisionCache?.get(address));
  const { revision } = session;
  if (address !== undefined) revisionCache?.set(address, revision);
  const choice = choices.find(([side]) => side.revision.revision === revision);
  if (!choice) throw noClientError(revision, sides);
  return new choice[1](session) as C;
}

function choose(sides: readonly ClientSide[], { revisions, mode = "auto" }: NegotiateOptions): ClientSide[] {
  const names = mode === "auto" ? revisions : [mode];
  if (!names) return [...sides];
  return names.map((name) => {
    const side = sides.find(({ revision }) => revision.revision === name);
    if (!side) throw noClientError(name, sides);
    return side;
  });
}

function noClientError(name: string, sides: readonly ClientSide[]): SessionError {
  const names = sides.map(({ revision }) => revision.revision).join(", ");
  return new SessionError("revision", `No client was generated for revision ${name}, only for ${names}.`);
}

function agree(
  configs: readonly ClientSessionConfig[],
  transport: Transport,
  settings: ClientSettings,
  cachedRevision: string | undefined,
): Promise<ClientSession> {
  const modern = configs.filter(({ side }) => side.revision.opening === "per-request");
  const legacy = configs.filter(({ side }) => side.revision.opening === "initialize");
  return connect(transport, settings, async (connection) => {
    if (modern.length === 0) return open(legacy, connection);
    // A server that is known to be legacy is not probed (COMPAT-10).
    const cached = legacy.find(({ side }) => side.revision.revision === cachedRevision);
    if (cached) {
      try {
        return await open([cached, ...legacy.filter((config) => config !== cached)], connection);
      } catch (error) {
        const isAnswer = isMcpError(error) || isSessionError(error) || isValidationError(error);
        if (!isAnswer && !(isTransportError(error) && isRejection(error.status))) throw error;
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
      // Some legacy servers exit at an unknown first message, or do not work after it (COMPAT-04).
      const next = transport.reconnect?.(error as Error);
      if (!next) throw error;
      await connection.close();
      return connect(next, settings, (connection) => open(order, connection));
    }
  });
}

/**
 * Opens a legacy session over the connection of the probe. Resolves with undefined if the server refuses `initialize`, exits or does not
 * answer, and can be reached over a new connection.
 */
async function openAfterProbe(
  order: readonly ClientSessionConfig[],
  connection: Connection,
  settings: ClientSettings,
  probe: unknown,
): Promise<ClientSession | undefined> {
  const opening = open(order, connection);
  const { answersEach, reconnect } = connection.transport;
  if (answersEach || !reconnect) return opening;
  // A server that has not answered the probe may be slow to start.
  const isSlow = isTimeoutError((probe as Error).cause);
  return within(isSlow ? Infinity : probeTime(settings), opening).catch((error: unknown) => {
    if (isMcpError(error) || isTransportError(error) || isTimeoutError(error)) return undefined;
    throw error;
  });
}

/** The legacy revisions to try after a probe failed, the best first; none if the failure does not suggest a legacy server. */
function fallback(
  error: unknown,
  { answersEach }: Transport,
  legacy: readonly ClientSessionConfig[],
): readonly ClientSessionConfig[] {
  // The server lists its revisions (COMPAT-09).
  const details = isMcpError(error) ? error.data : isSessionError(error) ? error.cause : undefined;
  const supported = isObject(details) ? details["supported"] : undefined;
  if (Array.isArray(supported)) {
    return legacy.filter(({ side }) => supported.includes(side.revision.revision));
  }
  // The modern engine knows the answers of legacy servers. A server may also exit, or answer with a result of its own (COMPAT-02).
  const isLegacy =
    (isSessionError(error) && error.reason === "revision") ||
    isValidationError(error) ||
    (isTransportError(error) && (!answersEach || [500, 501, 505].includes(error.status ?? 0)));
  return isLegacy ? legacy : [];
}

/** Throws the error of `initialize` together with that of the probe, whose status alone does not prove a legacy server. */
const withProbe =
  (probe: TransportError) =>
  (error: unknown): never => {
    if (!(error instanceof Error) || !isOwnError(error) || error.name === "AuthorizationError") throw error;
    const message = `${probe.message} Then \`initialize\`: ${error.message}`;
    throw new TransportError(message, { ...probe, ...(isTransportError(error) && error), cause: error });
  };
