import type { ServerDefinition } from "../../index.js";
import type { HttpOptions } from "../../transport/http/endpoint-options.js";
import { direct, type HttpHandler } from "../../transport/http/serve-node.js";
import { type Answerer, answerWeb } from "../../transport/http/web.js";
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
  const endpoint = new Endpoint([servers].flat(), options);
  const answer: Answerer = (request, response) => endpoint.handle(request, response);
  const handler = (request: Request): Promise<Response> => answerWeb(answer, request);
  return Object.assign(handler, { close: () => endpoint.close(), [direct]: answer });
}
