/** A template cannot be parsed, or cannot be filled. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /**
   * The path of includes from the template to the file with the error, which is
   * last.
   */
  readonly files: readonly string[];
  /** The reason without the location. */
  readonly reason: string;
  /**
   * Line and column in the file with the error, from 1; null if Handlebars
   * gives none.
   */
  readonly at: Position | null;

  constructor(
    files: readonly string[],
    reason: string,
    at: Position | null,
    cause?: unknown,
  ) {
    const location = at === null ? "" : `:${at.line}:${at.column}`;
    super(`${files.join(" > ")}${location}: ${reason}`, { cause });
    this.files = files;
    this.reason = reason;
    this.at = at;
  }
}

/** An error of Handlebars. */
interface Fault extends Error {
  readonly lineNumber?: number;
  readonly column?: number;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads or fills a file. Converts any error to a `TemplateError` that names the
 * file.
 */
export function inTemplate<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) {
      throw new TemplateError(
        [file, ...error.files],
        error.reason,
        error.at,
        error.cause,
      );
    }
    const fault = error as Fault;
    throw new TemplateError([file], reasonOf(fault), positionOf(fault), fault);
  }
}

/**
 * The reason of a Handlebars error. Removes the location at the end, or the
 * excerpt and the list of tokens.
 */
function reasonOf({ message }: Fault): string {
  const excerpt = parseError.exec(message)?.[2];
  if (excerpt !== undefined)
    return `the template cannot be parsed near ${JSON.stringify(excerpt)}`;
  return message
    .replace(/ - \d+:\d+$/, "")
    .replace(/ not defined in \[object Object\]$/, " is not defined here");
}

function positionOf({
  message,
  lineNumber,
  column = 0,
}: Fault): Position | null {
  const line = parseError.exec(message)?.[1];
  if (line !== undefined) return { line: Number(line), column: 1 };
  return lineNumber === undefined
    ? null
    : { line: lineNumber, column: column + 1 };
}

const parseError =
  /^(?:Parse|Lexical) error on line (\d+)[:.][^\n]*\n([^\n]*)\n/;
