import { withMeta } from "./outgoing.js";
import type { Exchange } from "../jsonrpc/dispatcher.js";
import { elicitationIdOf, type Params, metaOf } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import {
  isInputPending,
  isMcpError,
  isSessionError,
  isToolError,
  jsonRpcCodes,
} from "../errors.js";
import { jsonText, messageOf, report, warn } from "../report.js";
import type { Auth } from "../ports/transport.js";
import type { NotificationFacts } from "../tables.js";
import { unknownMethodError } from "./check.js";
import { declares } from "../capabilities.js";
import type {
  AskOptions,
  HandlerContext,
  Identity,
  ServerSessionConfig,
  ServerSettings,
} from "./config.js";
import { RequestContext } from "./context.js";
import type { Awaitable } from "../../../common/timing.js";
import type { ServerSideSession } from "./server-side.js";

/** A context on the server. Each engine implements how to ask the client. */
export abstract class ServerContext
  extends RequestContext
  implements HandlerContext
{
  declare readonly session: ServerSideSession;
  /** The client that sent the request. */
  readonly client: Identity;
  abstract readonly sessionEnd: AbortSignal | undefined;
  #onces: Map<string, Promise<unknown>> | undefined;

  constructor(
    session: ServerSideSession,
    exchange: Exchange,
    params: unknown,
    client: Identity,
  ) {
    super(session, exchange, params);
    this.client = client;
  }

  during(exchange: Exchange): ServerContext {
    return this.session.contextOf(exchange, this.params, this.client);
  }

  get auth(): Auth | undefined {
    return this.exchange.info?.auth;
  }

  get meta(): JsonObject {
    return metaOf(this.params);
  }

  get release(): (retryMs?: number) => void {
    return (retryMs) => this.exchange.info?.release?.(retryMs);
  }

  /**
   * Sends a log message if the server declares `logging` (LOG-01) and the
   * client requested this level (LOG-02, LOG-04).
   *
   * @throws TypeError for an unknown level (LOG-06).
   */
  get log(): (level: string, data: unknown, logger?: string) => void {
    return (level, data, logger) => {
      const { outgoingNotifications, levels, revision } =
        this.session.config.side;
      const facts = getOwn(outgoingNotifications, revision.wellKnown.log);
      if (!facts) return;
      if (!maySend(this.session.config, facts, undefined)) return;
      const severity = levels.indexOf(level);
      if (severity === -1) {
        throw new TypeError(
          `context.log: "${level}" is not a level; expected one of ${levels.join(", ")}.`,
        );
      }
      // Log data is checked (LOG-08).
      const plain = withoutErrors(data);
      if (jsonText(plain) === undefined)
        return this.session.connection.warn(
          "context.log: the message was not sent, because its data is not JSON.",
        );
      if (severity >= this.threshold)
        this.send(facts.method, { level, logger, data: plain });
    };
  }

  get notify(): (method: string, params?: JsonObject) => void {
    return (method, params) => {
      const { side } = this.session.config;
      const facts = getOwn(side.outgoingNotifications, method);
      if (!facts) throw unknownMethodError(side, method);
      const { needs, needsOf = side.side, filter, subject } = facts;
      if (!maySend(this.session.config, facts, params)) return;
      const isForOthers =
        filter !== undefined ||
        subject !== undefined ||
        !this.session.concerns(params);
      if (isForOthers) this.broadcast(method, params);
      else if (
        !needs ||
        needsOf === "server" ||
        declares(this.client.capabilities, needs)
      )
        this.session.coalesce(
          method,
          params,
          () => this.send(method, params),
          queueMicrotask,
        );
    };
  }

  /** Sends a notification to all sessions that subscribed to it. */
  broadcast(method: string | undefined, params: Params): void {
    const { config } = this.session;
    const facts = getOwn(config.side.outgoingNotifications, method);
    if (!facts) return;
    for (const session of config.sessions)
      session.coalesce(
        facts.method,
        params,
        () => session.announce(facts, params),
        queueMicrotask,
      );
    config.publish?.(facts.method, params);
  }

  get request(): (
    method: string,
    params?: JsonObject,
    options?: AskOptions,
  ) => Promise<unknown> {
    return (method, params, options = {}) =>
      this.ask(
        method,
        options.meta ? withMeta(params, options.meta) : params,
        options,
      );
  }

  /**
   * In an engine that runs a handler once, this only prevents running the same
   * key twice.
   */
  get once(): HandlerContext["once"] {
    return (key, work) => onceIn((this.#onces ??= new Map()), key, work);
  }

  /** The least severe level to send, as an index. */
  protected abstract get threshold(): number;

  /** Rejects, never throws. */
  protected abstract ask(
    method: string,
    params: Params,
    options: AskOptions,
  ): Promise<unknown>;
}

/**
 * Replaces an error, or errors among the members of an object, with their names
 * and messages; their JSON would be empty.
 */
function withoutErrors(data: unknown): unknown {
  const textOf = (value: unknown): unknown =>
    value instanceof Error ? `${value.name}: ${messageOf(value)}` : value;
  if (!isObject(data) || data instanceof Error) return textOf(data);
  const hasError = Object.values(data).some((value) => value instanceof Error);
  return hasError
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, textOf(value)]),
      )
    : data;
}

/**
 * Runs the work unless work with this key is running or has succeeded. Failed
 * work may run again.
 */
export function onceIn<T>(
  running: Map<string, Promise<unknown>>,
  key: string,
  work: () => Awaitable<T>,
): Promise<T> {
  let result = running.get(key) as Promise<T> | undefined;
  if (!result) {
    running.set(key, (result = new Promise((resolve) => resolve(work()))));
    result.catch(() => running.delete(key));
  }
  return result;
}

/**
 * Returns true if a notification may be sent. Otherwise warns: the server did
 * not declare the needed capability (LIFE-06), or the notification is about a
 * URL elicitation that no client got (ELIC-11).
 */
export function maySend(
  {
    capabilities,
    settings,
    elicitations,
    publish,
    withheld,
  }: ServerSessionConfig,
  facts: NotificationFacts,
  params: Params,
): boolean {
  const { method, needs, needsOf } = facts;
  const elicitation = elicitationIdOf(params);
  // A client of another process may have got it.
  if (elicitation !== undefined && !elicitations.has(elicitation) && !publish) {
    warn(
      settings,
      `${method} was not sent: no client got an elicitation with this elicitationId.`,
    );
    return false;
  }
  if (!needs || needsOf === "client" || declares(capabilities, needs))
    return true;
  if (declares(withheld, needs)) return false;
  warn(
    settings,
    `${method} was not sent: it needs ${JSON.stringify(needs)} among the server's capabilities.`,
  );
  return false;
}

/**
 * Converts an error of a tool's handler to a result with `isError: true` and
 * reports the error. The model gets the message, never the stack. With
 * `maskErrors` it only gets the message of a `ToolError`.
 *
 * @throws the error itself if the request was cancelled, or if the error is the
 *   answer to the request: an `McpError`, `InputPending`, or a missing
 *   capability of the client in a revision that has an error code for it.
 */
export function failedTool(
  error: unknown,
  settings: ServerSettings,
  context: Pick<HandlerContext, "signal">,
  name: string,
): JsonObject {
  // Hosts show a failed result to the model, and end the call with an exception
  // for an error without a code of its own.
  const hasCode =
    isSessionError(error) &&
    isMcpError(error.cause) &&
    error.cause.code !== jsonRpcCodes.INTERNAL_ERROR;
  if (
    isMcpError(error) ||
    isInputPending(error) ||
    hasCode ||
    context.signal.aborted
  )
    throw error;
  const { method } = (context as unknown as RequestContext).exchange;
  report(settings, error, `${method} ${name}`);
  const isMasked = settings.maskErrors === true && !isToolError(error);
  const text = isMasked ? "The tool failed." : messageOf(error);
  return { content: [{ type: "text", text }], isError: true };
}
