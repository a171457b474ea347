import type { Exchange } from "../jsonrpc/dispatcher.js";
import type { Params } from "../message.js";
import { getOwn, type JsonObject } from "../../../common/object.js";
import type { OutgoingRequest } from "../tables.js";
import { adviseQuestion } from "./elicitation.js";
import { checkAskable, checkParams, noQuestionsError, unknownMethodError } from "./check.js";
import { outgoing, withMeta } from "./outgoing.js";
import type { ServerSessionConfig } from "./config.js";
import type { Session } from "./session.js";

/** A request of a server to its client, checked and ready to send. */
export interface Question {
  readonly row: OutgoingRequest;
  readonly params: Params;
}

/**
 * Checks a request of a server to its client, and returns its params as they are sent.
 *
 * @throws SessionError if the revision or the client does not support the request, and ValidationError for invalid params.
 */
export function prepareQuestion(
  session: Pick<Session<ServerSessionConfig>, "config" | "connection">,
  method: string,
  input: unknown,
  clientCapabilities: unknown,
): Question {
  const { side, settings } = session.config;
  if (!side.askOnWire && !side.answerInRounds) throw noQuestionsError(method);
  const row = getOwn(side.outgoingRequests, method);
  const { embedded = side.revision.opening === "initialize" } = row?.facts ?? {};
  if (!row || !embedded) throw unknownMethodError(side, method);
  checkAskable(side, row.facts, input, clientCapabilities);
  if (row.rules) {
    row.rules.check(method, input, settings);
    adviseQuestion(method, input, settings);
  }
  const params = outgoing(session, "params", method, input) as Params;
  checkParams(side, row, params);
  return { row, params };
}

/**
 * A question as it is sent inside a result, with what an observer adds to its `_meta`. For the observer it ends at once: its answer comes
 * with another request.
 */
export function observeQuestion(
  { connection, config: { side } }: Session,
  { info }: Exchange,
  key: string,
  request: JsonObject,
): JsonObject {
  const method = String(request["method"]);
  const params = request["params"] as Params;
  const observed = connection.reporting.observe?.(
    connection,
    "sent",
    { method, id: key, info, side },
    params,
  );
  observed?.end(undefined);
  return observed?.meta ? { ...request, params: withMeta(params, observed.meta) } : request;
}
