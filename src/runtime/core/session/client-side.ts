import { isMcpError, jsonRpcCodes, SessionError } from "../errors.js";
import type {
  CallerOptions,
  CallOptions,
  RequestOptions,
} from "../jsonrpc/calls.js";
import type {
  Connection,
  NotificationReceiver,
} from "../jsonrpc/connection.js";
import type { Params, RequestId, WireNotification } from "../message.js";
import { getOwn, type JsonObject, isObject } from "../../../common/object.js";
import type { NotificationFacts, RequestRow, SideTable } from "../tables.js";
import type { RateLimit } from "../quota.js";
import { jsonText, newTexts, shown, warn } from "../report.js";
import { checkResult, undeclaredError, unknownMethodError } from "./check.js";
import { declares, missingCapabilities } from "../capabilities.js";
import type {
  ClientSessionConfig,
  ClientSettings,
  Handler,
  Identity,
} from "./config.js";
import {
  emitNotification,
  receiveNotification,
  sendNotification,
  sendRequest,
} from "./session.js";
import { asSent, withMeta } from "./outgoing.js";

/** Options of reading all pages of a list. */
export interface ListOptions extends RequestOptions {
  /** Maximum number of pages to read; 1,000 by default. */
  readonly maxPages?: number | undefined;
}

/** How long to wait for the answer to a probe, in milliseconds. */
export const probeTime = ({
  timeout = 10_000,
  probeTimeout,
}: ClientSettings): number => probeTimeout ?? Math.min(timeout, 10_000);

/**
 * A session on the client. Once it is open, `config` is that of the negotiated
 * revision.
 */
export abstract class ClientSideSession implements NotificationReceiver {
  config: ClientSessionConfig;
  readonly connection: Connection;
  peer: Identity = { info: undefined, capabilities: {} };
  protected readonly configs: readonly ClientSessionConfig[];
  /** Limits the questions of the server. */
  questionRate: RateLimit | undefined;
  readonly #isNewWarning = newTexts();

  constructor(configs: readonly ClientSessionConfig[], connection: Connection) {
    this.config = configs[0] as ClientSessionConfig;
    this.connection = connection;
    this.configs = configs;
    connection.notifications = this;
    connection.requests = undefined;
  }

  /** Negotiates a revision. Rejects with the error of the server. */
  abstract open(): Promise<void>;
  abstract call(
    row: RequestRow,
    params: Params,
    options: RequestOptions,
  ): Promise<unknown>;

  get revision(): string {
    return this.config.side.revision.revision;
  }

  server(): Identity {
    return this.peer;
  }

  request(
    method: string,
    params?: JsonObject,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const { side } = this.config;
    const row = getOwn(side.outgoingRequests, method);
    if (!row) return Promise.reject(unknownMethodError(side, method));
    try {
      const { meta } = options;
      return this.call(row, meta ? withMeta(params, meta) : params, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Reads pages until one has no cursor (PAGE-02). Cursors are opaque
   * (PAGE-01). Some servers ignore them: a page that repeats the one before is
   * not given out, and a repeated cursor ends the list with a warning
   * (PAGE-05). If the server rejects its own cursor, starts again once, unless
   * the caller already has items, which would come twice.
   */
  async *items(
    method: string,
    params?: JsonObject,
    options: ListOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const member = getOwn(this.config.side.outgoingRequests, method)?.items;
    if (member === undefined)
      throw unknownMethodError(this.config.side, method);
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
        if (
          pageParams === params ||
          !isMcpError(error) ||
          error.code !== jsonRpcCodes.INVALID_PARAMS
        )
          throw error;
        const message = `${method}: the server rejects its own cursor, so the list has changed. Read it again from the start.`;
        if (!mayRestart)
          throw new SessionError("pages", message, { cause: error });
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
        return warn(this.config.settings, message);
      }
      cursors.add(cursor);
      if (cursors.size >= maxPages)
        throw new SessionError(
          "pages",
          `${method}: there are more than ${maxPages} pages.`,
        );
      pageParams = { ...params, cursor };
    }
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    const { side, capabilities } = this.config;
    const row = getOwn(side.outgoingNotifications, method);
    if (!row) throw unknownMethodError(side, method);
    const { needs, needsOf } = row;
    if (needs && needsOf !== "server" && !declares(capabilities, needs))
      throw undeclaredError(method, needs, "client");
    const options = this.connection.transport.headerPolicy?.options(
      side.revision,
      row,
      params,
    );
    await sendNotification(this, row, asSent(params) as Params, options);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  notification(message: WireNotification): void {
    const received = receiveNotification(this, message);
    if (!received) return;
    const [facts, params] = received;
    const { method } = facts;
    if (method === this.config.side.revision.wellKnown.cancelled)
      this.cancelled(params?.["requestId"], params?.["reason"]);
    else
      this.handleNotification(facts, params, this.config.handlers.get(method));
  }

  emit(method: string | undefined, params: Params): void {
    emitNotification(this, method, () => asSent(params) as Params);
  }

  /** The server cancelled its request. */
  protected abstract cancelled(id: unknown, reason: unknown): void;

  protected handleNotification(
    _facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    handler?.(params as never, undefined as never);
  }

  /**
   * Sends one request of a call. `meta` holds the members of `_meta` that the
   * engine adds.
   */
  protected send(
    row: RequestRow,
    params: Params,
    options: CallerOptions,
    meta?: JsonObject,
    accept?: CallOptions["accept"],
  ): Promise<unknown> {
    const { method, items } = row;
    this.connection.transport.advise?.(
      this.config,
      method,
      params,
      this.#warnOnce,
    );
    const needs = missingCapabilities(row, params, this.peer.capabilities);
    if (needs) {
      const error = undeclaredError(method, needs, "server");
      if (items === undefined) throw error;
      // A server without the capability has nothing to list (LIFE-06).
      this.#warnOnce(`${error.message} The list is empty.`);
      return Promise.resolve({ ...row.engineDefaults, [items]: [] });
    }
    const cancel = row.uncancellable ? undefined : this.#cancel;
    return sendRequest(this, row, asSent(params) as Params, options, {
      defaultTimeout: 60_000,
      meta,
      accept,
      cancel,
    });
  }

  /**
   * Checks a result of the server. Warns once about each entry of a list that
   * is left out or changed.
   */
  protected read(row: RequestRow, result: JsonObject): JsonObject {
    const { side } = this.config;
    const { headerPolicy } = this.connection.transport;
    const value = readResult(side, row, result, this.#warnOnce);
    return (
      headerPolicy?.learn(side.revision, row, value, this.#warnOnce) ?? value
    );
  }

  readonly #warnOnce = (text: string): void => {
    if (this.#isNewWarning(text)) warn(this.config.settings, text);
  };

  /**
   * The first config whose revision is in the list. Revisions are compared for
   * equality, never ordered (VERS-04).
   */
  protected configOf(revisions: unknown): ClientSessionConfig | undefined {
    return this.configs.find(
      ({ side }) =>
        Array.isArray(revisions) && revisions.includes(side.revision.revision),
    );
  }

  /** The error for a server that shares no revision with this client. */
  protected noSharedRevision(supported: unknown): SessionError {
    const ownRevisions = this.configs.map(({ side }) => side.revision.revision);
    const message = `The server supports ${shown(supported)}; this client supports ${String(ownRevisions)}. Generate a client of a revision of the server (\`mcpgen --version\`).`;
    return new SessionError("revision", message, { cause: { supported } });
  }

  /**
   * Cancels a request, by a notification or by closing its stream (CANC-01,
   * CANC-07).
   */
  #cancel = (requestId: RequestId, reason: string): void => {
    const { transport } = this.connection;
    const { wellKnown, opening } = this.config.side.revision;
    // In legacy revisions a closed stream is not a cancellation (HTTP-20).
    const closesStream = opening === "per-request" && transport.cancel;
    if (!closesStream) this.emit(wellKnown.cancelled, { requestId, reason });
    transport.cancel?.(requestId);
  };
}

/**
 * The maximum number of faults of a page whose entries are read one by one, and
 * of the page's own members.
 */
const [maxFaults, maxMembers] = [1000, 50];

/**
 * Returns the result of the server. Null members that are no values of their
 * type are read as absent. In a page of a list, members of entries that do not
 * match their type are left out, and so are the entries that need them or whose
 * metadata do not match. `onWarning` gets a sentence for each.
 *
 * @throws ValidationError with the path for any other result that does not
 *   match its type, and for a page with more than 1,000 faults.
 */
function readResult(
  side: SideTable,
  row: RequestRow,
  value: JsonObject,
  onWarning: (text: string) => void,
): JsonObject {
  if (row.checks.result(value)) return value;
  const { method, items = "" } = row;
  let faults = 0;
  const warnOf = (text: string): void => {
    faults++;
    onWarning(`${method}: ${text}.`);
  };
  const read = (result: JsonObject, entry = ""): JsonObject =>
    checkResult(side, row, result, {
      omit(path, isNull) {
        if (isNull) return path;
        // In the page of one entry, the path of the entry has two keys.
        // Metadata may say who may use it, such as the user alone (APPS-08).
        return entry && path.length > 2 && path[2] !== "_meta"
          ? path.slice(0, 3)
          : undefined;
      },
      onOmit(path, isNull, error) {
        const member = path.slice(entry ? 2 : 0).join(".");
        if (isNull)
          warnOf(
            `${entry && `${entry}: `}${member} is null and is read as absent`,
          );
        else warnOf(`${entry} is read without ${member}: ${reasonOf(error)}`);
      },
    });
  const reasonOf = (error: unknown): string | undefined =>
    (error as Error).message
      .split(`${items}[0]`, 2)[1]
      ?.replace(/^(\.|: )/, "");
  const entries = value[items];
  if (!Array.isArray(entries) || Object.keys(value).length > maxMembers)
    return read(value);
  const page = read({ ...value, [items]: [] });
  const readEntries: unknown[] = [];
  for (const [index, entry] of (entries as readonly unknown[]).entries()) {
    const name =
      isObject(entry) && typeof entry["name"] === "string"
        ? entry["name"]
        : undefined;
    const where = `${items}[${index}]${name === undefined ? "" : ` ${JSON.stringify(name.slice(0, 80))}`}`;
    try {
      readEntries.push(
        ...(read({ ...page, [items]: [entry] }, where)[
          items
        ] as readonly unknown[]),
      );
    } catch (error) {
      warnOf(`${where} is left out: ${reasonOf(error)}`);
    }
    if (faults > maxFaults) return checkResult(side, row, value);
  }
  return { ...page, [items]: readEntries };
}

/** True if a page has the items of the page before. */
function isRepeated(
  items: readonly unknown[],
  before: readonly unknown[],
): boolean {
  if (items.length === 0 || items.length !== before.length) return false;
  const text = jsonText(items);
  return text !== undefined && text === jsonText(before);
}
