import { isMcpError, TransportError } from "../errors.js";
import { warn } from "../report.js";
import { answering, checkResult, unknown } from "./check.js";
import { ClientLink } from "./client-link.js";
import { type Answer, Answers } from "../jsonrpc/answers.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import { getOwn, isObject, type JsonObject, type Params } from "../message.js";
import type { OutgoingRequest } from "../tables.js";
import type { ClientHost } from "./host.js";

/** A client of a revision that opens with a handshake. */
export function legacyClient(hosts: readonly ClientHost[], connection: Connection): ClientLink {
  return new LegacyClient(hosts, connection);
}

class LegacyClient extends ClientLink {
  #answers: Answers | undefined;

  open(timeout?: number): Promise<void> {
    return this.#open(this.hosts, timeout);
  }

  /** LIFE-01: the handshake, then LIFE-03: word that it is done. */
  async #open(hosts: readonly ClientHost[], timeout?: number): Promise<void> {
    const { connection } = this;
    const { wellKnown } = this.host.side.revision;
    // PING-01
    const answer: Answer = (message, exchange) =>
      message.method === wellKnown.ping ? {} : this.answer(message, exchange);
    this.#answers = new Answers(connection, answer, this.host.settings.limits?.inFlight ?? 256);
    const result = await this.#initialize(timeout).catch((error: unknown) => {
      // VERS-02: some servers refuse where they should make a counter-offer.
      const host =
        isMcpError(error) && isObject(error.data) ? this.hostOf(error.data["supported"]) : undefined;
      if (!host || host === this.host) throw error;
      this.host = host;
      return this.#initialize(timeout);
    });
    const { protocolVersion, serverInfo, capabilities, instructions } = result;
    const host = this.hostOf([protocolVersion]);
    // VERS-03: whoever opened the connection closes it.
    if (!host || !hosts.includes(host)) throw this.noneOf(protocolVersion);
    this.host = host;
    const { side } = host;
    checkResult(
      side,
      side.outgoingRequests[String(side.revision.wellKnown.initialize)] as OutgoingRequest,
      result,
    );
    connection.adopt(side.revision);
    connection.transport.speak?.(side.revision, true);
    this.server = { info: serverInfo, capabilities, instructions } as ClientLink["server"];
    if (wellKnown.initialized) await connection.notify(wellKnown.initialized, undefined);
  }

  call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown> {
    const asked = answering(row, params);
    const { side } = this.host;
    const accept =
      asked === row
        ? this.#accept
        : (_: string, result: JsonObject): JsonObject => checkResult(side, asked, result);
    const send = (): Promise<unknown> => this.send(row, params, options, undefined, accept);
    const { renewal } = this.connection.transport;
    return renewal ? renewal.call(send, () => this.#renew()) : send();
  }

  /** SESS-06, SESS-09: what belonged to the old session is gone. */
  async #renew(): Promise<void> {
    const { connection, host } = this;
    this.#answers?.closed(new TransportError("The session is over."));
    try {
      await this.#open([host]);
      warn(
        host.settings,
        "The server has forgotten the session. A new one was opened; subscriptions and log levels have to be set again.",
      );
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  #accept = (method: string, result: JsonObject): JsonObject => {
    const { side } = this.host;
    return checkResult(side, side.outgoingRequests[method] as OutgoingRequest, result);
  };

  protected cancelled(id: unknown, reason: unknown): void {
    this.#answers?.cancel(id, reason);
  }

  /** CANC-02: never cancelled; whoever opened the connection closes it when this fails. */
  async #initialize(timeout: number | undefined): Promise<JsonObject> {
    const { side, info, capabilities } = this.host;
    const { wellKnown, revision } = side.revision;
    const row = getOwn(side.outgoingRequests, wellKnown.initialize);
    if (!row) throw unknown(side, "handshake");
    this.connection.transport.speak?.(side.revision, false);
    const params = { protocolVersion: revision, capabilities, clientInfo: info };
    return (await this.send(row, params, { timeout })) as JsonObject;
  }
}
