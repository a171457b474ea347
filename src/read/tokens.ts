import { digestOf, jsonDigestOf } from "./digest.js";
import type { Loaded } from "./load.js";

/** A comment, a text in quotes, a word or a sign of TypeScript. */
const TOKEN = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|=>|[\w$]+|\S/g;

/** The sha256 of a schema without what a formatter changes: white space, separators, quotes, and the bar before a union. */
export function tokensDigestOf({ file, text }: Pick<Loaded, "file" | "text">): string {
  if (file.endsWith(".json")) return jsonDigestOf(text);
  const tokens = (text.match(TOKEN) ?? []).map((token) => token.replace(/\s+/g, " ")).map(withDoubleQuotes);
  const kept = tokens.filter((token, i) => {
    const isLeadingBar = /^[|&]$/.test(token) && /^(?:=>|[=(<[{:,;|&])$/.test(tokens[i - 1] ?? "");
    return token !== "," && token !== ";" && !isLeadingBar;
  });
  const bare = kept.map((token, i) =>
    /^[?:]$/.test(kept[i + 1] ?? "") ? token.replace(/^"([\w$]+)"$/, "$1") : token,
  );
  return digestOf(bare.join("\n"));
}

function withDoubleQuotes(token: string): string {
  return /^["']/.test(token) ? `"${token.slice(1, -1).replace(/\\(["'])/g, "$1")}"` : token;
}
