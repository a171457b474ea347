import type { JsonObject } from "../../common/object.js";
import { shortJson } from "../core/short-json.js";
import { jsonRpcCodes } from "../core/errors.js";
import { isId, type RequestId } from "../core/message.js";
import type { HttpResponse } from "../core/role/http-server/exchange.js";
import type { Bus } from "./bus.js";

/** An answer with an error. */
const failure = (id: unknown, message: string, data?: unknown): JsonObject => ({
  jsonrpc: "2.0",
  id,
  error: { code: jsonRpcCodes.INTERNAL_ERROR, message, data },
});

/**
 * The id of a request as a part of an event id; empty if it is too long, or
 * there are several: of a batch, nobody knows later which of its requests were
 * answered.
 */
export function textOf(ids: readonly (RequestId | undefined)[]): string {
  const text = encodeURIComponent(JSON.stringify(ids[0]));
  return ids.length === 1 && text.length <= 256 ? text : "";
}

/**
 * The id in it, which the client may have changed; undefined if it is not
 * known.
 */
export function idIn(text: string): RequestId | undefined {
  try {
    const id: unknown = JSON.parse(decodeURIComponent(text));
    return isId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Answers the client of a stream that another process has written. If that
 * process has ended, the open request gets an error; without its id, the client
 * must open a new session. Else the stream ends after its first event, and the
 * client tries again: behind a balancer that chooses at random, it may reach
 * the process then.
 */
export async function endStream(
  response: HttpResponse,
  bus: Bus,
  author: string,
  id: RequestId | undefined,
  first: string,
): Promise<void> {
  const text = "The process that ran this request has ended.";
  const isDead = (await bus.find(author)) === false;
  if (isDead && id === undefined) return response.reply(404, {}, text);
  response.stream({
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
  });
  const answer = failure(id, text, {
    reason: "process-lost",
    mayHaveRun: true,
  });
  void response.write(
    isDead ? `${first}data: ${JSON.stringify(answer)}\n\n` : first,
  );
  response.end();
}

/**
 * Maximum length of an answer that is passed on, in bytes of its JSON: a store
 * takes 1,048,576 characters, and encryption adds a third.
 */
const maxAnswer = 700_000;
/** Maximum length of a notification that is passed on, in bytes of its JSON. */
const maxNotification = 1024;

/**
 * The answer, or an error in its place if it is too long for another process.
 */
export const shortAnswer = (answer: JsonObject): JsonObject =>
  shortJson(answer, maxAnswer) === undefined
    ? failure(answer["id"], "The answer is too long for another process.")
    : answer;

/**
 * The notification, without its text if it is too long, which is only for
 * display; undefined if it is too long even then.
 */
export function shortNotification(
  notification: JsonObject,
): JsonObject | undefined {
  if (shortJson(notification, maxNotification) !== undefined)
    return notification;
  const { method, params } = notification;
  const { requestId, progressToken, progress, total } = Object(
    params,
  ) as JsonObject;
  const short = {
    jsonrpc: "2.0",
    method,
    params: { requestId, progressToken, progress, total },
  };
  return shortJson(short, maxNotification) === undefined ? undefined : short;
}
