import {
  call,
  type CallerOptions,
  type CallOptions,
} from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import type { Params, RequestId, WireNotification } from "../message.js";
import { getOwn, type JsonObject } from "../../../common/object.js";
import type {
  NotificationFacts,
  NotificationRow,
  RequestRow,
} from "../tables.js";
import type { MessageInfo, SendOptions } from "../ports/transport.js";
import { isTransportError } from "../errors.js";
import { checkParams, nullIsAbsent } from "./check.js";
import type { SessionConfig } from "./config.js";
import { canHaveMeta } from "./outgoing.js";

/** Options that a side sets for its requests. */
interface RequestDefaults extends Pick<
  CallOptions,
  "inReplyTo" | "accept" | "cancel"
> {
  /**
   * The timeout if neither the call nor the settings have one, in milliseconds.
   */
  readonly defaultTimeout: number;
  /** Members to add to `_meta` of the request. */
  readonly meta?: JsonObject | undefined;
  /** The id of a request that is observed. */
  readonly id?: RequestId | undefined;
  /**
   * The message of the client during which a server sends the request, for an
   * observer.
   */
  readonly info?: MessageInfo | undefined;
}

/** A session of a client or a server, legacy or modern. */
export interface Session<Config extends SessionConfig = SessionConfig> {
  readonly config: Config;
  readonly connection: Connection;
  /**
   * Sends a notification without waiting, if the revision has it. Reports an
   * error, except that of a closed transport.
   */
  emit(method: string | undefined, params: Params, options?: SendOptions): void;
}

type Sender = Pick<Session, "config" | "connection">;

/**
 * Receives a notification. Returns its facts and params; undefined if the
 * revision does not have it, or it needs no more: an invalid one is reported
 * (CANC-04), and progress goes to its call.
 */
export function receiveNotification(
  { config, connection }: Sender,
  { method, params }: WireNotification,
): readonly [facts: NotificationFacts, params: Params] | undefined {
  const { side } = config;
  const row = getOwn(side.incomingNotifications, method);
  if (!row) return undefined;
  try {
    const read = checkParams(side, row, params, nullIsAbsent);
    if (method !== side.revision.wellKnown.progress)
      return [row, read as Params];
    connection.calls?.progress(read as never);
  } catch (error) {
    connection.report(error, method);
  }
  return undefined;
}

/**
 * Sends a notification. Rejects with a `ValidationError` if the params, which
 * are plain JSON, do not match their type.
 */
export async function sendNotification(
  { config, connection }: Sender,
  row: NotificationRow,
  params: Params,
  options?: SendOptions,
): Promise<void> {
  await connection.notify(
    row.method,
    checkParams(config.side, row, params),
    options,
  );
}

/**
 * Sends a notification without waiting, if the revision has it. Reports an
 * error, except that of a closed transport.
 */
export function emitNotification(
  sender: Sender,
  method: string | undefined,
  toWire: (method: string) => Params,
  options?: SendOptions,
): void {
  const row = getOwn(sender.config.side.outgoingNotifications, method);
  const send = async (known: NotificationRow): Promise<void> =>
    sendNotification(sender, known, toWire(known.method), options);
  if (row)
    send(row).catch((error: unknown) => {
      if (!isTransportError(error)) sender.connection.report(error);
    });
}

/**
 * Sends a request, whose params are plain JSON. The options of the caller take
 * precedence over the defaults of the side.
 *
 * @throws ValidationError if the params do not match their type.
 */
export function sendRequest(
  sender: Sender,
  row: RequestRow,
  params: Params,
  options: CallerOptions,
  defaults: RequestDefaults,
): Promise<unknown> {
  const { config, connection } = sender;
  const { observe } = connection.reporting;
  const { id = connection.nextId(), info } = defaults;
  if (observe && defaults.id === undefined) {
    const source = { id, method: row.method, info, side: config.side };
    const send = (more: RequestDefaults): Promise<unknown> =>
      sendRequest(sender, row, params, options, more);
    return observe(connection, "sent", source, params).send(
      { ...defaults, id },
      send,
      options.signal,
    );
  }
  const { settings, side } = config;
  const { method, augments } = row;
  const { defaultTimeout, meta, inReplyTo, accept, cancel } = defaults;
  const {
    signal,
    onProgress,
    onNotice,
    timeout = settings.timeout ?? defaultTimeout,
  } = options;
  const ownMeta = params?.["_meta"] as JsonObject | undefined;
  if (!canHaveMeta(params)) checkParams(side, row, params);
  let token: RequestId | undefined;
  let _meta = ownMeta && meta ? { ...ownMeta, ...meta } : (ownMeta ?? meta);
  const key = side.revision.meta.progressToken;
  if (onProgress && key !== undefined) {
    // The caller's own token, or the id, which is unique (PROG-01).
    token = (ownMeta?.[key] ?? id) as RequestId;
    _meta = { ..._meta, [key]: token };
  }
  // V8 copies an object several times faster if the spread comes last.
  const withMeta =
    _meta === ownMeta
      ? params
      : ownMeta
        ? { ...params, _meta }
        : { _meta, ...params };
  const wireParams = checkParams(side, row, withMeta);
  return call(connection, id, method, wireParams, {
    signal,
    timeout,
    maxTimeout: options.maxTimeout ?? settings.maxTimeout ?? timeout * 10,
    token,
    onProgress,
    onNotice,
    caller: options.caller,
    inReplyTo,
    accept,
    cancel,
    outlasts: augments !== undefined && params?.[augments] !== undefined,
    ...connection.transport.headerPolicy?.options(
      side.revision,
      row,
      wireParams,
    ),
  });
}
