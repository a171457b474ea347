/** A template cannot be parsed, or cannot be filled. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /** From the template that was asked for to the part at fault, which comes last. */
  readonly files: readonly string[];
  /** What is wrong, without the place. */
  readonly reason: string;
  /** Line and column in the file at fault, counted from 1; null when Handlebars names none. */
  readonly at: Position | null;

  constructor(files: readonly string[], reason: string, at: Position | null, cause?: unknown) {
    const place = at === null ? "" : `:${at.line}:${at.column}`;
    super(`${files.join(" > ")}${place}: ${reason}`, { cause });
    this.files = files;
    this.reason = reason;
    this.at = at;
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Runs what reads or fills a file. Whatever it throws becomes a `TemplateError` that names the file. */
export function inTemplate<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) {
      throw new TemplateError([file, ...error.files], error.reason, error.at, error.cause);
    }
    throw new TemplateError([file], reasonOf(error), positionOf(error), error);
  }
}

/** Handlebars prints the place at the end of some messages, and an excerpt with a list of tokens in others. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const excerpt = parseFault.exec(message)?.[2];
  if (excerpt !== undefined) return `the template cannot be parsed near ${JSON.stringify(excerpt)}`;
  return message
    .replace(/ - \d+:\d+$/, "")
    .replace(/ not defined in \[object Object\]$/, " is not defined here");
}

function positionOf(error: unknown): Position | null {
  if (!(error instanceof Error)) return null;
  const line = parseFault.exec(error.message)?.[1];
  if (line !== undefined) return { line: Number(line), column: 1 };
  if (!("lineNumber" in error && typeof error.lineNumber === "number")) return null;
  const column = "column" in error && typeof error.column === "number" ? error.column : 0;
  return { line: error.lineNumber, column: column + 1 };
}

const parseFault = /^(?:Parse|Lexical) error on line (\d+)[^\n]*\n([^\n]*)\n/;
