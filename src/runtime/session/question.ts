import { invalidAt } from "../errors.js";
import { getOwn, isObject, type Params } from "../message.js";
import { type Reporting, warn } from "../report.js";
import type { OutgoingRequest } from "../tables.js";
import { adviseQuestion } from "./asked.js";
import { checkAskable, checkParams, unknown } from "./check.js";
import type { ServerSessionConfig } from "./config.js";
import { checkTurns } from "./turns.js";

/** A server's question, ready to go out. */
export interface Question {
  readonly row: OutgoingRequest;
  readonly params: Params;
}

/** The params of a server's question as they go out. Throws where it may not be asked, or is not what the revision allows. */
export function prepareQuestion(
  { side, settings, fit }: ServerSessionConfig,
  method: string,
  given: unknown,
  declared: unknown,
): Question {
  const row = getOwn(side.outgoingRequests, method);
  const { embedded = side.revision.opening === "initialize" } = row?.facts ?? {};
  if (!row || !embedded) throw unknown(side, method);
  checkAskable(side, row.facts, given, declared);
  checkQuestion(method, given, settings);
  adviseQuestion(method, given, settings);
  const params = fit("params", method, given) as Params;
  checkParams(side, row, params);
  return { row, params };
}

/**
 * Throws a `ValidationError` for a question that may neither be sent nor reach a handler: one with unmatched uses of tools, or one
 * that sends a person to anything but an http or https URL (ELIC-14). Warns of http to another machine (ELIC-15).
 */
export function checkQuestion(method: string, params: unknown, reporting: Reporting): void {
  checkTurns(method, params);
  if (!isObject(params) || params["mode"] !== "url") return;
  const { url: given } = params;
  const isWeb = typeof given === "string" && /^https?:\/\/[^/\\]/i.test(given) && URL.canParse(given);
  const url = isWeb ? new URL(given) : undefined;
  if (!url) {
    const message = `params.url: expected an http or https URL, got ${JSON.stringify(given)}`;
    throw invalidAt(method, message, ["params", "url"]);
  }
  if (url.protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
    warn(reporting, `${method}: ${url.origin} is not protected; use an https URL outside of development.`);
}
