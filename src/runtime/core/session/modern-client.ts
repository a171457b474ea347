import {
  invalidAt,
  isMcpError,
  isRejection,
  isTimeoutError,
  isTransportError,
  jsonRpcCodes,
  mayPass,
  SessionError,
  TimeoutError,
  ValidationError,
} from "../errors.js";
import { backoff, either, pause, withTimeout } from "../../../common/timing.js";
import { shown, warn } from "../report.js";
import {
  checkResult,
  members,
  unknownMethodError,
  validationErrorOf,
} from "./check.js";
import { declares } from "../capabilities.js";
import { ClientSideSession, probeTime } from "./client-side.js";
import type { CallerOptions, RequestOptions } from "../jsonrpc/calls.js";
import { type Params, type RequestId, metaOf } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { NotificationFacts, RequestRow } from "../tables.js";
import type {
  AskForCache,
  ClientEngine,
  ClientSessionConfig,
  Follow,
  Handler,
  Identity,
  ResponseCache,
} from "./config.js";
import { canHaveMeta } from "./outgoing.js";

/**
 * Creates a client session for revisions whose requests carry their own
 * metadata.
 */
export const modernClient: ClientEngine = (configs, connection) =>
  new ModernClient(configs, connection);

// The connection has no request receiver: a request of the server on the wire
// is reported, not answered (JRPC-13, JRPC-14).
class ModernClient extends ClientSideSession {
  /**
   * The members of `_meta` in every request: revision, client info and
   * capabilities (VERS-06, META-03).
   */
  #meta: JsonObject = {};
  readonly #cache: ResponseCache | undefined;

  constructor(...[configs, connection]: Parameters<ClientEngine>) {
    super(configs, connection);
    this.#cache = this.config.settings.cache?.();
    const renew = (): void => this.#cache?.renewed();
    connection.renewed = renew;
  }

  /**
   * Sends `server/discover` first, so that a legacy server is detected
   * (COMPAT-01, COMPAT-11).
   */
  async open(): Promise<void> {
    const timeout = probeTime(this.config.settings);
    const attempts = new Map<ClientSessionConfig, number>();
    for (let config: ClientSessionConfig | undefined = this.config; ;) {
      this.config = config;
      attempts.set(config, (attempts.get(config) ?? 0) + 1);
      const { side, info, capabilities } = config;
      const { revision, errors, wellKnown, meta } = side.revision;
      this.#meta = members(
        [meta.protocolVersion, revision],
        [meta.clientInfo, info],
        [meta.clientCapabilities, capabilities],
      );
      this.connection.transport.useRevision?.(side.revision, true);
      const row = getOwn(side.outgoingRequests, wellKnown.discover);
      if (!row) return;
      let lastError: unknown;
      const result = (await this.call(row, undefined, { timeout }).catch(
        (error: unknown) => {
          lastError = error;
          if (
            isMcpError(error) &&
            error.code === errors["UNSUPPORTED_PROTOCOL_VERSION"]
          )
            return error.data;
          throw this.#probeError(error, row.method, timeout);
        },
      )) as JsonObject;
      const versions = isObject(result)
        ? (result["supportedVersions"] ?? result["supported"])
        : undefined;
      const supported: readonly unknown[] = Array.isArray(versions)
        ? versions
        : [];
      if (!lastError && supported.includes(revision)) {
        const { capabilities, instructions } = result;
        const info = getOwn(metaOf(result), meta.serverInfo);
        this.peer = { info, capabilities, instructions } as Identity;
        this.connection.rules = side.revision;
        return;
      }
      // After an error, each version that the server lists is tried at most
      // twice (VERS-08, VERS-10).
      const maxAttempts = lastError ? 2 : 1;
      config = this.configs.find(
        (one) =>
          supported.includes(one.side.revision.revision) &&
          (attempts.get(one) ?? 0) < maxAttempts,
      );
      if (config) continue;
      // An error without a list, or one that contradicts its list, is thrown as
      // it is.
      throw lastError && (supported.length === 0 || this.configOf(supported))
        ? lastError
        : this.noSharedRevision(supported);
    }
  }

  /**
   * The error of the probe: a `SessionError` if it suggests a legacy server
   * (COMPAT-02, COMPAT-06, COMPAT-11).
   */
  #probeError(error: unknown, method: string, timeout: number): unknown {
    const { answersEach } = this.connection.transport;
    let reason: string;
    if (isTimeoutError(error)) {
      reason = `no answer to ${method} within ${timeout} ms (\`probeTimeout\`)`;
      // Over HTTP, silence says nothing about the era (COMPAT-08).
      if (answersEach) return new TimeoutError(`There is ${reason}.`);
    } else if (isMcpError(error)) {
      const { code, message } = error;
      const isModern = this.configs.some(({ side }) =>
        Object.values(side.revision.errors).includes(code),
      );
      // Only modern servers send these codes (COMPAT-02).
      if (isModern && !Object.values(jsonRpcCodes).includes(code)) return error;
      reason = `${method} is answered with ${code} ${JSON.stringify(message.slice(0, 200))}`;
    } else if (answersEach && isTransportError(error)) {
      const { status = 0, cause, message } = error;
      const isNoAnswer = status >= 200 && status < 300 && cause === undefined;
      if (!isNoAnswer && !isRejection(status)) return error;
      reason = message.replace(/\.$/, "");
    } else return error;
    const text = `The server seems to be older than ${this.config.side.revision.revision}: ${reason}. Generate all revisions (\`mcpgen --version all\`) and open the connection with their \`connect\`, without \`mode\`.`;
    return new SessionError("revision", text, { cause: error });
  }

  call(
    row: RequestRow,
    params: Params,
    options: RequestOptions,
  ): Promise<unknown> {
    const { side } = this.config;
    if (row.method === side.revision.wellKnown.listen)
      return this.#listen(row, params, options);
    const { transport } = this.connection;
    if (row.cacheable && this.#cache) {
      const { timeout = this.config.settings.timeout ?? 60_000, signal } =
        options;
      const cachedCall = { caller: transport.caller?.(), timeout, signal };
      const request: AskForCache = (keep, caller) =>
        this.#round(row, params, { ...options, caller }, keep);
      return this.#cache.call(row, params, request, cachedCall);
    }
    const { headerPolicy } = transport;
    if (!headerPolicy) return this.#round(row, params, options);
    const { signal, timeout } = options;
    // The policy may also send a request of its own, which lists tools: without
    // the caller's callbacks.
    return headerPolicy.call(side, row, params, (sentRow, params) =>
      this.#round(
        sentRow,
        params,
        sentRow === row ? options : { signal, timeout },
      ),
    );
  }

  /**
   * Listens until the server or the caller ends it. A stream that breaks is
   * opened again with a new id (SUBS-09, SUBS-10).
   */
  async #listen(
    row: RequestRow,
    params: Params,
    options: RequestOptions,
  ): Promise<unknown> {
    const { config } = this;
    const { closeSignal } = this.connection;
    const {
      maxReconnects = 10,
      reconnectTime = 500,
      maxReconnectTime,
    } = config.settings.listening ?? {};
    const next = backoff(maxReconnects, reconnectTime, maxReconnectTime);
    let isOpen = false;
    const onNotice = (method: string, notification: JsonObject): void => {
      if (method === config.side.revision.wellKnown.acknowledged) {
        isOpen = true;
        warnOfRejected(
          config,
          params?.["notifications"],
          notification["notifications"],
        );
      }
      options.onNotice?.(method, notification);
    };
    for (;;) {
      try {
        return await this.#round(row, params, {
          ...options,
          timeout: options.timeout ?? Infinity,
          onNotice,
        });
      } catch (error) {
        // If the stream never opened, the caller gets the error at once.
        const wait =
          isOpen && !closeSignal.aborted && mayPass(error) ? next() : undefined;
        if (wait === undefined) throw error;
        // Notifications may have been lost.
        this.#cache?.clear();
        await pause(wait, either(options.signal, closeSignal));
      }
    }
  }

  /**
   * Sends one round of a call: a new request (MRTR-07), with the answers to
   * this call's questions only (MRTR-08).
   */
  #round(
    row: RequestRow,
    params: Params,
    options: CallerOptions,
    keep?: (result: JsonObject) => void,
    answers?: JsonObject,
    round = 1,
  ): Promise<unknown> {
    const { side, settings } = this.config;
    const { rounds = 8 } = settings.limits ?? {};
    const roundParams = answers ? { ...params, ...answers } : params;
    return this.send(
      row,
      roundParams,
      options,
      this.#meta,
      (method, result) => {
        const what = `${method} result`;
        const given = result["resultType"] ?? "complete";
        const type = typeof given === "string" ? given : shown(given);
        if (type === "complete") {
          const complete = this.read(row, withDefaults(row, result));
          keep?.(complete);
          return complete;
        }
        // A result type of an extension that this client declares (XTASK-02).
        const follow = getOwn(this.config.follow, type);
        const extension = getOwn(row.variants ?? {}, type);
        if (
          follow &&
          extension &&
          declares(this.config.capabilities, extension)
        ) {
          if (!getOwn(row.checks.variants ?? {}, type)?.(result))
            throw validationErrorOf(what, side, result);
          return this.#follow(follow, method, result, options).then((value) =>
            checkResult(side, row, withDefaults(row, value as JsonObject)),
          );
        }
        // Any other type is invalid (JRPC-10).
        if (type !== "input_required" || !row.asksInput) {
          const message = `resultType: unexpected ${shown(given)}`;
          throw invalidAt(what, message, ["resultType"]);
        }
        if (side.input && !side.input(result))
          throw validationErrorOf(what, side, result);
        // The number of rounds is limited (MRTR-14).
        if (round > rounds) {
          throw new SessionError(
            "rounds",
            `${what}: the server asked for input more than ${rounds} times.`,
          );
        }
        // A result that depends on answers is not cached (MRTR-16).
        return this.#fulfil(what, result, options.signal, round).then(
          (answers) =>
            this.#round(
              row,
              params,
              { ...options, caller: undefined },
              undefined,
              answers,
              round + 1,
            ),
        );
      },
    );
  }

  /**
   * Follows a result of an extension. Only the `maxTimeout` of this call
   * applies, because a task may take long.
   */
  async #follow(
    follow: Follow,
    method: string,
    first: JsonObject,
    { signal, maxTimeout = Infinity }: RequestOptions,
  ): Promise<unknown> {
    const { side } = this.config;
    const late = new AbortController();
    const stop = either(signal, late.signal);
    const following = follow(first, {
      signal: stop,
      ask: async (method, params, signal) => {
        const row = getOwn(side.outgoingRequests, method);
        if (!row) throw unknownMethodError(side, String(method));
        return (await this.#round(row, params, { signal })) as JsonObject;
      },
      answer: async (inputRequests) => {
        const { inputResponses } = await this.#fulfil(
          "inputRequests",
          { inputRequests },
          stop,
          1,
        );
        return inputResponses as JsonObject;
      },
    }).then((value) => [value]);
    const done = await withTimeout(maxTimeout, following);
    if (done) return done[0];
    const text = `${method}: no result within ${maxTimeout} ms. Raise \`maxTimeout\` to wait longer.`;
    late.abort(new TimeoutError(text));
    throw late.signal.reason;
  }

  /**
   * Answers the questions of a result, and resolves with the members of the
   * next request: the `requestState` is unchanged (MRTR-06).
   */
  async #fulfil(
    what: string,
    result: JsonObject,
    signal: AbortSignal | undefined,
    round: number,
  ): Promise<JsonObject> {
    const { inputRequests: questions = {}, requestState } = result;
    const { answering } = this.config.side;
    const hasQuestions = result["inputRequests"] !== undefined;
    // The result has at least one of the two (MRTR-02). A client without tables
    // of questions has no guard for it.
    const isState =
      requestState === undefined
        ? hasQuestions
        : typeof requestState === "string";
    if (!isState || !isObject(questions) || !canHaveMeta(result))
      throw new ValidationError(
        `${what}: expected inputRequests or requestState.`,
      );
    if (answering && hasQuestions)
      return {
        requestState,
        inputResponses: await answering.fulfil(this, questions, signal),
      };
    if (Object.keys(questions).length > 0)
      throw new SessionError(
        "capability",
        `${what}: the server asks for input, but this client has no tables of questions (option \`questions\`).`,
      );
    // Without questions the client waits before it retries (MRTR-09).
    await pause(Math.min(50 * 2 ** round, 5000), signal);
    return { requestState };
  }

  protected override handleNotification(
    facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    const { wellKnown, meta } = this.config.side.revision;
    const id = getOwn(metaOf(params), meta.subscriptionId);
    const call = this.connection.calls?.get(id as RequestId);
    // The subscription id identifies the stream of a notification (STDIO-13).
    // Without an open stream it is ignored.
    const isOfStream =
      facts.filter !== undefined ||
      facts.method === wellKnown.acknowledged ||
      id !== undefined;
    if (isOfStream && (!call || call.method !== wellKnown.listen)) return;
    this.#cache?.announced(facts, params);
    call?.options.onNotice?.(facts.method, params ?? {});
    super.handleNotification(facts, params, handler);
  }

  /**
   * Ends a listen request. A server may cancel nothing else; other ids are
   * ignored (CANC-08).
   */
  protected cancelled(id: unknown): void {
    const { wellKnown, meta } = this.config.side.revision;
    const { calls } = this.connection;
    if (
      wellKnown.listen === undefined ||
      calls?.get(id as RequestId)?.method !== wellKnown.listen
    )
      return;
    const _meta = members([meta.subscriptionId, id]);
    calls.answer({
      jsonrpc: "2.0",
      id,
      result: { resultType: "complete", _meta },
    });
  }
}

/**
 * Adds defaults of required members that older servers omit. A negative time to
 * live becomes the default (CACHE-03).
 */
function withDefaults(
  { engineDefaults }: RequestRow,
  result: JsonObject,
): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const member in engineDefaults) {
    const [value, minimum] = [result[member], engineDefaults[member]];
    if (
      value === undefined ||
      (typeof value === "number" &&
        typeof minimum === "number" &&
        value < minimum)
    ) {
      copy ??= { ...result };
      copy[member] = minimum;
    }
  }
  return copy ?? result;
}

/**
 * Warns of requested notifications that the server does not acknowledge
 * (SUBS-11).
 */
function warnOfRejected(
  { settings }: ClientSessionConfig,
  filter: unknown,
  acknowledged: unknown,
): void {
  for (const [name, requestedValue] of Object.entries(
    isObject(filter) ? filter : {},
  )) {
    const acknowledgedValue = isObject(acknowledged)
      ? acknowledged[name]
      : undefined;
    if (
      requestedValue === false ||
      JSON.stringify(acknowledgedValue) === JSON.stringify(requestedValue)
    )
      continue;
    const text = `The server sends ${JSON.stringify(acknowledgedValue ?? false)} of ${name}; ${JSON.stringify(requestedValue)} was requested.`;
    warn(settings, text);
  }
}
