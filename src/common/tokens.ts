/** A comment, the start of a text, a regular expression, a word or a sign of TypeScript. `||` is one sign, because it is not two bars of unions. */
const TOKEN =
  /[\w$]+|\/\*[^]*?\*\/|\/\/.*|\/(?<=(?:^|[=(,:;!&|?{}[\]>]|\breturn)\s*\/)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n]){1,10000}\/\w*|=>|\|\||&&|\?\?|\S/g;

/** What ends a text, or is more than one character of it. */
const PARTS: ReadonlyMap<string, RegExp> = new Map([
  ['"', /[\\"\n]/g],
  ["'", /[\\'\n]/g],
  ["`", /[\\`]|\$\{/g],
]);

/** A part of a template that is code. */
const HOLE = /\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\}){0,10000}\}/y;

/** The end of the text that begins here; of its first character, if it has none. Texts have any length, so no expression reads a whole one. */
function endOf(text: string, start: number, parts: RegExp): number {
  parts.lastIndex = start + 1;
  for (let part = parts.exec(text)?.[0]; part !== undefined; part = parts.exec(text)?.[0]) {
    if (part === text[start]) return parts.lastIndex;
    if (part === "\n") break;
    if (part === "\\") parts.lastIndex++;
    else {
      HOLE.lastIndex = parts.lastIndex - part.length;
      if (!HOLE.test(text)) break;
      parts.lastIndex = HOLE.lastIndex;
    }
  }
  return start + 1;
}

/** The tokens of a text as they are. */
function rawTokens(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const parts = PARTS.get(match[0]);
    if (parts) TOKEN.lastIndex = endOf(text, match.index, parts);
    tokens.push(text.slice(match.index, TOKEN.lastIndex));
  }
  return tokens;
}

/** The code in a template. */
const INSIDE = /\$\{((?:[^{}`]|`[^`]*`|\{[^{}]*\})*)\}/g;

/** What may stand before the name of a member in quotes, and never before a text. */
const beforeName = /^(?:[{},;\])>]|(?!(?:case|return|typeof|in|of)$)[\w$]+|["'].*|\/[/*][^]*)$/;
const beforeValue: ReadonlySet<string> = new Set(["return", "throw", "=>"]);
/** What may follow a whole value, also without a semicolon. */
const afterValue = /^(?:[;,)\]}]?|(?!(?:as|in|instanceof|satisfies)$)[\w$]+|\/[/*][^]*)$/;
const beforeBar: ReadonlySet<string> = new Set(["=>", ..."=(<[{:,;|&?"]);

/**
 * The tokens of a TypeScript text without what a formatter changes: white space, quotes, separators, the bar before a union, and
 * brackets that a formatter adds or leaves out. Comments are tokens.
 */
export function tokensOf(text: string): string[] {
  const raw = rawTokens(text);
  const tokens: (string | null)[] = [];
  /** The round brackets that are open: the index of each in both lists. */
  const open: { readonly from: number; readonly at: number }[] = [];
  let last = "";
  for (let i = 0; i < raw.length; i++) {
    const token = raw[i] ?? "";
    const next = raw[i + 1] ?? "";
    const before = last;
    last = token;
    switch (token.charAt(0)) {
      case ";":
      case ",":
        continue;
      case "|":
      case "&":
        if (token.length === 1 && beforeBar.has(before)) continue;
        break;
      case "(":
        open.push({ from: i, at: tokens.length });
        break;
      case ")": {
        const start = open.pop();
        if (start === undefined || !isLayout(raw, start.from, i)) break;
        tokens[start.at] = null;
        continue;
      }
      case '"':
      case "'": {
        const content = token.slice(1, -1);
        const isName = /^[:?(<]$/.test(next) && /^[\w$]+$/.test(content) && beforeName.test(before || "{");
        tokens.push(isName ? content : `"${content.replace(/\\(["'])/g, "$1")}"`);
        continue;
      }
      case "`":
        tokens.push(token.replace(INSIDE, (_, code: string) => `\${${tokensOf(code).join(" ")}}`));
        continue;
      case "/":
        // A formatter indents the lines of a comment.
        tokens.push(token.length > 1 ? token.replace(/\s+/g, " ") : token);
        continue;
    }
    tokens.push(token);
  }
  return tokens.filter((token) => token !== null);
}

/** True for the brackets around a lone parameter, a whole returned value, a choice inside a choice, and a union over several lines. */
function isLayout(raw: readonly string[], start: number, end: number): boolean {
  const [before = "", first = "", after = ""] = [raw[start - 1], raw[start + 1], raw[end + 1]];
  if (after === "=>") return end === start + 2 && /^[\w$]+$/.test(first);
  const isValue = beforeValue.has(before) && first !== "{" && afterValue.test(after);
  const isChoice = before === "?" && after === ":";
  const isUnion = (first === "|" || first === "&") && (after === "," || after === "]");
  return (isValue || isChoice || isUnion) && !isList(raw.slice(start + 1, end));
}

/** True for tokens that a comma separates, outside of brackets. */
function isList(raw: readonly string[]): boolean {
  let depth = 0;
  return raw.some((token, i) => {
    if (/^[([{]$/.test(token)) depth += 1;
    if (/^[)\]}]$/.test(token)) depth -= 1;
    return token === "," && depth === 0 && i < raw.length - 1;
  });
}
