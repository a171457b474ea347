import { invalidAt, isMcpError, RefusedError, TimeoutError } from "../errors.js";
import { either } from "../timing.js";
import { warn } from "../report.js";
import { declares } from "./capabilities.js";
import { checkResult, invalid, members, unknown } from "./check.js";
import { ClientSideSession } from "./client-side.js";
import { metaOf } from "./meta.js";
import type { CallerOptions, RequestOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import { getOwn, isObject, type JsonObject, type Params, type RequestId } from "../message.js";
import type { NotificationFacts, OutgoingRequest } from "../tables.js";
import type { AskForCache, ClientSessionConfig, Follow, Handler, ResponseCache } from "./config.js";
import { fulfil } from "./fulfil.js";
import { listen } from "./listen.js";

/** A client of a revision whose every request says for itself what it needs to be understood. */
export function modernClient(
  configs: readonly ClientSessionConfig[],
  connection: Connection,
): ClientSideSession {
  return new ModernClient(configs, connection);
}

// JRPC-13, JRPC-14: it has no answerer, so that nothing which the server asks on the wire is answered.
class ModernClient extends ClientSideSession {
  /** VERS-06, META-03: what every request says of this client. */
  #meta: JsonObject = {};
  readonly #cache: ResponseCache | undefined;

  constructor(configs: readonly ClientSessionConfig[], connection: Connection) {
    super(configs, connection);
    this.#cache = this.config.settings.cache?.();
    const renew = (): void => this.#cache?.renewed();
    connection.onRenewed = renew;
  }

  /** COMPAT-01, COMPAT-11: asks what the server speaks before anything else, so that an old server is found out. */
  async open(timeout?: number): Promise<void> {
    const tries = new Map<ClientSessionConfig, number>();
    for (let config: ClientSessionConfig | undefined = this.config; ;) {
      this.config = config;
      tries.set(config, (tries.get(config) ?? 0) + 1);
      const { side, info, capabilities } = config;
      const { revision, errors, wellKnown, meta } = side.revision;
      this.#meta = members(
        [meta.protocolVersion, revision],
        [meta.clientInfo, info],
        [meta.clientCapabilities, capabilities],
      );
      this.connection.transport.binding?.useRevision?.(side.revision, true);
      const row = getOwn(side.outgoingRequests, wellKnown.discover);
      if (!row) return;
      let refused: unknown;
      const result = (await this.call(row, undefined, { timeout }).catch((error: unknown) => {
        refused = error;
        if (isMcpError(error) && error.code === errors["UNSUPPORTED_PROTOCOL_VERSION"]) return error.data;
        throw error;
      })) as JsonObject;
      const listed = isObject(result) ? (result["supportedVersions"] ?? result["supported"]) : undefined;
      const supported: readonly unknown[] = Array.isArray(listed) ? listed : [];
      if (!refused && supported.includes(revision)) {
        const { capabilities, instructions } = result;
        const info = getOwn(metaOf(result), meta.serverInfo);
        this.server = { info, capabilities, instructions } as ClientSideSession["server"];
        return this.connection.adopt(side.revision);
      }
      // VERS-08, VERS-10: a version that the server lists is worth one more try, even the one it has just refused.
      const most = refused ? 2 : 1;
      config = this.configs.find((one) => {
        return supported.includes(one.side.revision.revision) && (tries.get(one) ?? 0) < most;
      });
      if (!config) throw refused ?? this.noSharedRevision(supported);
    }
  }

  call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown> {
    const { facts } = row;
    const { side } = this.config;
    if (facts.method === side.revision.wellKnown.listen) {
      const open = (options: RequestOptions): Promise<unknown> => this.#round(row, params, options);
      const missed = (): void => this.#cache?.clear();
      return listen({ config: this.config, gone: this.connection.gone, open, missed }, params, options);
    }
    const { binding } = this.connection.transport;
    if (facts.cacheable && this.#cache) {
      const { timeout = this.config.settings.timeout ?? 60_000, signal } = options;
      const asking = { caller: binding?.caller?.(), timeout, signal };
      const ask: AskForCache = (keep, caller) => this.#round(row, params, { ...options, caller }, keep);
      return this.#cache.call(facts, params, ask, asking);
    }
    const { headerPolicy } = binding ?? {};
    if (!headerPolicy) return this.#round(row, params, options);
    const { signal, timeout } = options;
    return headerPolicy.call(side, row, params, (asked, params) =>
      this.#round(asked, params, asked === row ? options : { signal, timeout }),
    );
  }

  /** MRTR-07: each round is a request of its own. MRTR-08: what answers this call goes into no other. */
  #round(
    row: OutgoingRequest,
    params: Params,
    options: CallerOptions,
    keep?: (result: JsonObject) => void,
    answers?: JsonObject,
    round = 1,
  ): Promise<unknown> {
    const { side, settings } = this.config;
    const { rounds = 8 } = settings.limits ?? {};
    const given = answers ? { ...params, ...answers } : params;
    return this.send(row, given, options, this.#meta, (method, result) => {
      const what = `${method} result`;
      const type = result["resultType"] ?? "complete";
      if (type === "complete") {
        const complete = this.#learned(row, checkResult(side, row, filled(row, result)));
        keep?.(complete);
        return complete;
      }
      // XTASK-02
      const follow = getOwn(this.config.follow, String(type));
      const extension = getOwn(row.facts.variants ?? {}, String(type));
      if (follow && extension && declares(this.config.capabilities, extension)) {
        if (!getOwn(row.variants ?? {}, String(type))?.(result)) throw invalid(what, side, result);
        return this.#follow(follow, result, options).then((value) =>
          checkResult(side, row, filled(row, value as JsonObject)),
        );
      }
      // JRPC-10
      if (type !== "input_required" || !row.input) {
        const message = `resultType: unexpected ${JSON.stringify(type)}`;
        throw invalidAt(what, message, ["resultType"]);
      }
      if (!row.input(result)) throw invalid(what, side, result);
      // MRTR-14
      if (round > rounds) {
        throw new RefusedError("rounds", `${what}: asked for input more than ${rounds} times.`);
      }
      // MRTR-16: what comes of answers is not kept.
      return this.#fulfil(what, result, options.signal, round).then((answers) =>
        this.#round(row, params, { ...options, caller: undefined }, undefined, answers, round + 1),
      );
    });
  }

  /** Only a limit in all that the caller set himself holds here: what goes on after its answer may well be long. */
  async #follow(follow: Follow, first: JsonObject, { signal, maxTimeout }: RequestOptions): Promise<unknown> {
    const { side } = this.config;
    const late = new AbortController();
    const stop = either(signal, late.signal);
    const end = (): void => late.abort(new TimeoutError(`There was no answer within ${maxTimeout} ms.`));
    const timer = Number.isFinite(maxTimeout) ? setTimeout(end, maxTimeout) : undefined;
    try {
      return await follow(first, {
        signal: stop,
        ask: async (method, params, signal) => {
          const row = getOwn(side.outgoingRequests, method);
          if (!row) throw unknown(side, String(method));
          return (await this.#round(row, params, { signal })) as JsonObject;
        },
        answer: async (inputRequests) => {
          const { inputResponses } = await this.#fulfil("inputRequests", { inputRequests }, stop, 1);
          return inputResponses as JsonObject;
        },
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #learned({ facts }: OutgoingRequest, result: JsonObject): JsonObject {
    const { side, settings } = this.config;
    const refuse = (reason: string): void => warn(settings, reason);
    return (
      this.connection.transport.binding?.headerPolicy?.learn(side.revision, facts, result, refuse) ?? result
    );
  }

  #fulfil(
    what: string,
    asked: JsonObject,
    signal: AbortSignal | undefined,
    round: number,
  ): Promise<JsonObject> {
    return fulfil(what, asked, signal, round, (request, exchange) => this.answer(request, exchange));
  }

  protected override handleNotification(
    facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    const { wellKnown, meta } = this.config.side.revision;
    const id = getOwn(metaOf(params), meta.subscriptionId);
    const call = this.connection.calls.get(id as RequestId);
    // STDIO-13: the id alone says which stream a notification belongs to; one that belongs to none has no effect.
    const isOfStream =
      facts.filter !== undefined || facts.method === wellKnown.acknowledged || id !== undefined;
    if (isOfStream && (!call || call.method !== wellKnown.listen)) return;
    this.#cache?.announced(facts, params);
    call?.options.onNotice?.(facts.method, params ?? {});
    super.handleNotification(facts, params, handler);
  }

  /** CANC-08: a server only ends streams this way; any other id is ignored. */
  protected cancelled(id: unknown): void {
    const { wellKnown, meta } = this.config.side.revision;
    const { calls } = this.connection;
    if (wellKnown.listen === undefined || calls.get(id as RequestId)?.method !== wellKnown.listen) return;
    const _meta = members([meta.subscriptionId, id]);
    calls.settle(id as RequestId, { resultType: "complete", _meta });
  }

  /** JRPC-17: what is wrong with a question inside a result is found here, and not told by the peer. */
  protected override refusal(_name: string, message: string): Error {
    return new RefusedError("capability", message);
  }
}

/** Older servers leave out what this revision requires; CACHE-03: a time to live that makes no sense is none. */
function filled({ facts }: OutgoingRequest, result: JsonObject): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const member in facts.fills) {
    const [given, value] = [result[member], facts.fills[member]];
    if (given === undefined || (typeof given === "number" && typeof value === "number" && given < value)) {
      copy ??= { ...result };
      copy[member] = value;
    }
  }
  return copy ?? result;
}
