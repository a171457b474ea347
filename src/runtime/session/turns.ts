import { invalidAt } from "../errors.js";
import { isObject, type JsonObject } from "../message.js";

/*
 * A conversation for a model is known by its member `messages`. What a message uses of tools must be answered, by id, in the
 * next one, and a message that answers holds nothing else (server/sampling, "Tool Use").
 */

/** SAMP-05: throws a `ValidationError` that names the first message of the conversation that breaks the rule. */
export function checkTurns(method: string, params: unknown): void {
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
