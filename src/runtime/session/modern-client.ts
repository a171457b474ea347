import {
  BaseClientLink,
  checkDeclared,
  checkResult,
  type ClientHost,
  type ClientLink,
  type Connection,
  Exchange,
  invalid,
  isMcpError,
  isObject,
  jsonRpcCodes,
  type JsonObject,
  metaOf,
  type OutgoingRequest,
  own,
  RefusedError,
  type RequestId,
  type RequestOptions,
  ValidationError,
  type WireRequest,
} from "../index.js";

/** A client of a revision whose every request says for itself what it needs to be understood. */
export function modernClient(hosts: readonly ClientHost[], connection: Connection): ClientLink {
  return new ModernClient(hosts, connection);
}

class ModernClient extends BaseClientLink {
  /** What every request says of this client, made once for each revision that is tried. */
  #basis: { readonly host: ClientHost; readonly meta: JsonObject } | undefined;

  /** COMPAT-01, COMPAT-11: asks what the server speaks before anything else, so that an old server is found out. */
  override async open(timeout?: number): Promise<void> {
    // JRPC-13, JRPC-14: without an answerer, nothing that the server asks on the wire is answered.
    await super.open();
    const tried: string[] = [];
    for (;;) {
      const { revision, errors, jobs } = this.host.side.revision;
      tried.push(revision);
      let supported: unknown;
      try {
        const row = own(this.host.side.sends, jobs.discover);
        if (!row) return;
        const result = (await this.call(row, undefined, { timeout, maxTimeout: timeout })) as JsonObject;
        supported = result["supportedVersions"];
        this.server = {
          info: metaOf(result)[this.host.side.revision.meta.serverInfo as string] as JsonObject | undefined,
          capabilities: result["capabilities"] as JsonObject,
          instructions: result["instructions"] as string | undefined,
        };
        if ((supported as string[]).includes(revision)) return this.connection.adopt(this.host.side.revision);
      } catch (error) {
        if (!isMcpError(error) || error.code !== errors["UNSUPPORTED_PROTOCOL_VERSION"]) throw error;
        supported = isObject(error.data) ? error.data["supported"] : undefined;
        // VERS-08, VERS-10: a version that the server lists is worth one more try, even the one it has just refused.
        if (!this.#choose(supported, tried, 2)) throw error;
        continue;
      }
      if (!this.#choose(supported, tried, 1)) throw refusal(supported, this.hosts);
    }
  }

  /** COMPAT-02: an error that only this era knows. */
  conclusive(error: unknown): boolean {
    if (!isMcpError(error)) return false;
    const known: readonly number[] = Object.values(jsonRpcCodes);
    return (
      this.hosts.some(({ side }) => Object.values(side.revision.errors).includes(error.code)) &&
      !known.includes(error.code)
    );
  }

  async call(
    row: OutgoingRequest,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<unknown> {
    const { side, settings } = this.host;
    const { facts } = row;
    if (facts.method !== side.revision.jobs.discover) {
      checkDeclared(facts, params, this.server.capabilities, "server");
    }
    const { maxRounds = 8 } = settings;
    let given = params;
    for (let round = 1; ; round++) {
      // MRTR-07: each round is a request of its own.
      const id = this.connection.nextId();
      const token = this.tokenOf(id, params, options);
      const _meta = this.#meta(params, token);
      // Named members first, then one copy: several times as fast as the other way round.
      const sent = params?.["_meta"] === undefined ? { _meta, ...given } : { ...given, _meta };
      const answer = this.connection.call(id, facts.method, sent, this.callOptions(row, options, token));
      const result = (await answer) as JsonObject;
      const type = result["resultType"] ?? "complete";
      if (type === "complete") return checkResult(side, row, filled(row, result));
      // JRPC-10
      if (type !== "input_required" || !row.input) {
        throw new ValidationError(`${facts.method} result: resultType: unexpected ${JSON.stringify(type)}`, [
          { message: "unexpected", path: ["resultType"] },
        ]);
      }
      if (!row.input(result)) throw invalid(`${facts.method} result`, side, result);
      // MRTR-14
      if (round > maxRounds) {
        throw new RefusedError(
          "rounds",
          `${facts.method}: the server asked for input more than ${maxRounds} times.`,
        );
      }
      // MRTR-08: what answers this call goes into no other.
      given = { ...params, ...(await this.#fulfil(facts.method, result, options, round)) };
    }
  }

  /** CANC-08: a server only ends streams this way; any other id is ignored. */
  protected cancelled(id: unknown): void {
    const { jobs, meta } = this.host.side.revision;
    if (this.connection.waiting(id as RequestId) !== jobs.listen || jobs.listen === undefined) return;
    const _meta = meta.subscriptionId === undefined ? {} : { [meta.subscriptionId]: id };
    this.connection.settle(id as RequestId, { resultType: "complete", _meta });
  }

  protected override cancel = (id: RequestId, reason: string): void => {
    const { transport } = this.connection;
    // CANC-07
    if (transport.cancel) return transport.cancel(id);
    const { cancelled } = this.host.side.revision.jobs;
    if (cancelled) this.connection.notify(cancelled, { requestId: id, reason }).catch(() => {});
  };

  /** JRPC-17: what is wrong with a question inside a result is found here, and not told by the peer. */
  protected override refusal(_code: number, message: string): Error {
    return new RefusedError("capability", message);
  }

  /** VERS-06, META-03 */
  #meta(params: JsonObject | undefined, token: RequestId | undefined): JsonObject {
    const { side, info, capabilities } = this.host;
    const {
      progressToken = "",
      protocolVersion = "",
      clientInfo = "",
      clientCapabilities = "",
    } = side.revision.meta;
    if (this.#basis?.host !== this.host) {
      const meta = {
        [protocolVersion]: side.revision.revision,
        [clientInfo]: info,
        [clientCapabilities]: capabilities,
      };
      this.#basis = { host: this.host, meta };
    }
    const { meta } = this.#basis;
    if (token === undefined && params?.["_meta"] === undefined) return meta;
    return { ...metaOf(params), ...meta, ...(token !== undefined && { [progressToken]: token }) };
  }

  /** MRTR-05, MRTR-06, MRTR-08: all answers under the keys of their questions, and the state as it came. */
  async #fulfil(
    method: string,
    result: JsonObject,
    options: RequestOptions,
    round: number,
  ): Promise<JsonObject> {
    const { inputRequests, requestState } = result as { inputRequests?: JsonObject; requestState?: string };
    const next: Record<string, unknown> = {};
    if (requestState !== undefined) next["requestState"] = requestState;
    if (inputRequests === undefined) {
      // MRTR-02
      if (requestState === undefined) {
        throw new ValidationError(`${method} result: expected inputRequests or requestState`, []);
      }
      // MRTR-09
      await pause(Math.min(50 * 2 ** round, 5000), options.signal);
      return next;
    }
    const done = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, done.signal]) : done.signal;
    try {
      const answers = Object.entries(inputRequests).map(async ([key, request]) => {
        const exchange = new Exchange(key, undefined);
        signal.addEventListener("abort", () => exchange.abort(signal.reason), { once: true });
        return [key, await this.answer(request as WireRequest, exchange)] as const;
      });
      next["inputResponses"] = Object.fromEntries(await unlessAborted(Promise.all(answers), options.signal));
      return next;
    } finally {
      // MRTR-15: when one of them fails, no retry is sent and the others need not go on.
      done.abort(new DOMException("The call is over.", "AbortError"));
    }
  }

  #choose(supported: unknown, tried: readonly string[], times: number): boolean {
    if (!Array.isArray(supported)) return false;
    const fits = ({ side }: ClientHost): boolean => {
      const { revision } = side.revision;
      return supported.includes(revision) && tried.filter((one) => one === revision).length < times;
    };
    const host = this.hosts.find(fits);
    if (host) this.host = host;
    return host !== undefined;
  }
}

/** Older servers leave out what this revision requires; CACHE-03: a time to live that makes no sense is none. */
function filled(row: OutgoingRequest, result: JsonObject): JsonObject {
  const { fills } = row.facts;
  const wants = (member: string): boolean => {
    const [given, value] = [result[member], fills?.[member]];
    return given === undefined || (typeof given === "number" && typeof value === "number" && given < value);
  };
  for (const member in fills) {
    if (wants(member))
      return { ...result, ...Object.fromEntries(Object.entries(fills).filter(([name]) => wants(name))) };
  }
  return result;
}

function refusal(supported: unknown, hosts: readonly ClientHost[]): RefusedError {
  const ours = hosts.map(({ side }) => side.revision.revision).join(", ");
  const theirs = Array.isArray(supported) ? supported.join(", ") : "nothing known";
  return new RefusedError("revision", `The server speaks ${theirs}; this client speaks ${ours}.`, {
    cause: { supported },
  });
}

function pause(time: number, signal: AbortSignal | undefined): Promise<void> {
  return unlessAborted(new Promise((resolve) => setTimeout(resolve, time)), signal);
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
