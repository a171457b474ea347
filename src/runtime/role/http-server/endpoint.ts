import { isObject } from "../../message.js";
import { claimed, named } from "../serve.js";
import type { ServerCore, ServerDefinition } from "../server.js";
import { Load } from "./load.js";
import type { HttpOptions } from "./endpoint-options.js";
import { direct, type HttpHandler } from "./serve-node.js";
import type { Answerer } from "./web.js";
import { type HttpRequest, type HttpResponse, refuse } from "./exchange.js";
import { Alone } from "./stateless.js";
import { accepts, handlerOf, headerOf, readJson, type Target, type Visit } from "./admission.js";
import { LegacyPosts } from "./legacy.js";
import { postModern } from "./modern.js";

/**
 * Makes of a server, or of one per revision, the newest first, a function that answers web requests on one URL, clients of
 * all these revisions alike.
 *
 * @throws TypeError when there is no server.
 */
export function createHttpHandler(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: HttpOptions = {},
): HttpHandler {
  const all = [servers].flat();
  if (all.length === 0) throw new TypeError("createHttpHandler: there is no server to serve.");
  return handlerOf(all, options, new Endpoint(all, options));
}

/** One URL that serves clients of both eras: decides what a request is, and who answers it. HDR-16 */
class Endpoint implements Target {
  readonly methods: readonly string[];
  readonly exposed: readonly string[];
  readonly load: Load;
  readonly #options: HttpOptions;
  readonly #supported: readonly string[];
  readonly #versionHeader: string | undefined;
  readonly #alone: Alone;
  readonly #modern: readonly ServerCore[];
  readonly #legacy: LegacyPosts;

  constructor(servers: readonly ServerDefinition[], options: HttpOptions) {
    const revisions = servers.map(({ core }) => core.side.revision);
    this.#options = options;
    this.load = new Load(options.limits);
    this.#supported = revisions.map(({ revision }) => revision);
    this.#versionHeader = revisions.map(({ headers }) => headers.version).find(Boolean);
    this.#alone = new Alone(this.#supported, this.load);
    this.#modern = servers
      .map(({ core }) => core)
      .filter(({ side }) => side.revision.opening === "per-request");
    this.#legacy = new LegacyPosts(
      servers.filter(({ core }) => core.side.revision.opening === "initialize"),
      this.#alone,
      this.load,
      options,
    );
    const { sessionHeader } = this.#legacy;
    this.methods = sessionHeader ? ["GET", "POST", "DELETE"] : ["POST"];
    this.exposed = sessionHeader ? [sessionHeader] : [];
  }

  /** COMPAT-18 */
  other(request: HttpRequest): Answerer | undefined {
    const older = this.#options.older?.[direct];
    return older?.takes?.(request) && !this.#legacy.names(request) ? older : undefined;
  }

  async visit(visit: Visit): Promise<void> {
    const { request, response } = visit;
    const stated = headerOf(request, this.#versionHeader);
    if (request.method !== "POST") {
      return this.#isSpoken(response, stated) ? this.#legacy.visit(visit) : undefined;
    }
    // HTTP-03
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
      return refuse(response, 406, "Expected Accept: application/json, text/event-stream.");
    }
    const body = await readJson(visit, this.load);
    if (!body) return;
    try {
      if (this.load.isClosed) return response.reply(503);
      const { message } = body;
      const core = this.#modernOf(request, message, stated);
      if (core) postModern(visit, message, core, this.#modern, this.#alone);
      else if (this.#isSpoken(response, stated)) await this.#legacy.post(visit, message, stated);
    } finally {
      // What still waits for its answer is counted by its POST.
      this.load.bytes -= response.bytes;
    }
  }

  beat(): boolean {
    const { sessions } = this.#legacy;
    sessions?.sweep();
    this.#alone.keepAlive();
    for (const { carrier } of sessions?.values() ?? []) carrier.keepAlive();
    return this.#alone.size > 0 || (sessions?.size ?? 0) > 0;
  }

  /** What is being answered alone may be finished before. */
  close(): Promise<unknown> {
    this.#alone.finish();
    const sessions = [...(this.#legacy.sessions?.values() ?? [])];
    return Promise.all([this.#options.older?.close(), ...sessions.map(({ serving }) => serving.close())]);
  }

  /** HTTP-13: refuses a request whose header states what nobody speaks here. */
  #isSpoken(response: HttpResponse, stated: string | undefined): boolean {
    if (stated === undefined || this.#supported.includes(stated)) return true;
    const text = `Revision ${JSON.stringify(stated)} is not spoken here, but ${this.#supported.join(", ")}.`;
    refuse(response, 400, text);
    return false;
  }

  /** COMPAT-12: the modern server that a message is for; undefined when it is for a legacy one. */
  #modernOf(request: HttpRequest, message: unknown, stated: string | undefined): ServerCore | undefined {
    const core = isObject(message) ? claimed(this.#modern, message["params"]) : undefined;
    if (core || this.#legacy.isEmpty) return core ?? this.#modern[0];
    const isLegacy = this.#legacy.knows(request) || this.#legacy.opens(message);
    return isLegacy ? undefined : named(this.#modern, stated);
  }
}
