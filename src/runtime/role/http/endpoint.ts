import { jsonRpcCodes, type ServerCore, type ServerDefinition } from "../../index.js";
import type { HttpOptions } from "../../transport/http/endpoint-options.js";
import { direct } from "../../transport/http/serve-node.js";
import type { HttpRequest, HttpResponse } from "../../transport/http/wire.js";
import { Alone } from "./alone.js";
import { Gate } from "./gate.js";
import { LegacyPosts } from "./legacy.js";
import { ModernPosts } from "./modern.js";
import { Pulse } from "./pulse.js";
import { accepts, headerOf, read, refuse, type Visit } from "./visit.js";

/** One URL that serves clients of both eras: decides what a request is, and who answers it. HDR-16 */
export class Endpoint {
  readonly #options: HttpOptions;
  readonly #supported: readonly string[];
  readonly #versionHeader: string | undefined;
  readonly #gate: Gate;
  readonly #alone: Alone;
  readonly #modern: ModernPosts;
  readonly #legacy: LegacyPosts;
  readonly #pulse: Pulse;

  constructor(servers: readonly ServerDefinition[], options: HttpOptions) {
    this.#options = options;
    const sides = servers.map(({ core }) => core.side.revision);
    this.#supported = sides.map(({ revision }) => revision);
    this.#versionHeader = sides.map(({ headers }) => headers.version).find(Boolean);
    const [modern, legacy] = ["per-request", "initialize"].map((opening) =>
      servers.filter(({ core }) => core.side.revision.opening === opening),
    ) as [ServerDefinition[], ServerDefinition[]];
    const { sessions = true, maxWaitingBytes = 4_194_304, maxRequests = 4096 } = options;
    const sessionHeader = legacy.map(({ core }) => core.side.revision.headers.session).find(Boolean);
    const hasSessions = sessions && sessionHeader !== undefined;
    const methods = hasSessions ? ["GET", "POST", "DELETE"] : ["POST"];
    this.#gate = new Gate(options, methods, hasSessions ? [sessionHeader] : [], maxRequests);
    const { load } = this.#gate;
    this.#alone = new Alone(this.#supported, { load, maxWaitingBytes });
    this.#modern = new ModernPosts(
      modern.map(({ core }) => core),
      this.#alone,
    );
    this.#legacy = new LegacyPosts(legacy, this.#alone, hasSessions ? sessionHeader : undefined, {
      ...options,
      maxWaitingBytes,
      load,
    });
    this.#pulse = new Pulse(options.keepAliveTime ?? 15_000, () => this.#beat());
  }

  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const older = this.#options.older?.[direct];
    // COMPAT-18
    if (older?.takes?.(request) && !this.#legacy.names(request)) return older(request, response);
    const visit = await this.#gate.admit(request, response);
    if (!visit) return;
    this.#pulse.start();
    const stated = headerOf(request, this.#versionHeader);
    if (request.method === "POST") return this.#post(visit, stated);
    return this.#isSpoken(visit, stated) ? this.#legacy.visit(visit) : undefined;
  }

  /** Ends all sessions and streams in good order; what is being answered may be finished before. */
  async close(): Promise<void> {
    this.#gate.load.isClosed = true;
    this.#pulse.stop();
    this.#alone.finish();
    const sessions = [...(this.#legacy.sessions ?? [])];
    await Promise.all([this.#options.older?.close(), ...sessions.map((session) => session.close())]);
  }

  async #post(visit: Visit, stated: string | undefined): Promise<void> {
    const { request, response } = visit;
    // HTTP-03
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
      const text = "Expected Accept: application/json, text/event-stream.";
      return refuse(visit, 406, jsonRpcCodes.INVALID_REQUEST, text);
    }
    const body = await read(visit, this.#options.maxBodyBytes);
    if (!body) return;
    if (this.#gate.load.isClosed) return response.reply(503);
    const { message } = body;
    const core = this.#modernOf(request, message, stated);
    if (core) this.#modern.post(visit, message, core);
    else if (this.#isSpoken(visit, stated)) await this.#legacy.post(visit, message, stated);
  }

  /** HTTP-13: refuses a request whose header states what nobody speaks here. */
  #isSpoken(visit: Visit, stated: string | undefined): boolean {
    if (stated === undefined || this.#supported.includes(stated)) return true;
    const text = `Revision ${JSON.stringify(stated)} is not spoken here, but ${this.#supported.join(", ")}.`;
    refuse(visit, 400, jsonRpcCodes.INVALID_REQUEST, text);
    return false;
  }

  /** COMPAT-12: the modern server that a message is for; undefined when it is for a legacy one. */
  #modernOf(request: HttpRequest, message: unknown, stated: string | undefined): ServerCore | undefined {
    const claimed = this.#modern.claimed(message);
    if (claimed || this.#legacy.isEmpty) return claimed ?? this.#modern.cores[0];
    return this.#legacy.knows(request) || this.#legacy.opens(message)
      ? undefined
      : this.#modern.named(stated);
  }

  #beat(): boolean {
    const { sessions } = this.#legacy;
    sessions?.sweep();
    this.#alone.keepAlive();
    for (const { carrier } of sessions ?? []) carrier.keepAlive();
    return this.#alone.size > 0 || (sessions?.size ?? 0) > 0;
  }
}
