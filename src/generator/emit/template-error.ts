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
    throw new TemplateError([file], reasonOf(error), positionOf(error), error);
  }
}

/**
 * The reason of a Handlebars error. Removes the location at the end, or the
 * excerpt and the list of tokens.
 */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const excerpt = parseError.exec(message)?.[2];
  if (excerpt !== undefined)
    return `the template cannot be parsed near ${JSON.stringify(excerpt)}`;
  return message
    .replace(/ - \d+:\d+$/, "")
    .replace(/ not defined in \[object Object\]$/, " is not defined here");
}

function positionOf(error: unknown): Position | null {
  if (!(error instanceof Error)) return null;
  const line = parseError.exec(error.message)?.[1];
  if (line !== undefined) return { line: Number(line), column: 1 };
  if (!("lineNumber" in error && typeof error.lineNumber === "number"))
    return null;
  const column =
    "column" in error && typeof error.column === "number" ? error.column : 0;
  return { line: error.lineNumber, column: column + 1 };
}

const parseError =
  /^(?:Parse|Lexical) error on line (\d+)[:.][^\n]*\n([^\n]*)\n/;
