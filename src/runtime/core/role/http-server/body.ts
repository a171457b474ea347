import { ByteCollector } from "../../bytes.js";
import { jsonRpcCodes } from "../../errors.js";
import type { Awaitable } from "../../../../common/timing.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import type { Revision } from "../../tables.js";
import {
  type AdmittedRequest,
  type HttpRequest,
  type HttpResponse,
  type IncomingBody,
  replyError,
} from "./exchange.js";
import { type Full, type Load, rejectOverLimit, Ticket } from "./load.js";

/** The message or batch of a request, and what the load counts for it. */
export interface ReadBody extends Ticket {
  readonly message: unknown;
}

type Answer = (admitted: AdmittedRequest, body: ReadBody) => Awaitable<void>;

/**
 * Reads the JSON of a request (HTTP-04, HTTP-21), and calls `answer` with it unless the request was rejected. A callback, because promises
 * on the way to a handler cost as much as all checks. The body counts until `answer` is done, or longer if it starts its requests.
 */
export function readJson(admitted: AdmittedRequest, load: Load, answer: Answer): void {
  const { request, response } = admitted;
  if (!isJson.test(request.header("content-type") ?? "")) {
    return replyError(response, 415, "The body must be application/json.");
  }
  if (!request.isDecoded && !isUncoded.test(request.header("content-encoding") ?? "")) {
    return replyError(response, 415, "The body must have no content coding.");
  }
  const body = new Body(admitted, load, answer);
  const full = load.begin(body);
  if (full) rejectOverLimit(response, full);
  else request.read(body);
}

const isJson = /^application\/json\s*(;|$)/i;
const isUncoded = /^(identity)?$/i;

/** The body of one request. */
class Body extends Ticket implements IncomingBody, ReadBody {
  message: unknown;
  isDone = false;
  cancel: (() => void) | undefined;
  readonly #admitted: AdmittedRequest;
  readonly #load: Load;
  readonly #answer: Answer;
  /** The whole body, if it arrives as one part. */
  #whole: Uint8Array | undefined;
  #parts: ByteCollector | undefined;

  constructor(admitted: AdmittedRequest, load: Load, answer: Answer) {
    super(admitted.caller);
    this.#admitted = admitted;
    this.#load = load;
    this.#answer = answer;
  }

  add(part: Uint8Array): void {
    if (this.isDone) return;
    const { bodyBytes } = this.#load.limits;
    const { request, response } = this.#admitted;
    if (this.bytes + part.length > bodyBytes) {
      replyError(response, 413, `A body has at most ${bodyBytes} bytes.`);
      return this.#end();
    }
    this.#load.add(this, part.length);
    if (this.isRejected) return;
    // Most bodies are one part, which needs no copy.
    const isWhole = this.bytes === part.length && this.bytes === Number(request.header("content-length"));
    if (isWhole) this.#whole = part;
    else {
      this.#parts ??= new ByteCollector();
      if (this.#whole) this.#parts.add(this.#whole);
      this.#whole = undefined;
      this.#parts.add(part);
    }
  }

  finish(read?: () => string): void {
    if (this.isDone) return;
    try {
      const text = read?.() ?? textOfBytes(this.#whole ?? this.#parts?.take());
      if (read) this.#load.add(this, text.length);
      if (this.isRejected) return;
      this.message = JSON.parse(text);
    } catch (error) {
      return this.fail(error as Error);
    }
    this.isDone = true;
    this.#whole = undefined;
    this.#load.read(this);
    try {
      if (this.#load.isClosed) this.#admitted.response.reply(503);
      else {
        const work = this.#answer(this.#admitted, this);
        if (work) return void work.catch((error) => this.#failed(error)).then(() => this.#load.settle(this));
      }
    } catch (error) {
      this.#failed(error);
    }
    this.#load.settle(this);
  }

  fail({ message }: Error): void {
    if (this.isDone) return;
    replyError(this.#admitted.response, 400, message, undefined, jsonRpcCodes.PARSE_ERROR);
    this.#end();
  }

  override rejected(full: Full): void {
    rejectOverLimit(this.#admitted.response, full);
    this.#end();
  }

  #failed(error: unknown): void {
    const { response, failed } = this.#admitted;
    failed(error, response);
  }

  /** Reads no more of the body. */
  #end(): void {
    this.isDone = true;
    this.#whole = this.#parts = undefined;
    this.#load.end(this);
    this.cancel?.();
  }
}

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/** The text of bytes without a byte order mark. Throws if they are not UTF-8. */
export const textOfBytes = (bytes: Uint8Array | undefined): string => utf8.decode(bytes);

/** Acknowledges a POST without requests: with 202, or with 400 if one of its messages is not accepted (HTTP-05, HTTP-06). */
export function acknowledge(
  message: unknown,
  response: HttpResponse | undefined,
  revision: Revision | undefined,
): void {
  if ([message].flat().every(isAccepted)) return response?.reply(202);
  const text =
    "Expected a notification whose params are an object, or a response with one of result and error.";
  if (response) replyError(response, 400, text, revision?.idlessErrors ? undefined : null);
}

/** True for a notification or a response that this side accepts. */
function isAccepted(message: unknown): boolean {
  const { jsonrpc, method, params, result, error } = Object(message) as JsonObject;
  if (jsonrpc !== "2.0") return false;
  // Some peers write null for absent params.
  if (method !== undefined) return params === undefined || params === null || isObject(params);
  if (error === undefined) return isObject(result);
  return result === undefined && isObject(error) && isRpcError(error);
}

const isRpcError = ({ code, message }: JsonObject): boolean =>
  Number.isInteger(code) && typeof message === "string";

/** The value of a header whose name a revision defines. */
export const headerOf = (request: HttpRequest, name: string | undefined): string | undefined =>
  name === undefined ? undefined : request.header(name.toLowerCase())?.trim();

/** True if the client accepts responses of a media type; without the header Accept it accepts any (RFC 9110, 12.5.1). */
export function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header("accept")?.toLowerCase() ?? "*/*";
  return accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
}
