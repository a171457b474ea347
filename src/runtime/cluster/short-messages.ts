import type { JsonObject } from "../../common/object.js";
import { shortJson } from "./short-json.js";
import { failure } from "./streams.js";

/** Maximum length of an answer that is passed on, in bytes of its JSON: a store takes 1,048,576 characters, and encryption adds a third. */
const maxAnswer = 700_000;
/** Maximum length of a notification that is passed on, in bytes of its JSON. */
const maxNotification = 1024;

/** The answer, or an error in its place if it is too long for another process. */
export const shortAnswer = (answer: JsonObject): JsonObject =>
  shortJson(answer, maxAnswer) === undefined
    ? failure(answer["id"], "The answer is too long for another process.")
    : answer;

/** The notification, without its text if it is too long, which is only for display; undefined if it is too long even then. */
export function shortNotification(notification: JsonObject): JsonObject | undefined {
  if (shortJson(notification, maxNotification) !== undefined) return notification;
  const { method, params } = notification;
  const { requestId, progressToken, progress, total } = Object(params) as JsonObject;
  const short = { jsonrpc: "2.0", method, params: { requestId, progressToken, progress, total } };
  return shortJson(short, maxNotification) === undefined ? undefined : short;
}
