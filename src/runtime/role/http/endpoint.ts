import { type Auth, jsonRpcCodes, type ServerCore, type ServerDefinition } from "../../index.js";
import type { HttpOptions } from "../../transport/http/endpoint-options.js";
import { crossOrigin, preflight, stranger } from "../../transport/http/guard.js";
import type { HttpRequest, HttpResponse } from "../../transport/http/wire.js";
import { Alone } from "./alone.js";
import { LegacyPosts } from "./legacy.js";
import { ModernPosts } from "./modern.js";
import { accepts, headerOf, refuse, type Visit } from "./visit.js";

/** One URL that serves clients of both eras: decides who may call, what a request is, and who answers it. HDR-16 */
export class Endpoint {
  readonly #servers: readonly ServerDefinition[];
  readonly #options: HttpOptions;
  readonly #supported: readonly string[];
  readonly #versionHeader: string | undefined;
  readonly #alone: Alone;
  readonly #modern: ModernPosts;
  readonly #legacy: LegacyPosts;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(servers: readonly ServerDefinition[], options: HttpOptions) {
    if (servers.length === 0) throw new TypeError("createHttpHandler: there is no server to serve.");
    this.#servers = servers;
    this.#options = options;
    const sides = servers.map(({ core }) => core.side.revision);
    this.#supported = sides.map(({ revision }) => revision);
    this.#versionHeader = sides.map(({ headers }) => headers.version).find(Boolean);
    this.#alone = new Alone(this.#supported, options.maxWaitingBytes ?? 4_194_304);
    const [modern, legacy] = ["per-request", "initialize"].map((opening) =>
      servers.filter(({ core }) => core.side.revision.opening === opening),
    ) as [ServerDefinition[], ServerDefinition[]];
    this.#modern = new ModernPosts(
      modern.map(({ core }) => core),
      this.#alone,
    );
    this.#legacy = new LegacyPosts(legacy, this.#alone, options);
  }

  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const { authenticate, maxRequests = 4096 } = this.#options;
    const reason = stranger(request, this.#options);
    if (reason) return response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
    const headers = crossOrigin(request, this.#legacy.sessionHeader);
    if (request.method === "OPTIONS") return response.reply(204, { ...headers, ...preflight(request) });
    if (this.#isClosed || this.#alone.size >= maxRequests) {
      return response.reply(503, { ...headers, "retry-after": "1" });
    }
    let auth: Auth | undefined;
    if (authenticate) {
      const known = await authenticate(request.toRequest());
      if (known instanceof Response) {
        const challenge = { ...headers, ...Object.fromEntries(known.headers) };
        return response.reply(known.status, challenge, await known.text());
      }
      auth = known;
    }
    this.#beat();
    const visit = { request, response, headers, auth };
    return request.method === "POST" ? this.#post(visit) : this.#legacy.visit(visit);
  }

  /** Ends all sessions and streams in good order; what is being answered may be finished before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pulse);
    for (const { core } of this.#servers) for (const link of core.links) link.finish?.();
    await Promise.all([...(this.#legacy.sessions ?? [])].map((session) => session.close()));
  }

  async #post(visit: Visit): Promise<void> {
    const { request } = visit;
    const { INVALID_REQUEST, PARSE_ERROR } = jsonRpcCodes;
    // HTTP-03, HTTP-04
    if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
      return refuse(visit, 415, INVALID_REQUEST, "The body must be application/json.");
    }
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
      return refuse(visit, 406, INVALID_REQUEST, "Expected Accept: application/json, text/event-stream.");
    }
    const { maxBodyBytes = 4_194_304 } = this.#options;
    const text = await request.body(maxBodyBytes);
    // HTTP-21
    if (text === undefined) {
      return refuse(visit, 413, INVALID_REQUEST, `A body has at most ${maxBodyBytes} bytes.`);
    }
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return refuse(visit, 400, PARSE_ERROR, (error as Error).message);
    }
    const stated = headerOf(request, this.#versionHeader);
    const core = this.#modernOf(request, message, stated);
    if (core) return this.#modern.post(visit, message, core);
    // HTTP-13
    if (stated !== undefined && !this.#supported.includes(stated)) {
      const found = `Revision ${JSON.stringify(stated)} is not spoken here, but ${this.#supported.join(", ")}.`;
      return refuse(visit, 400, INVALID_REQUEST, found);
    }
    await this.#legacy.post(visit, message, stated);
  }

  /** COMPAT-12: the modern server that a message is for; undefined when it is for a legacy one. */
  #modernOf(request: HttpRequest, message: unknown, stated: string | undefined): ServerCore | undefined {
    const claimed = this.#modern.claimed(message);
    if (claimed || this.#legacy.isEmpty) return claimed ?? this.#modern.cores[0];
    const isKnown = headerOf(request, this.#legacy.sessionHeader) !== undefined;
    return isKnown || this.#legacy.opens(message) ? undefined : this.#modern.named(stated);
  }

  /** One timer for signs of life and idle sessions, and none while there is neither. */
  #beat(): void {
    this.#pulse ??= unrefed(
      setInterval(() => {
        const { sessions } = this.#legacy;
        sessions?.sweep();
        this.#alone.keepAlive();
        for (const { carrier } of sessions ?? []) carrier.keepAlive();
        if (this.#alone.size > 0 || (sessions?.size ?? 0) > 0) return;
        clearInterval(this.#pulse);
        this.#pulse = undefined;
      }, this.#options.keepAliveTime ?? 15_000),
    );
  }
}

/** A timer that keeps no process alive, where there are processes. */
function unrefed<T>(timer: T): T {
  (timer as { unref?(): void }).unref?.();
  return timer;
}
