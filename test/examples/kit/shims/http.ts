/**
 * `@mcpgen/runtime/http` for programs of the guides: records requests, and
 * closes what listens when the program ends.
 */
import * as real from "@mcpgen/runtime/http";
import { chosen, currentRun } from "./recorder.js";

export { http, nodeListener, sse } from "@mcpgen/runtime/http";

export const createHttpHandler: typeof real.createHttpHandler = (
  servers,
  options,
) => recordedHandler(real.createHttpHandler(chosen(servers), options));

export const serveHttp: typeof real.serveHttp = async (handler, options) => {
  const serving = await real.serveHttp(handler, options);
  currentRun()?.cleanups.push(() => serving.close());
  return serving;
};

/**
 * The handler, which records the heads of requests and responses, and the
 * bodies of requests.
 */
export function recordedHandler(handler: real.HttpHandler): real.HttpHandler {
  const wire = currentRun()?.wire;
  if (!wire) return handler;
  const answer = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    wire.push(
      `${method} ${new URL(url).pathname}`,
      JSON.stringify(Object.fromEntries(headers)),
    );
    wire.push(await request.clone().text());
    const response = await handler(request);
    wire.push(JSON.stringify(Object.fromEntries(response.headers)));
    return response;
  };
  const { routes, close } = handler;
  // Without the function for Node's own requests, which `serveHttp` would call
  // instead.
  return Object.assign(answer, { routes, close }) as real.HttpHandler;
}
