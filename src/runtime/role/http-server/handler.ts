import { report } from "../../report.js";
import type { ServerDefinition } from "../server.js";
import { type Authenticate, authenticated, callerOf } from "./authenticate.js";
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
  answer(request: AdmittedRequest): Promise<void> | void;
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
      const isRefused = refuseEarly(request, response, options, endpoint, delegate !== undefined, admitted);
      if (isRefused) return;
      const known = admitted ?? { request, response, auth: undefined, caller: undefined };
      const own = options.authenticate ? await identify(known, options.authenticate, endpoint.load) : known;
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
 * Answers a request that needs no message read: one of a foreign origin, a preflight, an unknown HTTP method, or one request
 * too many (HDR-16). Returns whether it did. A handler that another one delegates to checks only what its own options say.
 */
function refuseEarly(
  request: HttpRequest,
  response: HttpResponse,
  options: HttpOptions,
  { methods, exposed, load }: Endpoint,
  isDelegated: boolean,
  admitted: AdmittedRequest | undefined,
): boolean {
  const isGuarded = !admitted || options.allowedHosts !== undefined || options.allowedOrigins !== undefined;
  const reason = isGuarded ? originError(request, options) : undefined;
  if (reason) {
    response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
    return true;
  }
  response.headers = crossOrigin(request, exposed);
  const full = fullFor(load, request, admitted?.caller);
  if (request.method === "OPTIONS") response.reply(204, preflight(request, methods));
  // COMPAT-14: the status of old servers tells clients which transport to use.
  else if (!isDelegated && !methods.includes(request.method))
    response.reply(405, { allow: methods.join(", ") });
  else if (full) turnAway(response, full);
  else return false;
  return true;
}

/** Asks `authenticate` who is calling. Returns undefined if the request was answered. */
async function identify(
  { request, response }: AdmittedRequest,
  authenticate: Authenticate,
  load: Load,
): Promise<AdmittedRequest | undefined> {
  const verdict = await authenticated(authenticate, request.toRequest());
  if ("status" in verdict) return void response.reply(verdict.status, verdict.headers, verdict.text);
  const { auth } = verdict;
  const caller = await callerOf(auth, request.header("authorization"));
  // Other requests may have arrived while `authenticate` ran.
  const full = fullFor(load, request, caller);
  if (full) return void turnAway(response, full);
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
