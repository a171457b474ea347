import type { Params } from "../message.js";
import { getOwn } from "../../shared/object.js";
import type { OutgoingRequest } from "../tables.js";
import { adviseQuestion } from "./elicitation.js";
import { checkAskable, checkParams, noQuestionsError, unknownMethodError } from "./check.js";
import { outgoing } from "./outgoing.js";
import type { ServerSessionConfig } from "./config.js";

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
  config: ServerSessionConfig,
  method: string,
  input: unknown,
  clientCapabilities: unknown,
): Question {
  const { side, settings } = config;
  if (!side.askOnWire && !side.answerInRounds) throw noQuestionsError(method);
  const row = getOwn(side.outgoingRequests, method);
  const { embedded = side.revision.opening === "initialize" } = row?.facts ?? {};
  if (!row || !embedded) throw unknownMethodError(side, method);
  checkAskable(side, row.facts, input, clientCapabilities);
  if (row.rules) {
    row.rules.check(method, input, settings);
    adviseQuestion(method, input, settings);
  }
  const params = outgoing(config, "params", method, input) as Params;
  checkParams(side, row, params);
  return { row, params };
}
