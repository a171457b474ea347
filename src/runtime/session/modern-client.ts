import { Cache } from "./cache.js";
import {
  BaseClientLink,
  checkResult,
  declares,
  type Follow,
  unknown,
  type ClientHost,
  type ClientLink,
  type Connection,
  Exchange,
  invalid,
  isMcpError,
  isObject,
  type JsonObject,
  members,
  metaOf,
  type NotificationFacts,
  type OutgoingRequest,
  own,
  RefusedError,
  type RequestFacts,
  type RequestId,
  type RequestOptions,
  TimeoutError,
  ValidationError,
  type WireRequest,
  either,
} from "../index.js";

/** Most pages of a list that are read for the sake of one call. */
const maxPages = 100;

/** A client of a revision whose every request says for itself what it needs to be understood. */
export function modernClient(hosts: readonly ClientHost[], connection: Connection): ClientLink {
  return new ModernClient(hosts, connection);
}

// JRPC-13, JRPC-14: it has no answerer, so that nothing which the server asks on the wire is answered.
class ModernClient extends BaseClientLink {
  /** VERS-06, META-03: what every request says of this client. */
  #meta: JsonObject = {};
  readonly #cache: Cache | undefined;

  constructor(hosts: readonly ClientHost[], connection: Connection) {
    super(hosts, connection);
    const { cache } = this.host.settings;
    if (!cache) return;
    const kept = new Cache(cache === true ? {} : cache);
    this.#cache = kept;
    connection.onRenewed = () => kept.renewed();
  }

  /** COMPAT-01, COMPAT-11: asks what the server speaks before anything else, so that an old server is found out. */
  async open(timeout?: number): Promise<void> {
    const tries = new Map<ClientHost, number>();
    for (let host: ClientHost | undefined = this.host; ;) {
      this.host = host;
      tries.set(host, (tries.get(host) ?? 0) + 1);
      const { side, info, capabilities } = host;
      const { revision, errors, jobs, meta } = side.revision;
      this.#meta = members(
        [meta.protocolVersion, revision],
        [meta.clientInfo, info],
        [meta.clientCapabilities, capabilities],
      );
      this.connection.transport.speak?.(side.revision, true);
      const row = own(side.sends, jobs.discover);
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
        const info = own(metaOf(result), meta.serverInfo);
        this.server = { info, capabilities, instructions } as ClientLink["server"];
        return this.connection.adopt(side.revision);
      }
      // VERS-08, VERS-10: a version that the server lists is worth one more try, even the one it has just refused.
      const most = refused ? 2 : 1;
      host = this.hosts.find((one) => {
        return supported.includes(one.side.revision.revision) && (tries.get(one) ?? 0) < most;
      });
      if (!host) throw refused ?? this.noneOf(supported);
    }
  }

  call(row: OutgoingRequest, params: JsonObject | undefined, options: RequestOptions): Promise<unknown> {
    const { method, cacheable, items } = row.facts;
    const cache = cacheable && this.#cache;
    const kept = cache && cache.read(method, params);
    if (kept) return Promise.resolve(kept);
    const { jobs, headers } = this.host.side.revision;
    if (method === jobs.listen)
      return this.#round(row, params, undefined, this.#listening(params, options), 1);
    const call = this.#round(row, params, undefined, options, 1);
    if (cache && items !== undefined) {
      return call.catch((error: unknown) => {
        // CACHE-07: a page that is gone tells of a list that has changed.
        if (isMcpError(error) && params?.["cursor"] !== undefined) cache.drop(method);
        throw error;
      });
    }
    const isMirrored = headers.param !== undefined && this.connection.transport.mirroring;
    if (!isMirrored || method !== jobs.callTool) return call;
    return call.catch(async (error: unknown) => {
      if (!isMcpError(error) || error.code !== this.host.side.revision.errors["HEADER_MISMATCH"]) throw error;
      await this.#relearn(params?.["name"], options);
      return this.#round(row, params, undefined, options, 1);
    });
  }

  /** SUBS-11: warns of what was asked for and will not be told. */
  #listening(params: JsonObject | undefined, options: RequestOptions): RequestOptions {
    const { acknowledged } = this.host.side.revision.jobs;
    const asked = params?.["notifications"];
    const compare = (granted: unknown): void => {
      for (const [name, wanted] of Object.entries(isObject(asked) ? asked : {})) {
        const given = isObject(granted) ? granted[name] : undefined;
        if (wanted === false || JSON.stringify(given) === JSON.stringify(wanted)) continue;
        const text = `The server tells ${JSON.stringify(given ?? false)} of ${name}, where ${JSON.stringify(wanted)} was asked for.`;
        this.host.settings.onWarning?.(text);
      }
    };
    const onNotice = (method: string, told: JsonObject): void => {
      if (method === acknowledged) compare(told["notifications"]);
      options.onNotice?.(method, told);
    };
    return { ...options, onNotice };
  }

  /** HDR-01, HDR-02, HDR-03, HDR-06: the transport adds the version. */
  protected override headers(
    facts: RequestFacts | NotificationFacts,
    params: JsonObject = {},
  ): Readonly<Record<string, string>> {
    const { headers: names, jobs } = this.host.side.revision;
    const { method } = facts;
    const subject = facts.kind === "request" && facts.header !== undefined ? params[facts.header] : undefined;
    const headers: Record<string, string> = {};
    if (names.method !== undefined) headers[names.method] = method;
    if (names.name !== undefined && typeof subject === "string") headers[names.name] = subject;
    const { mirroring } = this.connection.transport;
    if (names.param === undefined || method !== jobs.callTool || !mirroring) return headers;
    return Object.assign(headers, mirroring.headers(names.param, params));
  }

  /** HDR-11: takes from a list what may not be called over this carrier. */
  #learned({ facts }: OutgoingRequest, result: JsonObject): JsonObject {
    const { jobs, headers } = this.host.side.revision;
    const { mirroring } = this.connection.transport;
    const { items, method } = facts;
    if (!mirroring || headers.param === undefined || items === undefined || method !== jobs.listTools)
      return result;
    const all = result[items] as readonly unknown[];
    const kept = mirroring.learn(all, (reason) => this.host.settings.onWarning?.(reason));
    return kept.length === all.length ? result : { ...result, [items]: kept };
  }

  /** HDR-13: reads the list anew, as far as the tool. */
  async #relearn(name: unknown, options: RequestOptions): Promise<void> {
    const { side } = this.host;
    const row = own(side.sends, side.revision.jobs.listTools);
    const { items } = row?.facts ?? {};
    if (!row || items === undefined) return;
    const { signal, timeout } = options;
    let cursor: unknown;
    for (let pages = 0; pages < maxPages; pages++) {
      const params = cursor === undefined ? undefined : { cursor };
      const page = (await this.#round(row, params, undefined, { signal, timeout }, 1)) as JsonObject;
      const tools = page[items] as readonly unknown[];
      if (tools.some((tool) => isObject(tool) && tool["name"] === name)) return;
      cursor = page["nextCursor"];
      if (cursor === undefined) return;
    }
  }

  /** MRTR-07: each round is a request of its own. MRTR-08: what answers this call goes into no other. */
  #round(
    row: OutgoingRequest,
    params: JsonObject | undefined,
    answers: JsonObject | undefined,
    options: RequestOptions,
    round: number,
  ): Promise<unknown> {
    const { side, settings } = this.host;
    const { maxRounds = 8 } = settings;
    const given = answers ? { ...params, ...answers } : params;
    const stamp = this.#cache?.stamp;
    return this.send(row, given, options, this.#meta, (method, result) => {
      const what = `${method} result`;
      const type = result["resultType"] ?? "complete";
      if (type === "complete") {
        const complete = this.#learned(row, checkResult(side, row, filled(row, result)));
        // MRTR-16
        if (row.facts.cacheable && round === 1) this.#cache?.write(method, params, complete, stamp);
        return complete;
      }
      // XTASK-02
      const follow = own(this.host.follow, String(type));
      const extension = own(row.facts.variants ?? {}, String(type));
      if (follow && extension && declares(this.host.capabilities, extension)) {
        if (!own(row.variants ?? {}, String(type))?.(result)) throw invalid(what, side, result);
        return this.#follow(follow, result, options).then((value) =>
          checkResult(side, row, filled(row, value as JsonObject)),
        );
      }
      // JRPC-10
      if (type !== "input_required" || !row.input) {
        const message = `resultType: unexpected ${JSON.stringify(type)}`;
        throw new ValidationError(`${what}: ${message}`, [{ message, path: ["resultType"] }]);
      }
      if (!row.input(result)) throw invalid(what, side, result);
      // MRTR-14
      if (round > maxRounds) {
        throw new RefusedError("rounds", `${what}: asked for input more than ${maxRounds} times.`);
      }
      return this.#fulfil(what, result, options.signal, round).then((answers) =>
        this.#round(row, params, answers, options, round + 1),
      );
    });
  }

  /** Only a limit in all that the caller set himself holds here: what goes on after its answer may well be long. */
  async #follow(follow: Follow, first: JsonObject, { signal, maxTimeout }: RequestOptions): Promise<unknown> {
    const { side } = this.host;
    const late = new AbortController();
    const stop = either(signal, late.signal);
    const end = (): void => late.abort(new TimeoutError(`There was no answer within ${maxTimeout} ms.`));
    const timer = Number.isFinite(maxTimeout) ? setTimeout(end, maxTimeout) : undefined;
    try {
      return await follow(first, {
        signal: stop,
        ask: async (method, params, signal) => {
          const row = own(side.sends, method);
          if (!row) throw unknown(side, String(method));
          return (await this.#round(row, params, undefined, { signal }, 1)) as JsonObject;
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

  protected override announced(facts: NotificationFacts, params: JsonObject | undefined): void {
    this.#cache?.announced(facts, params);
    // STDIO-13
    const id = own(metaOf(params), this.host.side.revision.meta.subscriptionId);
    this.connection.waiting(id as RequestId)?.options.onNotice?.(facts.method, params ?? {});
  }

  /** CANC-08: a server only ends streams this way; any other id is ignored. */
  protected cancelled(id: unknown): void {
    const { jobs, meta } = this.host.side.revision;
    if (jobs.listen === undefined || this.connection.waiting(id as RequestId)?.method !== jobs.listen) return;
    const _meta = members([meta.subscriptionId, id]);
    this.connection.settle(id as RequestId, { resultType: "complete", _meta });
  }

  /** JRPC-17: what is wrong with a question inside a result is found here, and not told by the peer. */
  protected override refusal(_code: number, message: string): Error {
    return new RefusedError("capability", message);
  }

  /** MRTR-05, MRTR-06: all answers under the keys of their questions, and the state as it came. */
  async #fulfil(
    what: string,
    { inputRequests, requestState }: JsonObject,
    signal: AbortSignal | undefined,
    round: number,
  ): Promise<JsonObject> {
    // MRTR-02
    if (!inputRequests && requestState === undefined)
      throw new ValidationError(`${what}: asks for nothing.`, []);
    const done = new AbortController();
    const stop = either(signal, done.signal);
    const stopped = new Promise<never>((_, reject) =>
      stop.addEventListener("abort", () => reject(stop.reason)),
    );
    const answer = async ([key, request]: [string, unknown]): Promise<[string, unknown]> => {
      const exchange = new Exchange(key, undefined);
      stop.addEventListener("abort", () => exchange.abort(stop.reason));
      return [key, await this.answer(request as WireRequest, exchange)];
    };
    const work = inputRequests
      ? Promise.all(Object.entries(inputRequests).map(answer))
      : // MRTR-09
        new Promise<undefined>((resolve) => {
          setTimeout(() => resolve(undefined), Math.min(50 * 2 ** round, 5000));
        });
    try {
      signal?.throwIfAborted();
      const answers = await Promise.race([work, stopped]);
      return { requestState, inputResponses: answers && Object.fromEntries(answers) };
    } finally {
      // MRTR-15: when one of them fails, no retry is sent and the others need not go on.
      done.abort(new DOMException("The call is over.", "AbortError"));
    }
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
