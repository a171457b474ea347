import {
  isMcpError,
  isTimeoutError,
  rpcError,
  TransportError,
} from "../errors.js";
import { augmentedRow } from "./check.js";
import { ClientSideSession } from "./client-side.js";
import type { RequestDispatcher } from "../jsonrpc/dispatcher.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import { withTimeout } from "../../../common/timing.js";
import type { Params, WireRequest } from "../message.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import type { RequestRow } from "../tables.js";
import type { ClientEngine, ClientSessionConfig, Identity } from "./config.js";

/** Creates a client session for revisions that open with `initialize`. */
export const legacyClient: ClientEngine = (configs, connection) =>
  new LegacyClient(configs, connection);

class LegacyClient extends ClientSideSession {
  #dispatcher: RequestDispatcher | undefined;

  /** Opens the session with `initialize` (LIFE-01). */
  async open(
    configs: readonly ClientSessionConfig[] = this.configs,
  ): Promise<void> {
    const { connection } = this;
    const { answering } =
      this.configs.find(({ side }) => side.answering)?.side ?? {};
    this.#dispatcher = answering?.dispatcher(this);
    if (!this.#dispatcher)
      connection.requests = {
        request: (message) => this.#answerAlone(message),
      };
    const result = await this.#initialize().catch((error: unknown) => {
      // Some servers answer with an error and a list of revisions, although
      // they should offer another revision (VERS-02).
      const config =
        isMcpError(error) && isObject(error.data)
          ? this.configOf(error.data["supported"])
          : undefined;
      if (!config || config === this.config) throw error;
      this.config = config;
      return this.#initialize();
    });
    const { protocolVersion } = result;
    const config = this.configOf([protocolVersion]);
    // The caller of `open` then closes the connection (VERS-03).
    if (!config || !configs.includes(config))
      throw this.noSharedRevision(protocolVersion);
    this.config = config;
    const { side } = config;
    const { serverInfo, capabilities, instructions } = this.read(
      this.#opening,
      result,
    );
    connection.rules = side.revision;
    connection.transport.useRevision?.(side.revision, true);
    this.peer = { info: serverInfo, capabilities, instructions } as Identity;
    await this.#announceReady();
  }

  /**
   * Sends `notifications/initialized` (LIFE-03). A server that does not
   * acknowledge it in time keeps the session.
   */
  async #announceReady(): Promise<void> {
    const { connection } = this;
    const { timeout = 60_000 } = this.config.settings;
    const { initialized } = this.config.side.revision.wellKnown;
    if (initialized === undefined) return;
    const onError = (error: unknown): void => {
      if (!isTimeoutError(error)) throw error;
    };
    const sent = connection
      .notify(initialized, undefined)
      .then(() => true, onError);
    if (!(await withTimeout(timeout, sent)))
      connection.warn(
        `The server has not acknowledged ${initialized} in time.`,
      );
  }

  /**
   * Answers a ping (PING-01), and all other requests with an error: the program
   * has no tables of questions (LIFE-10).
   */
  #answerAlone({ id, method, params }: WireRequest): void {
    const hasParams = params === undefined || isObject(params);
    const { code, message } = hasParams
      ? rpcError("METHOD_NOT_FOUND", `This client does not answer ${method}.`)
      : rpcError("INVALID_PARAMS", `${method}: params: expected an object.`);
    const isPing =
      hasParams && method === this.config.side.revision.wellKnown.ping;
    const reply = isPing ? { result: {} } : { error: { code, message } };
    this.connection.send({ jsonrpc: "2.0", id, ...reply }, { inReplyTo: id });
  }

  call(
    row: RequestRow,
    params: Params,
    options: RequestOptions,
  ): Promise<unknown> {
    // The program may change the params while it waits.
    const expected = augmentedRow(row, params);
    const accept = (_: string, result: JsonObject): JsonObject =>
      this.read(expected, result);
    const send = (own = options): Promise<unknown> =>
      this.send(row, params, own, undefined, accept);
    const { renewal } = this.connection.transport;
    return renewal
      ? renewal.call(row.method, params, send, () => this.#reopen())
      : send();
  }

  /**
   * Opens a new session after the server lost the old one (SESS-06); requests
   * of the old one are aborted (SESS-09).
   */
  #reopen(): Promise<void> {
    this.#dispatcher?.closed(new TransportError("The session has ended."));
    return this.open([this.config]);
  }

  protected cancelled(id: unknown, reason: unknown): void {
    this.#dispatcher?.cancel(id, reason);
  }

  /**
   * Sends `initialize`, which is never cancelled (CANC-02). If it fails, the
   * caller closes the connection.
   */
  async #initialize(): Promise<JsonObject> {
    const { side, info, capabilities } = this.config;
    this.connection.transport.useRevision?.(side.revision, false);
    const params = {
      protocolVersion: this.revision,
      capabilities,
      clientInfo: info,
    };
    return (await this.send(this.#opening, params, {})) as JsonObject;
  }

  /** The row of `initialize`. */
  get #opening(): RequestRow {
    const { outgoingRequests, revision } = this.config.side;
    return outgoingRequests[
      String(revision.wellKnown.initialize)
    ] as RequestRow;
  }
}
