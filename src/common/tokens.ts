// A file may have a word, a comment or white space of any length, and V8
// sometimes gives up an expression that repeats itself millions of times. So no
// expression here repeats without a limit: each finds the next end.

/**
 * A sign of TypeScript, or the first character of a word. `||` is one sign,
 * because it is not two bars of unions.
 */
const nextSign = /=>|\|\||&&|\?\?|\/[/*]|[^]/y;
const anyButSpace = /\S/g;
const anyButWord = /[^\w$]/g;
const lineEnd = /[\n\r\u2028\u2029]/g;

/**
 * Where the next character that matches is; the end of the text without one.
 */
function find(character: RegExp, text: string, start: number): number {
  character.lastIndex = start;
  return character.test(text) ? character.lastIndex - 1 : text.length;
}

/** What may stand before a regular expression, and never before a division. */
const beforePattern = /(?:^|[=(,:;!&|?{}[]|=>|^return)$/;

/**
 * What may end a text, a regular expression or a part of a template, and what
 * may contain such an end: by what it begins with.
 */
const endsOf: ReadonlyMap<string, RegExp> = new Map([
  ['"', /"|\\|\n/g],
  ["'", /'|\\|\n/g],
  ["/", /\/\w{0,9}|\\|\n|[[\]]/g],
  ["`", /`|\\|\$\{/g],
  ["}", /`|\\|\$\{/g],
]);

/**
 * The end of the text, regular expression or part of a template that begins
 * here: of the line, or of the whole text, if nothing ends it.
 */
function endOf(text: string, start: number): number {
  const ends = endsOf.get(text.charAt(start)) ?? anyButWord;
  ends.lastIndex = start + 1;
  let inClass = false;
  for (
    let end = ends.exec(text)?.[0];
    end !== undefined;
    end = ends.exec(text)?.[0]
  ) {
    if (end === "\\") ends.lastIndex++;
    else if (end === "[" || end === "]") inClass = end === "[";
    else if (end === "\n") return ends.lastIndex - 1;
    else if (!inClass) return ends.lastIndex;
  }
  return text.length;
}

/** True for a word, and for its first character. */
const isWord = (token: string): boolean => /^[\w$]/.test(token);

/** True for a part of a template that code follows. */
function isOpenTemplate(token: string): boolean {
  return token.endsWith("${") && /^[`}]/.test(token);
}

/**
 * The tokens of a text as they are. The parts of a template are tokens: from a
 * grave accent or a brace to the next code or the end.
 */
function* rawTokens(text: string): Generator<string> {
  /**
   * The number of braces that are open in the code around each open template,
   * and in the code that is read.
   */
  const around: number[] = [];
  let braces = 0;
  let last = "";
  for (let end = 0; ;) {
    const start = find(anyButSpace, text, end);
    if (start === text.length) return;
    nextSign.lastIndex = start;
    nextSign.test(text);
    end = nextSign.lastIndex;
    switch (text.slice(start, end)) {
      case "//":
        end = find(lineEnd, text, end);
        break;
      case "/*":
        end = text.indexOf("*/", end) + 2;
        if (end === 1) end = text.length;
        break;
      case "{":
        braces++;
        break;
      case "}":
        if (braces > 0 || around.length === 0) {
          braces--;
          break;
        }
        braces = around.pop() ?? 0;
        end = endOf(text, start);
        break;
      case "/":
        if (beforePattern.test(last)) end = endOf(text, start);
        break;
      case '"':
      case "'":
      case "`":
        end = endOf(text, start);
        break;
      default:
        if (isWord(text.charAt(start))) end = find(anyButWord, text, end);
    }
    last = text.slice(start, end);
    if (isOpenTemplate(last)) {
      around.push(braces);
      braces = 0;
    }
    yield last;
  }
}

/** True for a text that may be a name without quotes. */
const isName = (text: string): boolean =>
  text !== "" && find(anyButWord, text, 0) === text.length;

/**
 * What may stand before the name of a member in quotes, and never before a
 * text.
 */
const beforeName =
  /^(?:[{},;\])>]$|["']|\/[/*]|(?!(?:case|return|typeof|in|of)$)[\w$])/;
const beforeValue: ReadonlySet<string> = new Set(["return", "throw", "=>"]);
/** What may follow a whole value, also without a semicolon. */
const afterValue =
  /^(?:[;,)\]}]?$|\/[/*]|(?!(?:as|in|instanceof|satisfies)$)[\w$])/;
const beforeBar: ReadonlySet<string> = new Set(["=>", ..."=(<[{:,;|&?"]);

/** An open bracket. */
interface Bracket {
  readonly sign: string;
  /** Where it is written. */
  readonly at: number;
  readonly before: string;
  readonly first: string;
  /** The number of tokens since, apart from those in brackets inside. */
  count: number;
  /** True if a comma separates tokens since. */
  isList: boolean;
}

/**
 * What is written for a bracket that turns out to be layout: the first half of
 * a character that no language uses, alone.
 */
const noToken = "\udbff";

/**
 * The tokens of a TypeScript text, one on each line, without what a formatter
 * changes: white space, quotes, commas and semicolons, the bar before a union,
 * and brackets that a formatter adds or leaves out. Comments are tokens.
 *
 * It writes to an array of code units while it reads, because a list of the
 * tokens of a large file costs three times as much.
 */
export function withoutLayout(text: string): string {
  // No token grows, and a line end follows each.
  const units = new Uint16Array(2 * text.length);
  let length = 0;
  const write = (written: string): void => {
    for (let i = 0; i < written.length; i++)
      units[length++] = written.charCodeAt(i);
  };
  const open: Bracket[] = [];
  const raw = rawTokens(text);
  const read = (): string => raw.next().value ?? "";
  let before = "";
  let next = read();
  for (let token = next; token !== ""; before = token, token = next) {
    next = read();
    const inside = open.at(-1);
    if (inside) {
      inside.count++;
      if (before === "," && token !== ")") inside.isList = true;
    }
    let written = token;
    switch (token.charAt(0)) {
      case ";":
      case ",":
        continue;
      case "|":
      case "&":
        if (token.length === 1 && beforeBar.has(before)) continue;
        break;
      case "(":
      case "[":
      case "{":
      case "`":
        if (token.length > 1 && !isOpenTemplate(token)) break;
        open.push({
          sign: token,
          at: length,
          before,
          first: next,
          count: 0,
          isList: false,
        });
        break;
      case "]":
        open.pop();
        break;
      case "}":
        // The code of a template goes on in brackets of the same kind.
        if (!isOpenTemplate(token)) open.pop();
        break;
      case ")": {
        const bracket = open.pop();
        if (bracket === undefined || !isLayout(bracket, next)) break;
        units[bracket.at] = noToken.charCodeAt(0);
        continue;
      }
      case '"':
      case "'": {
        if (token.length === 1 || !token.endsWith(token.charAt(0))) break;
        const content = token.slice(1, -1);
        const isMember =
          /^[:?(<]$/.test(next) &&
          isName(content) &&
          beforeName.test(before || "{");
        written = isMember
          ? content
          : `"${content.replace(/\\(["'])/g, "$1")}"`;
        break;
      }
      case "/":
        // A formatter indents the lines of a comment.
        if (token.length > 1)
          written = token.replace(/\s(?=\s)/g, "").replace(/[^\S ]/g, " ");
        break;
    }
    write(written);
    write("\n");
  }
  const tokens = Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
  return tokens.replaceAll(`${noToken}\n`, "").slice(0, -1);
}

/**
 * True for the brackets around a lone parameter, a whole returned value, a
 * choice inside a choice, and a union over several lines.
 */
function isLayout(
  { sign, before, first, count, isList }: Bracket,
  after: string,
): boolean {
  if (sign !== "(") return false;
  if (after === "=>") return count === 2 && isWord(first);
  const isValue =
    beforeValue.has(before) && first !== "{" && afterValue.test(after);
  const isChoice = before === "?" && after === ":";
  const isUnion =
    (first === "|" || first === "&") && (after === "," || after === "]");
  return (isValue || isChoice || isUnion) && !isList;
}
