import type { Scope } from "../diagnostics.js";
import type { JsonRecord } from "../ir/json.js";
import { isRecord } from "../ir/json/value.js";
import type { Tool } from "../ir/snapshot/model.js";
import { placesIn } from "./walk.js";

/** Characters that a person does not see, or that change the direction of text. A line may end and be indented. */
const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Sentences that speak to the model about other tools, its instructions or the user: how tool poisoning is written. */
const orders = [
  /\b(?:ignore|disregard|forget)\b[^.]{0,40}\b(?:previous|prior|other|above|all)\b[^.]{0,20}\b(?:instructions?|prompts?|rules)\b/i,
  /\b(?:do not|don't|never)\b[^.]{0,20}\b(?:tell|mention|inform|show|reveal)\b[^.]{0,30}\buser\b/i,
  /\bbefore\b[^.]{0,20}\b(?:using|calling)\b[^.]{0,20}\b(?:any|other)\b[^.]{0,20}\btools?\b/i,
  /<\/?(?:important|system|secret|instructions?)>/i,
];

/** Reports what a model or a person reads in a tool: missing descriptions, hidden characters, and instructions to the model. */
export function checkWords(tool: Tool, schema: JsonRecord, scope: Scope): void {
  const own = tool.description?.trim() ?? "";
  if (own === "")
    scope.warn("MG921", null, "has no description, so a model must guess from the name", "say what it does");
  const places = placesIn(schema);
  for (const { schema: part, path } of places) {
    for (const [name, argument] of Object.entries(isRecord(part["properties"]) ? part["properties"] : {})) {
      if (!isRecord(argument) || typeof argument["description"] === "string" || "$ref" in argument) continue;
      if (path !== "") continue;
      scope.note(
        "MG923",
        null,
        `the argument ${name} has no description`,
        "say what it means, with its unit or an example",
      );
    }
  }
  const texts: [string, string][] = [
    ["name", tool.name],
    ["title", tool.title ?? ""],
    ["description", own],
    ...places.map(({ schema: part, path }): [string, string] => [
      path === "" ? "inputSchema" : `inputSchema.${path}`,
      typeof part["description"] === "string" ? part["description"] : "",
    ]),
  ];
  for (const [place, text] of texts) {
    const [found] = hidden.exec(text.replaceAll(/\p{Emoji}\u200d(?=\p{Emoji})/gu, "")) ?? [];
    if (found !== undefined) {
      const code = found.codePointAt(0)?.toString(16).padStart(4, "0").toUpperCase();
      scope
        .in(place)
        .warn(
          "MG924",
          null,
          `contains the invisible character U+${code}`,
          "remove it: people do not see what a model reads",
        );
    }
    const order = orders.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
    if (order !== undefined)
      scope
        .in(place)
        .warn(
          "MG925",
          null,
          `gives the model orders: ${JSON.stringify(order.slice(0, 80))}`,
          "describe the tool, and leave the rest to the host",
        );
  }
}
