import { jsonRpcCodes } from "../../errors.js";
import { report } from "../../report.js";
import type { Auth } from "../../transport/transport.js";
import type { ServerDefinition } from "../server.js";
import { authenticated, callerOf } from "./authenticate.js";
import { type BodyMeter, type Load, turnAway } from "./load.js";
import type { HttpOptions } from "./endpoint-options.js";
import { crossOrigin, preflight, stranger } from "./origins.js";
import { direct, type HttpHandler } from "./serve-node.js";
import { type Admitted, type Answerer, answerWeb } from "./web.js";
import { type HttpRequest, type HttpResponse, refuse } from "./exchange.js";

/** One HTTP request that was let in, on its way to its answer. */
export interface Visit {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auth: Auth | undefined;
  /** Who is calling, for sessions and bounds: see `callerOf`. */
  readonly caller: string | undefined;
}

/** What stands behind one URL. */
export interface Target {
  /** What the URL is made for. */
  readonly methods: readonly string[];
  /** Headers of answers that pages of other origins may see. */
  readonly exposed: readonly string[];
  readonly load: Load;
  /** Answers what has been let in. */
  visit(visit: Visit): Promise<void>;
  /** Looks after what is open, and says whether there is anything. */
  beat(): boolean;
  /** Ends in good order what is open. Never rejects. */
  close(): Promise<unknown>;
  /** Can a request be for nobody else, where several share the URL? */
  takes?(request: HttpRequest): boolean;
  /** Who else answers a request, once it has been let in here. */
  other?(request: HttpRequest): Answerer | undefined;
}

/**
 * The handler of an endpoint. It admits or refuses a request before anything reads the message (HDR-16). Errors go to
 * `onError`; the client only gets a 500.
 */
export function handlerOf(
  servers: readonly ServerDefinition[],
  options: HttpOptions,
  target: Target,
): HttpHandler {
  const { load } = target;
  let timer: ReturnType<typeof setInterval> | undefined;
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  /** One timer for all that must be looked at from time to time; none while there is nothing. */
  const watch = (): void => {
    timer = setInterval(() => target.beat() || rest(), options.keepAliveTime ?? 15_000);
    // It keeps no process alive, where there are processes.
    (timer as { unref?(): void }).unref?.();
  };
  const enter: Answerer = async (request, response, admitted) => {
    const other = target.other?.(request);
    const visit = await admit(request, response, options, target, other !== undefined, admitted);
    if (!visit) return;
    if (other) return other(request, response, visit);
    if (!timer) watch();
    await target.visit(visit);
  };
  const answer: Answerer = (request, response, admitted) =>
    enter(request, response, admitted).catch((error: Error) => {
      report(servers[0]?.core.config.settings ?? {}, error, "HTTP");
      response.reply(500);
    });
  const takes = (request: HttpRequest): boolean => target.takes?.(request) === true;
  answer.takes = takes;
  const close = async (): Promise<void> => {
    load.isClosed = true;
    rest();
    await target.close();
  };
  const handler = (request: Request): Promise<Response> => answerWeb(answer, request);
  return Object.assign(handler, { close, [direct]: answer });
}

/**
 * Lets a request in: the guard, then `authenticate`, for everything that is served on the URL. Returns undefined when the
 * request has been answered. A handler behind another one adds only what its own options say.
 */
async function admit(
  request: HttpRequest,
  response: HttpResponse,
  options: HttpOptions,
  { methods, exposed, load }: Target,
  isDelegated: boolean,
  admitted: Admitted | undefined,
): Promise<Visit | undefined> {
  const { authenticate, allowedHosts, allowedOrigins } = options;
  const isGuarded = !admitted || allowedHosts !== undefined || allowedOrigins !== undefined;
  const reason = isGuarded ? stranger(request, options) : undefined;
  if (reason) return void response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
  response.headers = crossOrigin(request, exposed);
  if (request.method === "OPTIONS") return void response.reply(204, preflight(request, methods));
  const fullFor = (caller?: string): "caller" | "all" | undefined =>
    load.isClosed ? "all" : request.method === "POST" ? load.requests.fullFor(caller) : undefined;
  // COMPAT-14
  if (!isDelegated && !methods.includes(request.method))
    return void response.reply(405, { allow: methods.join(", ") });
  const full = fullFor(admitted?.caller);
  if (full) return void turnAway(response, full);
  if (!authenticate) return { request, response, auth: admitted?.auth, caller: admitted?.caller };
  const verdict = await authenticated(authenticate, request.toRequest());
  if ("status" in verdict) return void response.reply(verdict.status, verdict.headers, verdict.text);
  const { auth } = verdict;
  const caller = await callerOf(auth, request.header("authorization"));
  // Much may have happened meanwhile.
  const isFull = fullFor(caller);
  if (isFull) return void turnAway(response, isFull);
  return { request, response, auth, caller };
}

/**
 * HTTP-04, HTTP-21: the JSON that a request brings; undefined when it has been refused. Its bytes count until `response.bytes`
 * are taken off the load.
 */
export async function readJson(
  { request, response, caller }: Visit,
  load: Load,
): Promise<{ readonly message: unknown } | undefined> {
  const { bodyBytes = 4_194_304 } = load.limits;
  if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
    return void refuse(response, 415, "The body must be application/json.");
  }
  const meter: BodyMeter = { size: 0, isRefused: false, onRefused: undefined };
  load.requests.add(caller, 1);
  try {
    const text = await request.body(bodyBytes, meter, (bytes) => load.add(meter, bytes));
    if (text !== undefined) {
      const message: unknown = JSON.parse(text);
      response.bytes = meter.size;
      load.whole(meter);
      return { message };
    }
    if (meter.isRefused) turnAway(response, "all");
    else refuse(response, 413, `A body has at most ${bodyBytes} bytes.`);
  } catch (error) {
    refuse(response, 400, (error as Error).message, undefined, jsonRpcCodes.PARSE_ERROR);
  } finally {
    load.requests.add(caller, -1);
    if (response.bytes === 0) load.end(meter);
  }
  return undefined;
}

/** The header of a request whose name a revision gives. */
export const headerOf = (request: HttpRequest, name: string | undefined): string | undefined =>
  name === undefined ? undefined : request.header(name.toLowerCase())?.trim();

/** Does the client take answers of this kind? */
export function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header("accept")?.toLowerCase() ?? "";
  return accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
}
