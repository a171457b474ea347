import { invalidAt } from "../errors.js";
import { getOwn, isObject, type JsonObject, type Params } from "../message.js";
import { type Reporting, warn } from "../report.js";
import type { OutgoingRequest } from "../tables.js";
import { adviseQuestion } from "./asked.js";
import { checkAskable, checkParams, unknown } from "./check.js";
import type { ServerSessionConfig } from "./config.js";

/** A request of a server to its client, checked and ready to send. */
export interface Question {
  readonly row: OutgoingRequest;
  readonly params: Params;
}

/**
 * Checks a request of a server to its client, and returns its params as they are sent.
 *
 * @throws RefusedError where the revision or the client does not allow the request, and ValidationError where its params are wrong.
 */
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
 * Checks the params of a request of a server on both sides, before it is sent and before a handler gets it. Warns of a URL with http to
 * another machine (ELIC-15).
 *
 * @throws ValidationError for uses of tools without results, and for a URL that is neither http nor https (ELIC-14).
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

/**
 * Checks the conversation of a sampling request, which has `messages`: each use of a tool has its result, by id, in the next message, and
 * a message with results has no other content (SAMP-05; specification: client/sampling, "Tool Use").
 *
 * @throws ValidationError naming the first message that breaks the rule.
 */
function checkTurns(method: string, params: unknown): void {
  const messages = isObject(params) ? params["messages"] : undefined;
  if (!Array.isArray(messages)) return;
  let used: unknown[] = [];
  for (const [i, message] of [...(messages as unknown[]), undefined].entries()) {
    const blocks = isObject(message) ? [message["content"]].flat().filter(isObject) : [];
    const given = blocks.filter(({ type }) => type === "tool_result").map(({ toolUseId }) => toolUseId);
    const isMixed = given.length > 0 && given.length < blocks.length;
    if (isMixed || given.length !== used.length || used.some((id) => !given.includes(id))) {
      const expected = isMixed ? "nothing beside tool results" : `tool results for ${JSON.stringify(used)}`;
      const text = `params.messages[${i}].content: expected ${expected}, got ${JSON.stringify(given)}`;
      throw invalidAt(method, text, ["params", "messages", i]);
    }
    used = idsOf(blocks);
  }
}

const idsOf = (blocks: readonly JsonObject[]): unknown[] =>
  blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
