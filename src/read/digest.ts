import { createHash } from "node:crypto";

/**
 * The sha256 of a source's text in lower-case hex. CR LF counts as LF, so that a checkout on Windows has the same hash.
 */
export function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** The sha256 of a JSON text in any formatting, which is that of its text with an indentation of two spaces. */
export function jsonDigestOf(text: string): string {
  try {
    return digestOf(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  } catch {
    return digestOf(text);
  }
}

/** A comment, a text in quotes, a word or a sign of TypeScript. */
const TOKEN = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|=>|[\w$]+|\S/g;

/** The sha256 of a schema without what a formatter changes: white space, separators, quotes, and the bar before a union. */
export function tokensDigestOf({ file, text }: { readonly file: string; readonly text: string }): string {
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
