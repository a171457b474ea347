import { SessionError, rpcError, type RpcErrorName } from "../errors.js";
import type { CallerOptions, CallOptions, RequestOptions } from "../jsonrpc/calls.js";
import type { Connection, NotificationReceiver } from "../jsonrpc/connection.js";
import type { Params, RequestId, WireNotification } from "../message.js";
import { type JsonObject, isObject } from "../../../common/object.js";
import type { IncomingNotification, NotificationFacts, OutgoingRequest, SideTable } from "../tables.js";
import type { RateLimit } from "../quota.js";
import { newTexts, shown, warn } from "../report.js";
import { missingCapabilities } from "./capabilities.js";
import { undeclaredError, checkResult } from "./check.js";
import type { ClientSessionConfig, ClientSettings, Handler, Identity } from "./config.js";
import {
  emitNotification,
  receiveNotification,
  sendNotification,
  sendRequest,
  type Session,
} from "./session.js";
import { asSent } from "./outgoing.js";

/** How long to wait for the answer to a probe, in milliseconds. */
export const probeTime = ({ timeout = 10_000, probeTimeout }: ClientSettings): number =>
  probeTimeout ?? Math.min(timeout, 10_000);

/** A session on the client. Once it is open, `config` is that of the negotiated revision. */
export abstract class ClientSideSession implements Session<ClientSessionConfig>, NotificationReceiver {
  config: ClientSessionConfig;
  readonly connection: Connection;
  server: Identity = { info: undefined, capabilities: {} };
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
  abstract call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown>;

  announce(row: IncomingNotification, params: Params): Promise<void> {
    const { headerPolicy } = this.connection.transport;
    const options = headerPolicy?.options(this.config.side.revision, row.facts, params);
    return sendNotification(this, row, asSent(params) as Params, options);
  }

  notification(message: WireNotification): void {
    const received = receiveNotification(this, message);
    if (!received) return;
    const [facts, params] = received;
    const { method } = facts;
    if (method === this.config.side.revision.wellKnown.cancelled)
      this.cancelled(params?.["requestId"], params?.["reason"]);
    else this.handleNotification(facts, params, this.config.handlers.get(method));
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

  /** Sends one request of a call. `meta` holds the members of `_meta` that the engine adds. */
  protected send(
    row: OutgoingRequest,
    params: Params,
    options: CallerOptions,
    meta?: JsonObject,
    accept?: CallOptions["accept"],
  ): Promise<unknown> {
    const { facts } = row;
    this.connection.transport.advise?.(this.config, facts.method, params, this.#warnOnce);
    const needs = missingCapabilities(facts, params, this.server.capabilities);
    if (needs) {
      const error = undeclaredError(facts.method, needs, "server");
      if (facts.items === undefined) throw error;
      // A server without the capability has nothing to list (LIFE-06).
      this.#warnOnce(`${error.message} The list is empty.`);
      return Promise.resolve({ ...facts.engineDefaults, [facts.items]: [] });
    }
    const cancel = facts.uncancellable ? undefined : this.#cancel;
    return sendRequest(this, row, asSent(params) as Params, options, {
      defaultTimeout: 60_000,
      meta,
      accept,
      cancel,
    });
  }

  /** Checks a result of the server. Warns once about each entry of a list that is left out or changed. */
  protected read(row: OutgoingRequest, result: JsonObject): JsonObject {
    const { side } = this.config;
    const { headerPolicy } = this.connection.transport;
    const value = readResult(side, row, result, this.#warnOnce);
    return headerPolicy?.learn(side.revision, row.facts, value, this.#warnOnce) ?? value;
  }

  readonly #warnOnce = (text: string): void => {
    if (this.#isNewWarning(text)) warn(this.config.settings, text);
  };

  /** The first config whose revision is in the list. Revisions are compared for equality, never ordered (VERS-04). */
  protected configOf(revisions: unknown): ClientSessionConfig | undefined {
    return this.configs.find(
      ({ side }) => Array.isArray(revisions) && revisions.includes(side.revision.revision),
    );
  }

  /** The error for a server that shares no revision with this client. */
  protected noSharedRevision(supported: unknown): SessionError {
    const ownRevisions = this.configs.map(({ side }) => side.revision.revision);
    const message = `The server supports ${shown(supported)}; this client supports ${String(ownRevisions)}. Generate a client of a revision of the server (\`mcpgen --version\`).`;
    return new SessionError("revision", message, { cause: { supported } });
  }

  /** The error for a request of the server without a handler. */
  unansweredError(method: string): Error {
    return this.unsupportedError("METHOD_NOT_FOUND", `This client does not answer ${method}.`);
  }

  /** The error for a request of the server that this client does not support. */
  unsupportedError(name: RpcErrorName, message: string): Error {
    return rpcError(name, message);
  }

  /** Cancels a request, by a notification or by closing its stream (CANC-01, CANC-07). */
  #cancel = (requestId: RequestId, reason: string): void => {
    const { transport } = this.connection;
    const { wellKnown, opening } = this.config.side.revision;
    // In legacy revisions a closed stream is not a cancellation (HTTP-20).
    const closesStream = opening === "per-request" && transport.cancel;
    if (!closesStream) this.emit(wellKnown.cancelled, { requestId, reason });
    transport.cancel?.(requestId);
  };
}

/** The maximum number of faults of a page whose entries are read one by one, and of the page's own members. */
const [maxFaults, maxMembers] = [1000, 50];

/**
 * Returns the result of the server. Null members that are no values of their type are read as absent. In a page of a list, members of
 * entries that do not match their type are left out, and so are the entries that need them or whose metadata do not match. `onWarning` gets a sentence for each.
 *
 * @throws ValidationError with the path for any other result that does not match its type, and for a page with more than 1,000 faults.
 */
function readResult(
  side: SideTable,
  row: OutgoingRequest,
  value: JsonObject,
  onWarning: (text: string) => void,
): JsonObject {
  if (row.result(value)) return value;
  const { method, items = "" } = row.facts;
  let faults = 0;
  const warnOf = (text: string): void => {
    faults++;
    onWarning(`${method}: ${text}.`);
  };
  const read = (result: JsonObject, entry = ""): JsonObject =>
    checkResult(side, row, result, {
      omit(path, isNull) {
        if (isNull) return path;
        // In the page of one entry, the path of the entry has two keys. Metadata may say who may use it, such as the user alone (APPS-08).
        return entry && path.length > 2 && path[2] !== "_meta" ? path.slice(0, 3) : undefined;
      },
      onOmit(path, isNull, error) {
        const member = path.slice(entry ? 2 : 0).join(".");
        if (isNull) warnOf(`${entry && `${entry}: `}${member} is null and is read as absent`);
        else warnOf(`${entry} is read without ${member}: ${reasonOf(error)}`);
      },
    });
  const reasonOf = (error: unknown): string | undefined =>
    (error as Error).message.split(`${items}[0]`, 2)[1]?.replace(/^(\.|: )/, "");
  const entries = value[items];
  if (!Array.isArray(entries) || Object.keys(value).length > maxMembers) return read(value);
  const page = read({ ...value, [items]: [] });
  const readEntries: unknown[] = [];
  for (const [index, entry] of (entries as readonly unknown[]).entries()) {
    const name = isObject(entry) && typeof entry["name"] === "string" ? entry["name"] : undefined;
    const where = `${items}[${index}]${name === undefined ? "" : ` ${JSON.stringify(name.slice(0, 80))}`}`;
    try {
      readEntries.push(...(read({ ...page, [items]: [entry] }, where)[items] as readonly unknown[]));
    } catch (error) {
      warnOf(`${where} is left out: ${reasonOf(error)}`);
    }
    if (faults > maxFaults) return checkResult(side, row, value);
  }
  return { ...page, [items]: readEntries };
}
