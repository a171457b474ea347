import { invalidAt, McpError, RefusedError, rpcError } from "../errors.js";
import { either } from "../timing.js";
import { checkExtension, checkRequest, checkResult } from "./check.js";
import { metaOf } from "./meta.js";
import { ServerContext } from "./context.js";
import { ServerSideSession } from "./server-side.js";
import type { ServerDispatcher } from "../jsonrpc/dispatcher.js";
import { type Exchange, settle } from "../jsonrpc/exchange.js";
import { getOwn, isObject, type JsonObject, type Params, type WireRequest } from "../message.js";
import type { IncomingRequest, NotificationFacts } from "../tables.js";
import type {
  AskOptions,
  Handler,
  HandlerContext,
  Identity,
  ServerSessionConfig,
  ServerSide,
} from "./config.js";
import type { InputCollector } from "./input-collector.js";
import { Listening } from "./listening.js";
import { inScope, scopeOf } from "./pages.js";
import { answerInRounds, wellFormed } from "./input-rounds.js";

/** A server of a revision whose every request says for itself what it needs to be understood. LIFE-11: nothing is remembered. */
export function modernServer(
  config: ServerSessionConfig,
  dispatcher: ServerDispatcher,
  supported: readonly string[],
): ServerSideSession {
  return new ModernServer(config, dispatcher, supported);
}

export class ModernServer extends ServerSideSession {
  readonly #supported: readonly string[];
  /** META-03 */
  readonly #signature: JsonObject | undefined;
  readonly #listening: Listening;

  constructor(config: ServerSessionConfig, dispatcher: ServerDispatcher, supported: readonly string[]) {
    super(config, dispatcher);
    const { side, info } = config;
    const { serverInfo } = side.revision.meta;
    this.#signature = serverInfo === undefined ? undefined : { [serverInfo]: info };
    this.#supported = supported;
    this.#listening = new Listening(this);
  }

  request(sent: WireRequest, exchange: Exchange): unknown {
    const { side, handlers } = this.config;
    const { wellKnown } = side.revision;
    const { method } = sent;
    exchange.side = side;
    const client = this.#identify(sent);
    const handler = handlers.get(method);
    const row = this.rowOf(method, handler, method === wellKnown.listen || method === wellKnown.discover);
    const { extension } = row.facts;
    checkExtension(side, extension, client);
    this.admit(method, exchange);
    if (row.facts.asksInput && handler)
      return answerInRounds({ server: this, row, message: sent, exchange, client, handler });
    const message = extension ? wellFormed(row, sent) : sent;
    checkRequest(side, row, message);
    const isPaged = row.facts.items !== undefined && row.facts.cacheable;
    const [params, scope] = isPaged ? scopeOf(message.params as Params) : [message.params];
    if (method === wellKnown.listen) {
      return this.#listening.open(exchange, params as JsonObject, client);
    }
    if (!handler) return this.complete(row, this.#discover(), client);
    return this.dispatcher.whenFree(exchange, () => {
      const result = handler(params as never, this.contextOf(exchange, params, client) as never);
      return settle(result, (value) =>
        this.complete(row, isPaged ? inScope(method, value, scope) : value, client),
      );
    });
  }

  announce(facts: NotificationFacts, params: Params): void {
    this.#listening.announce(facts, params);
  }

  override finish(): void {
    this.#listening.finish();
  }

  /** JRPC-09, META-03: adds what the engine fills and who answers. */
  complete(row: IncomingRequest, value: unknown, client: Identity): JsonObject {
    const given = this.config.fit("results", row.facts.method, value ?? {}) as JsonObject;
    // Named members first, then one copy: several times as fast as the other way round.
    const result: Record<string, unknown> = { resultType: "complete", _meta: this.#signature, ...given };
    if (given["_meta"] !== undefined) result["_meta"] = this.signed(given);
    const { fills, variants } = row.facts;
    const { side } = this.config;
    const type = String(result["resultType"]);
    // XTASK-01
    if (variants) checkExtension(side, getOwn(variants, type), client);
    for (const member in fills) if (result[member] === undefined) result[member] = fills[member];
    return checkResult(side, kindOf(side, row, type), result);
  }

  signed(result: JsonObject): JsonObject | undefined {
    const given = result["_meta"];
    if (given === undefined) return this.#signature;
    // What is no object is left for the check of the result to refuse.
    return isObject(given) ? { ...this.#signature, ...given } : (given as JsonObject);
  }

  contextOf(
    exchange: Exchange,
    params: unknown,
    client: Identity,
    collector?: InputCollector,
  ): ServerContext {
    return new ModernContext(this, exchange, params, client, collector);
  }

  protected handleNotification(
    { method }: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    if (handler) this.tell(method, handler, params, { info: undefined, capabilities: {} });
  }

  /** META-01, META-02, VERS-07: what the request says of its sender, this request alone (META-05). */
  #identify({ method, params }: WireRequest): Identity {
    const { meta, revision, errors } = this.config.side.revision;
    const { protocolVersion = "", clientCapabilities = "", clientInfo = "" } = meta;
    const given = metaOf(params);
    const version = given[protocolVersion];
    const capabilities = given[clientCapabilities];
    const info = given[clientInfo];
    if (typeof version !== "string" || !isObject(capabilities)) {
      const key = typeof version !== "string" ? protocolVersion : clientCapabilities;
      // VERS-09: one who does not know this era learns which revisions are spoken here.
      throw rpcError("INVALID_PARAMS", `${method}: params._meta needs ${JSON.stringify(key)}.`, {
        supported: this.#supported,
      });
    }
    if (version !== revision) {
      const code = errors["UNSUPPORTED_PROTOCOL_VERSION"] ?? -32022;
      throw new McpError(code, `This server does not speak revision ${version}.`, {
        supported: this.#supported,
        requested: version,
      });
    }
    return { info: isObject(info) ? info : undefined, capabilities };
  }

  /** DISC-01, DISC-04 */
  #discover(): JsonObject {
    const { capabilities, settings } = this.config;
    return { supportedVersions: this.#supported, capabilities, instructions: settings.instructions };
  }
}

/** The row with the check for an answer of this kind. */
function kindOf({ revision }: ServerSide, row: IncomingRequest, type: string): IncomingRequest {
  const result = type === "complete" ? row.result : getOwn(row.variants ?? {}, type);
  if (result) return result === row.result ? row : { ...row, result };
  const message = `resultType: revision ${revision.revision} has no answer ${JSON.stringify(type)} to this request`;
  throw invalidAt(`${row.facts.method} result`, message, ["resultType"]);
}

/** What a handler knows of a request that says everything for itself. */
class ModernContext extends ServerContext {
  readonly #collector: InputCollector | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    session: ServerSideSession,
    exchange: Exchange,
    params: unknown,
    client: Identity,
    collector?: InputCollector | undefined,
  ) {
    super(session, exchange, params, client);
    this.#collector = collector;
  }

  override get signal(): AbortSignal {
    if (!this.#collector) return this.exchange.signal;
    return (this.#signal ??= either(this.exchange.signal, this.#collector.signal));
  }

  override get once(): HandlerContext["once"] {
    const collector = this.#collector;
    return collector ? (key, work) => collector.once(key, work) : super.once;
  }

  /** XTASK-11: what goes on after the answer has no stream for progress and logs. */
  protected override get silent(): boolean {
    return this.exchange.over || this.exchange.id === undefined || this.#collector?.over === true;
  }

  /** LOG-04: without a level in this very request, nothing is sent. */
  protected get threshold(): number {
    const { levels, revision } = this.session.config.side;
    const index = levels.indexOf(String(metaOf(this.params)[revision.meta.logLevel ?? ""]));
    return index === -1 ? Infinity : index;
  }

  /** MRTR-01 */
  protected ask(method: string, params: Params, options: AskOptions): Promise<unknown> {
    if (this.#collector) return this.#collector.ask(method, params, options);
    const message = `In revision ${this.revision} the client cannot be asked from here: ${method} was not sent.`;
    return Promise.reject(new RefusedError("place", message));
  }
}
