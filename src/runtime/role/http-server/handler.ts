import { report } from "../../report.js";
import type { ServerDefinition } from "../server.js";
import { authenticated, callerOf } from "./authenticate.js";
import type { HttpOptions } from "./endpoint-options.js";
import {
  type AdmittedRequest,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  native,
  type NativeHandler,
} from "./exchange.js";
import { type Load, turnAway } from "./load.js";
import { crossOrigin, originError, preflight } from "./origins.js";
import { answerWeb } from "./web.js";

/** What is served on one URL: Streamable HTTP or HTTP+SSE. */
export interface Endpoint {
  /** The HTTP methods that the URL accepts. */
  readonly methods: readonly string[];
  /** Headers of answers that pages of other origins may read. */
  readonly exposed: readonly string[];
  readonly load: Load;
  /** Answers a request that was admitted. */
  answer(request: AdmittedRequest): Promise<void>;
  /** Sends keep-alives and ends what was idle for too long. Returns false if nothing is open. */
  tick(): boolean;
  /** Ends everything that is open, in good order. Never rejects. */
  close(): Promise<unknown>;
  /** Whether a request can only be for this endpoint, if several share the URL. */
  matches?(request: HttpRequest): boolean;
  /** Another handler on the same URL that a request is for, once it was admitted here. */
  delegate?(request: HttpRequest): NativeHandler | undefined;
}

/** Makes the handler of an endpoint. Errors go to `onError`; the client only gets a 500. */
export function makeHandler(
  servers: readonly ServerDefinition[],
  options: HttpOptions,
  endpoint: Endpoint,
): HttpHandler {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = (): void => {
    timer = setInterval(() => endpoint.tick() || stop(), options.keepAliveTime ?? 15_000);
    // The timer must not keep the process alive; in browsers it has no `unref`.
    (timer as { unref?(): void }).unref?.();
  };
  const answer: NativeHandler = async (request, response, admitted) => {
    try {
      const delegate = endpoint.delegate?.(request);
      const own = await admit(request, response, options, endpoint, delegate !== undefined, admitted);
      if (!own) return;
      if (delegate) return await delegate(request, response, own);
      if (!timer) start();
      await endpoint.answer(own);
    } catch (error) {
      report(servers[0]?.core.config.settings ?? {}, error, "HTTP");
      response.reply(500);
    }
  };
  const matches = (request: HttpRequest): boolean => endpoint.matches?.(request) === true;
  answer.matches = matches;
  const close = async (): Promise<void> => {
    endpoint.load.isClosed = true;
    stop();
    await endpoint.close();
  };
  const handler = (request: Request): Promise<Response> => answerWeb(answer, request);
  return Object.assign(handler, { close, [native]: answer });
}

/**
 * Checks the origin, then the load, then `authenticate`, before anything reads the message (HDR-16). Returns undefined if the
 * request was answered here. A handler that another one delegates to checks only what its own options say.
 */
async function admit(
  request: HttpRequest,
  response: HttpResponse,
  options: HttpOptions,
  { methods, exposed, load }: Endpoint,
  isDelegated: boolean,
  admitted: AdmittedRequest | undefined,
): Promise<AdmittedRequest | undefined> {
  const { authenticate, allowedHosts, allowedOrigins } = options;
  const isGuarded = !admitted || allowedHosts !== undefined || allowedOrigins !== undefined;
  const reason = isGuarded ? originError(request, options) : undefined;
  if (reason) return void response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
  response.headers = crossOrigin(request, exposed);
  if (request.method === "OPTIONS") return void response.reply(204, preflight(request, methods));
  // COMPAT-14: the status of old servers tells clients which transport to use.
  if (!isDelegated && !methods.includes(request.method))
    return void response.reply(405, { allow: methods.join(", ") });
  const full = fullFor(load, request, admitted?.caller);
  if (full) return void turnAway(response, full);
  if (!authenticate) return admitted ?? { request, response, auth: undefined, caller: undefined };
  const verdict = await authenticated(authenticate, request.toRequest());
  if ("status" in verdict) return void response.reply(verdict.status, verdict.headers, verdict.text);
  const { auth } = verdict;
  const caller = await callerOf(auth, request.header("authorization"));
  // Other requests may have arrived while `authenticate` ran.
  const fullNow = fullFor(load, request, caller);
  if (fullNow) return void turnAway(response, fullNow);
  return { request, response, auth, caller };
}

/** Which limit refuses one more request; undefined if none does. */
function fullFor(
  load: Load,
  { method }: HttpRequest,
  caller: string | undefined,
): "caller" | "all" | undefined {
  if (load.isClosed) return "all";
  return method === "POST" ? load.requests.fullFor(caller) : undefined;
}
