import { invalidAt } from "../errors.js";
import { getOwn, isObject, type JsonObject, type Params } from "../message.js";
import { type Reporting, warn } from "../report.js";
import type { OutgoingRequest } from "../tables.js";
import { adviseQuestion } from "./elicitation.js";
import { checkAskable, checkParams, unknownMethodError } from "./check.js";
import type { ServerSessionConfig } from "./config.js";

/** A request of a server to its client, checked and ready to send. */
export interface Question {
  readonly row: OutgoingRequest;
  readonly params: Params;
}

/**
 * Checks a request of a server to its client, and returns its params as they are sent.
 *
 * @throws RefusedError if the revision or the client does not support the request, and ValidationError for invalid params.
 */
export function prepareQuestion(
  { side, settings, fit }: ServerSessionConfig,
  method: string,
  input: unknown,
  declared: unknown,
): Question {
  const row = getOwn(side.outgoingRequests, method);
  const { embedded = side.revision.opening === "initialize" } = row?.facts ?? {};
  if (!row || !embedded) throw unknownMethodError(side, method);
  checkAskable(side, row.facts, input, declared);
  checkQuestion(method, input, settings);
  adviseQuestion(method, input, settings);
  const params = fit("params", method, input) as Params;
  checkParams(side, row, params);
  return { row, params };
}

/**
 * Checks the params of a question. The server calls it before sending, the client before calling the handler. Warns of an http URL
 * to another machine (ELIC-15).
 *
 * @throws ValidationError for tool uses without results, and for a URL that is neither http nor https (ELIC-14).
 */
export function checkQuestion(method: string, params: unknown, reporting: Reporting): void {
  checkTurns(method, params);
  if (!isObject(params) || params["mode"] !== "url") return;
  const { url: text } = params;
  const isWeb = typeof text === "string" && /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text);
  const url = isWeb ? new URL(text) : undefined;
  if (!url) {
    const message = `params.url: expected an http or https URL, got ${JSON.stringify(text)}`;
    throw invalidAt(method, message, ["params", "url"]);
  }
  if (url.protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
    warn(reporting, `${method}: ${url.origin} is not encrypted; use an https URL outside of development.`);
}

/**
 * Checks the messages of a sampling request: each tool use has its result, by id, in the next message, and a message with results has
 * no other content (SAMP-05; specification: client/sampling, "Tool Use").
 *
 * @throws ValidationError naming the first message that breaks the rule.
 */
function checkTurns(method: string, params: unknown): void {
  const messages = isObject(params) ? params["messages"] : undefined;
  if (!Array.isArray(messages)) return;
  let uses: unknown[] = [];
  for (const [i, message] of [...(messages as unknown[]), undefined].entries()) {
    const blocks = isObject(message) ? [message["content"]].flat().filter(isObject) : [];
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ toolUseId }) => toolUseId);
    const isMixed = results.length > 0 && results.length < blocks.length;
    if (isMixed || results.length !== uses.length || uses.some((id) => !results.includes(id))) {
      const expected = isMixed ? "only tool results" : `tool results for ${JSON.stringify(uses)}`;
      const text = `params.messages[${i}].content: expected ${expected}, got ${JSON.stringify(results)}`;
      throw invalidAt(method, text, ["params", "messages", i]);
    }
    uses = idsOf(blocks);
  }
}

const idsOf = (blocks: readonly JsonObject[]): unknown[] =>
  blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
