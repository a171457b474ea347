import { errorOf, type Json, modern, revisions } from "../../kit/index.js";
import type { Answer, Sent } from "./exchange.js";
import { modernPost } from "./messages.js";

export const {
  version = "",
  method: methodHeader = "",
  name: nameHeader = "",
  param = "",
} = modern.facts.headers;
export const { HEADER_MISMATCH = 0, UNSUPPORTED_PROTOCOL_VERSION = 0 } =
  modern.facts.errors;

/** The endpoints of a modern server. */
export const serverSets = [
  { who: "a modern server alone", served: [modern], sessions: true },
  { who: "servers of all revisions", served: revisions, sessions: true },
  {
    who: "servers of all revisions without sessions",
    served: revisions,
    sessions: false,
  },
];

/** The POST of a request with some of its headers changed or omitted. */
export const post = (
  message: Json,
  headers: Sent["headers"] = {},
  capabilities: Json = {},
): Sent => modernPost(modern, message, { headers, capabilities });

/** The status of a response, and the code of its error. */
export async function codeOf(
  answer: Answer,
): Promise<readonly [number, unknown]> {
  return [answer.status, errorOf(await answer.json())["code"]];
}
