import { type Auth, isObject } from "../../index.js";
import type { HttpHeaders, HttpRequest, HttpResponse } from "../../transport/http/wire.js";

/** One HTTP request on its way through the endpoint. */
export interface Visit {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Headers of every answer. */
  readonly headers: HttpHeaders;
  readonly auth: Auth | undefined;
}

/** Answers by a JSON-RPC error. HTTP-06: without an id unless one could be read. */
export function refuse(
  { response, headers }: Visit,
  status: number,
  code: number,
  message: string,
  id?: unknown,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
  response.reply(status, { ...headers, "content-type": "application/json" }, body);
}

/** The header of a request whose name a revision gives. */
export const headerOf = (request: HttpRequest, name: string | undefined): string | undefined =>
  name === undefined ? undefined : request.header(name.toLowerCase())?.trim();

export const idOf = (message: unknown): unknown => (isObject(message) ? message["id"] : undefined);

/** Does the client take answers of this kind? */
export function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header("accept")?.toLowerCase() ?? "";
  return accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
}
