import type { ServerDefinition } from "../../index.js";
import type { HttpOptions } from "../../transport/http/endpoint-options.js";
import { direct, type HttpHandler } from "../../transport/http/serve-node.js";
import { type Answerer, answerWeb } from "../../transport/http/web.js";
import type { HttpRequest, HttpResponse } from "../../transport/http/wire.js";
import { Endpoint } from "./endpoint.js";

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
  return handlerOf(all, new Endpoint(all, options));
}

/** What answers all that comes to one URL. */
export interface Target {
  handle(request: HttpRequest, response: HttpResponse): Promise<void>;
  takes?(request: HttpRequest): boolean;
  close(): Promise<void>;
}

/** A function for the outside. What fails in there is told to the servers' owner, and the client learns no more than that. */
export function handlerOf(servers: readonly ServerDefinition[], target: Target): HttpHandler {
  const answer: Answerer = (request, response) =>
    target.handle(request, response).catch((error: Error) => {
      servers[0]?.core.host.settings.onError?.(error);
      response.reply(500);
    });
  const takes = (request: HttpRequest): boolean => target.takes?.(request) === true;
  answer.takes = takes;
  const handler = (request: Request): Promise<Response> => answerWeb(answer, request);
  return Object.assign(handler, { close: () => target.close(), [direct]: answer });
}
