import { jsonRpcCodes } from "../../errors.js";
import { type AdmittedRequest, type HttpRequest, replyError } from "./exchange.js";
import { type Load, rejectOverLimit, type Ticket } from "./load.js";

/** The message or batch of a request, and what the load counts for it. */
export interface ReadBody {
  readonly message: unknown;
  readonly ticket: Ticket;
}

/** Reads the JSON of a request (HTTP-04, HTTP-21). Returns undefined if the request was rejected. The caller ends the ticket. */
export async function readJson(
  { request, response, caller }: AdmittedRequest,
  load: Load,
): Promise<ReadBody | undefined> {
  const { bodyBytes = 4_194_304 } = load.limits;
  if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
    return void replyError(response, 415, "The body must be application/json.");
  }
  if (!request.isDecoded && !/^(identity)?$/i.test(request.header("content-encoding") ?? "")) {
    return void replyError(response, 415, "The body must have no content coding.");
  }
  const ticket = load.begin(caller);
  if (typeof ticket === "string") return void rejectOverLimit(response, ticket);
  try {
    const text = await request.body(bodyBytes, ticket, (bytes) => load.add(ticket, bytes));
    if (text !== undefined) {
      const message: unknown = JSON.parse(text);
      load.read(ticket);
      return { message, ticket };
    }
    if (ticket.isRejected) rejectOverLimit(response, "all");
    else replyError(response, 413, `A body has at most ${bodyBytes} bytes.`);
  } catch (error) {
    replyError(response, 400, (error as Error).message, undefined, jsonRpcCodes.PARSE_ERROR);
  }
  load.end(ticket);
  return undefined;
}

/** The value of a header whose name a revision defines. */
export const headerOf = (request: HttpRequest, name: string | undefined): string | undefined =>
  name === undefined ? undefined : request.header(name.toLowerCase())?.trim();

/** True if the client accepts responses of a media type; without the header Accept it accepts any (RFC 9110, 12.5.1). */
export function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header("accept")?.toLowerCase() ?? "*/*";
  return accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
}
