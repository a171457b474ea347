import { invalidAt } from "../errors.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import { type Reporting, warn } from "../report.js";
import type { QuestionRules } from "../tables.js";
import { fillForm, issueInForm, withoutContent } from "./form.js";
import { isLoopback } from "../../../common/addresses.js";

/*
 * The server checks the params of a question before sending it, the client before calling the handler.
 */

/** The rules of a request that asks the user to fill in a form or to open a URL. */
export const elicitationRules: QuestionRules = {
  check: checkUrl,
  form: { fill: fillForm, withoutContent, issueIn: issueInForm },
};

/** The rules of a sampling request whose messages can contain tool uses. */
export const toolUseRules: QuestionRules = { check: checkTurns };

/**
 * Checks the URL that a client is asked to open. Warns of an http URL to another machine (ELIC-15).
 *
 * @throws ValidationError for a URL that is neither http nor https (ELIC-14).
 */
function checkUrl(method: string, params: unknown, reporting: Reporting): void {
  if (!isObject(params) || params["mode"] !== "url") return;
  const { url: text } = params;
  const isWeb = typeof text === "string" && /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text);
  const url = isWeb ? new URL(text) : undefined;
  if (!url) {
    const message = `params.url: expected an http or https URL, got ${JSON.stringify(text)}`;
    throw invalidAt(method, message, ["params", "url"]);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname))
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
