import { type Auth, isId, isObject, jsonRpcCodes } from "../../index.js";
import type { HttpRequest, HttpResponse } from "../../transport/http/wire.js";

/** One HTTP request that was let in, on its way to its answer. */
export interface Visit {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auth: Auth | undefined;
}

/** Answers by a JSON-RPC error. HTTP-06: without an id unless one could be read. */
export function refuse(
  { response }: Visit,
  status: number,
  code: number,
  message: string,
  id?: unknown,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
  response.reply(status, { "content-type": "application/json" }, body);
}

/** HTTP-04, HTTP-21: the JSON that a request brings; undefined when it has been refused. */
export async function read(
  visit: Visit,
  maxBytes: number = 4_194_304,
): Promise<{ readonly message: unknown } | undefined> {
  const { INVALID_REQUEST, PARSE_ERROR } = jsonRpcCodes;
  const { request } = visit;
  if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
    return void refuse(visit, 415, INVALID_REQUEST, "The body must be application/json.");
  }
  try {
    const text = await request.body(maxBytes);
    if (text !== undefined) return { message: JSON.parse(text) };
    refuse(visit, 413, INVALID_REQUEST, `A body has at most ${maxBytes} bytes.`);
  } catch (error) {
    refuse(visit, 400, PARSE_ERROR, (error as Error).message);
  }
  return undefined;
}

/** The header of a request whose name a revision gives. */
export const headerOf = (request: HttpRequest, name: string | undefined): string | undefined =>
  name === undefined ? undefined : request.header(name.toLowerCase())?.trim();

/** The id of a message, where it has a good one. */
export const idOf = (message: unknown): unknown =>
  isObject(message) && isId(message["id"]) ? message["id"] : undefined;

/** Does the client take answers of this kind? */
export function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header("accept")?.toLowerCase() ?? "";
  return accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
}
