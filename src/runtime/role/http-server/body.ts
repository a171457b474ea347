import { jsonRpcCodes } from "../../errors.js";
import { type BodyMeter, type AdmittedRequest, type HttpRequest, replyError } from "./exchange.js";
import { type Load, rejectOverLimit } from "./load.js";

/**
 * Reads the JSON of a request (HTTP-04, HTTP-21). Returns undefined if the request was rejected. The load counts the bytes of the body
 * until the caller subtracts `response.bytes` from it.
 */
export async function readJson(
  { request, response, caller }: AdmittedRequest,
  load: Load,
): Promise<{ readonly message: unknown } | undefined> {
  const { bodyBytes = 4_194_304 } = load.limits;
  if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
    return void replyError(response, 415, "The body must be application/json.");
  }
  if (!request.isDecoded && !/^(identity)?$/i.test(request.header("content-encoding") ?? "")) {
    return void replyError(response, 415, "The body must have no content coding.");
  }
  const meter: BodyMeter = { caller, size: 0, isRejected: false, onReject: undefined };
  const full = load.begin(meter);
  if (full) return void rejectOverLimit(response, full);
  try {
    const text = await request.body(bodyBytes, meter, (bytes) => load.add(meter, bytes));
    if (text !== undefined) {
      const message: unknown = JSON.parse(text);
      response.bytes = meter.size;
      load.finishReading(meter);
      return { message };
    }
    if (meter.isRejected) rejectOverLimit(response, "all");
    else replyError(response, 413, `A body has at most ${bodyBytes} bytes.`);
  } catch (error) {
    replyError(response, 400, (error as Error).message, undefined, jsonRpcCodes.PARSE_ERROR);
  } finally {
    if (response.bytes === 0) load.end(meter);
  }
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
