import {
  type Answer,
  Answers,
  BaseClientLink,
  checkDeclared,
  checkResult,
  type ClientHost,
  type ClientLink,
  type Connection,
  isMcpError,
  isObject,
  type JsonObject,
  metaOf,
  type OutgoingRequest,
  own,
  RefusedError,
  type RequestOptions,
  unknown,
} from "../index.js";

/** A client of a revision that opens with a handshake. */
export function legacyClient(hosts: readonly ClientHost[], connection: Connection): ClientLink {
  return new LegacyClient(hosts, connection);
}

class LegacyClient extends BaseClientLink {
  #answers: Answers | undefined;

  /** LIFE-01: the handshake, then LIFE-03: word that it is done. */
  override async open(timeout?: number): Promise<void> {
    await super.open();
    const { jobs } = this.host.side.revision;
    // PING-01
    const answer: Answer = (message, exchange) =>
      message.method === jobs.ping ? {} : this.answer(message, exchange);
    this.#answers = new Answers(this.connection, answer);
    let result: JsonObject;
    try {
      result = await this.#initialize(timeout);
    } catch (error) {
      // VERS-02: some servers refuse where they should make a counter-offer.
      const offered = isMcpError(error) && isObject(error.data) ? error.data["supported"] : undefined;
      const other = Array.isArray(offered) ? this.#hostOf(offered) : undefined;
      if (!other || other === this.host) throw error;
      this.host = other;
      result = await this.#initialize(timeout);
    }
    const version = result["protocolVersion"];
    const host = this.#hostOf([version]);
    if (!host) {
      // VERS-03: whoever opened the connection closes it.
      const ours = this.hosts.map(({ side }) => side.revision.revision).join(", ");
      throw new RefusedError("revision", `The server speaks ${String(version)}; this client speaks ${ours}.`);
    }
    this.host = host;
    const { revision, sends } = host.side;
    checkResult(host.side, sends[revision.jobs.initialize as string] as OutgoingRequest, result);
    this.connection.adopt(revision);
    this.server = {
      info: result["serverInfo"] as JsonObject,
      capabilities: result["capabilities"] as JsonObject,
      instructions: result["instructions"] as string | undefined,
    };
    if (revision.jobs.initialized) await this.connection.notify(revision.jobs.initialized, undefined);
  }

  /** An answer of any kind to a handshake says that handshakes are known here. */
  conclusive(): boolean {
    return true;
  }

  call(row: OutgoingRequest, params: JsonObject | undefined, options: RequestOptions): Promise<unknown> {
    checkDeclared(row.facts, params, this.server.capabilities, "server");
    const id = this.connection.nextId();
    const token = this.tokenOf(id, params, options);
    const sent =
      token === undefined
        ? params
        : {
            ...params,
            _meta: { ...metaOf(params), [this.host.side.revision.meta.progressToken as string]: token },
          };
    return this.connection
      .call(id, row.facts.method, sent, this.callOptions(row, options, token))
      .then((result) => checkResult(this.host.side, row, result));
  }

  protected cancelled(id: unknown, reason: unknown): void {
    this.#answers?.cancel(id, reason);
  }

  #initialize(timeout?: number): Promise<JsonObject> {
    const { side, info, capabilities, settings } = this.host;
    const { jobs, revision } = side.revision;
    const row = own(side.sends, jobs.initialize);
    if (!row) throw unknown(side, "handshake");
    const id = this.connection.nextId();
    const limit = timeout ?? settings.timeout ?? 60_000;
    // CANC-02: never cancelled; whoever opened the connection closes it when this fails.
    return this.connection.call(
      id,
      row.facts.method,
      { protocolVersion: revision, capabilities, clientInfo: info },
      { timeout: limit, maxTimeout: limit },
    ) as Promise<JsonObject>;
  }

  /** VERS-04: versions are compared for equality and nothing else. */
  #hostOf(versions: readonly unknown[]): ClientHost | undefined {
    return this.hosts.find(({ side }) => versions.includes(side.revision.revision));
  }
}
