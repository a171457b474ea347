import { isMcpError, TransportError } from "../errors.js";
import { warn } from "../report.js";
import { answering, checkResult, unknown } from "./check.js";
import { ClientSideSession } from "./client-side.js";
import { type RequestHandler, RequestDispatcher } from "../jsonrpc/dispatcher.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import { getOwn, isObject, type JsonObject, type Params } from "../message.js";
import type { OutgoingRequest } from "../tables.js";
import type { ClientSessionConfig } from "./config.js";

/** A client of a revision that opens with a handshake. */
export function legacyClient(
  configs: readonly ClientSessionConfig[],
  connection: Connection,
): ClientSideSession {
  return new LegacyClient(configs, connection);
}

class LegacyClient extends ClientSideSession {
  #dispatcher: RequestDispatcher | undefined;

  open(timeout?: number): Promise<void> {
    return this.#open(this.configs, timeout);
  }

  /** LIFE-01: the handshake, then LIFE-03: word that it is done. */
  async #open(configs: readonly ClientSessionConfig[], timeout?: number): Promise<void> {
    const { connection } = this;
    const { wellKnown } = this.config.side.revision;
    // PING-01
    const answer: RequestHandler = (message, exchange) =>
      message.method === wellKnown.ping ? {} : this.answer(message, exchange);
    this.#dispatcher = new RequestDispatcher(
      connection,
      answer,
      this.config.settings.limits?.inFlight ?? 256,
    );
    const result = await this.#initialize(timeout).catch((error: unknown) => {
      // VERS-02: some servers refuse where they should make a counter-offer.
      const config =
        isMcpError(error) && isObject(error.data) ? this.configOf(error.data["supported"]) : undefined;
      if (!config || config === this.config) throw error;
      this.config = config;
      return this.#initialize(timeout);
    });
    const { protocolVersion, serverInfo, capabilities, instructions } = result;
    const config = this.configOf([protocolVersion]);
    // VERS-03: whoever opened the connection closes it.
    if (!config || !configs.includes(config)) throw this.noSharedRevision(protocolVersion);
    this.config = config;
    const { side } = config;
    checkResult(
      side,
      side.outgoingRequests[String(side.revision.wellKnown.initialize)] as OutgoingRequest,
      result,
    );
    connection.adopt(side.revision);
    connection.transport.binding?.useRevision?.(side.revision, true);
    this.server = { info: serverInfo, capabilities, instructions } as ClientSideSession["server"];
    if (wellKnown.initialized) await connection.notify(wellKnown.initialized, undefined);
  }

  call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown> {
    const asked = answering(row, params);
    const { side } = this.config;
    const accept =
      asked === row
        ? this.#accept
        : (_: string, result: JsonObject): JsonObject => checkResult(side, asked, result);
    const send = (): Promise<unknown> => this.send(row, params, options, undefined, accept);
    const { renewal } = this.connection.transport.binding ?? {};
    return renewal ? renewal.call(send, () => this.#renew()) : send();
  }

  /** SESS-06, SESS-09: what belonged to the old session is gone. */
  async #renew(): Promise<void> {
    const { connection, config } = this;
    this.#dispatcher?.closed(new TransportError("The session is over."));
    try {
      await this.#open([config]);
      warn(
        config.settings,
        "The server has forgotten the session. A new one was opened; subscriptions and log levels have to be set again.",
      );
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  #accept = (method: string, result: JsonObject): JsonObject => {
    const { side } = this.config;
    return checkResult(side, side.outgoingRequests[method] as OutgoingRequest, result);
  };

  protected cancelled(id: unknown, reason: unknown): void {
    this.#dispatcher?.cancel(id, reason);
  }

  /** CANC-02: never cancelled; whoever opened the connection closes it when this fails. */
  async #initialize(timeout: number | undefined): Promise<JsonObject> {
    const { side, info, capabilities } = this.config;
    const { wellKnown, revision } = side.revision;
    const row = getOwn(side.outgoingRequests, wellKnown.initialize);
    if (!row) throw unknown(side, "handshake");
    this.connection.transport.binding?.useRevision?.(side.revision, false);
    const params = { protocolVersion: revision, capabilities, clientInfo: info };
    return (await this.send(row, params, { timeout })) as JsonObject;
  }
}
