import type { Json, JsonRecord } from "../../ir/snapshot/model.js";
import type { Code } from "../typescript/code.js";
import { markup, joined, text } from "./html.js";

/** A JSON value over several lines, indented as by `JSON.stringify`. */
export function jsonHtml(value: unknown, margin = ""): Code {
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    return list(
      "[",
      "]",
      (value as readonly Json[]).map((entry) => jsonHtml(entry, inner)),
      margin,
    );
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value as JsonRecord).map(
      ([name, member]) => markup`<span class="key">${text(quoted(name))}</span>: ${jsonHtml(member, inner)}`,
    );
    return list("{", "}", members, margin);
  }
  const scalar = typeof value === "string" ? quoted(value) : JSON.stringify(value);
  return markup`<span class="value">${text(scalar)}</span>`;
}

function list(open: string, close: string, members: readonly Code[], margin: string): Code {
  if (members.length === 0) return text(open + close);
  const lines = joined(members, text(`,\n${margin}  `));
  return markup`${text(`${open}\n${margin}  `)}${lines}${text(`\n${margin}${close}`)}`;
}

/** A JSON string with invisible characters escaped. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}
