import { invisible } from "../../common/invisible.js";
import type { Scope } from "../../generator/diagnostics.js";
import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isRecord } from "../../generator/ir/json/value.js";
import type { Tool } from "../../generator/ir/snapshot/model.js";

/**
 * What a description may have: ends of lines, tabs, and joiners between letters
 * of scripts such as Persian and Hindi.
 */
const usual =
  /[\n\r\t]|(?<=(?!\p{Script=Latin})[\p{L}\p{M}])[\u200c\u200d](?=(?!\p{Script=Latin})[\p{L}\p{M}])/gu;

/**
 * Sentences that speak to the model about other tools, its instructions or the
 * user: how tool poisoning is written.
 */
const orders = [
  /\b(?:ignore|disregard|forget)\b[^.]{0,40}\b(?:previous|prior|other|above|all)\b[^.]{0,20}\b(?:instructions?|prompts?|rules)\b/i,
  /\b(?:do not|don't|never)\b[^.]{0,20}\b(?:tell|mention|inform|show|reveal)\b[^.]{0,30}\buser\b/i,
  /\bbefore\b[^.]{0,20}\b(?:using|calling)\b[^.]{0,20}\b(?:any|other)\b[^.]{0,20}\btools?\b/i,
  /<\/?(?:important|system|secret|instructions?)>/i,
];

/**
 * Reports what a model or a person reads in a tool: missing descriptions,
 * hidden characters, and instructions to the model.
 */
export function checkWords(
  { raw, description }: Tool,
  schema: JsonRecord,
  scope: Scope,
): void {
  if ((description?.trim() ?? "") === "")
    scope.warn(
      "MG921",
      null,
      "has no description, so a model must guess from the name",
      "say what it does",
    );
  for (const [name, argument] of Object.entries(
    isRecord(schema["properties"]) ? schema["properties"] : {},
  ))
    if (
      isRecord(argument) &&
      typeof argument["description"] !== "string" &&
      !("$ref" in argument)
    )
      scope.note(
        "MG923",
        null,
        `the argument ${name} has no description`,
        "say what it means, with its unit or an example",
      );
  for (const [path, text] of textsIn(raw)) {
    const [found] = text.replaceAll(usual, " ").match(invisible) ?? [];
    if (found !== undefined) {
      const code = found
        .codePointAt(0)
        ?.toString(16)
        .padStart(4, "0")
        .toUpperCase();
      const message = `contains the invisible character U+${code}`;
      scope
        .in(path)
        .warn(
          "MG924",
          null,
          message,
          "remove it: people do not see what a model reads",
        );
    }
    const order = orders
      .map((pattern) => pattern.exec(text)?.[0])
      .find((match) => match !== undefined);
    if (order === undefined) continue;
    const message = `gives the model orders: ${JSON.stringify(order.slice(0, 80))}`;
    scope
      .in(path)
      .warn(
        "MG925",
        null,
        message,
        "describe the tool, and leave the rest to the host",
      );
  }
}

/**
 * All texts of a tool with their paths, names of members too: an attack can be
 * in any of them.
 */
function textsIn(tool: JsonRecord): [path: string, text: string][] {
  const texts: [string, string][] = [];
  const open: [string, Json][] = [["", tool]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    if (typeof value === "string") texts.push([path, value]);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const step = path === "" ? name : `${path}.${name}`;
      if (!Array.isArray(value)) texts.push([step, name]);
      open.push([step, inner as Json]);
    }
  }
  return texts;
}
