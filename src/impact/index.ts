import { posix } from "node:path";
import type { ts } from "ts-morph";
import type { BehaviourChange, Context } from "./behaviour/context.js";
import { changedBehaviour } from "./behaviour/index.js";
import { causesIn, cluesOf, replacedFile } from "./cause.js";
import { type Change, compare, type Rename } from "./changes.js";
import { type Compiler, loadCompiler } from "./compiler.js";
import type { Impact, ImpactLine, ImpactOptions } from "./model.js";
import { originsIn } from "./origins.js";
import { overlayOf } from "./overlay.js";
import { createPrograms, newErrors, textOf, type LocatedError } from "./programs.js";
import { plain, quote } from "./sentences.js";
import { nodeAt } from "./syntax.js";

export type { Impact, ImpactFolder, ImpactLine, ImpactOptions } from "./model.js";
export { impactMarkdown, impactText } from "./render.js";

/**
 * The lines of a TypeScript program that a change of its generated files touches. Reads the program from the disk and
 * writes nothing.
 *
 * @throws SchemaError if the tsconfig cannot be used.
 */
export async function impactOf(options: ImpactOptions): Promise<Impact> {
  const loaded = await loadCompiler(options.tsconfig);
  const { ts: compiler } = loaded;
  const overlay = overlayOf(options.folders, compiler.sys.useCaseSensitiveFileNames);
  const programs = createPrograms(loaded, options, overlay);
  const { before, after, importers, base, notes } = programs;
  const compared = options.folders.map(compare);
  const checker = before.getTypeChecker();
  const context: Context = {
    compiler,
    checker,
    newChecker: after.getTypeChecker(),
    origins: originsIn(compiler, checker, overlay),
    compared,
    causeOf: causesIn(compared),
  };
  const errors = newErrors(programs).map((error) => {
    return errorLine(context, base, error, replacedFile(programs, overlay, error));
  });
  const reviews = changedBehaviour(context, importers).map((change) => reviewLine(compiler, base, change));
  return {
    format: 1,
    files: importers.length,
    lines: sorted([...errors, ...withoutErrors(reviews, errors)]),
    notes,
  };
}

const maxMessage = 300;

function errorLine(
  { compiler, causeOf }: Context,
  base: string,
  error: LocatedError,
  replaced: Pick<Change, "sentence" | "advice"> | null,
): ImpactLine {
  const { file, start, length, code } = error;
  const cause = causeOf(cluesOf(compiler, error));
  const node = nodeAt(compiler, file, start, length);
  const message = textOf(compiler, error)
    .replace(/import\("([^"]+)"\)/g, (_, path: string) => `import("${posix.relative(base, path)}")`)
    .replaceAll(`${base}/`, "");
  const { sentence, advice } = replaced ?? cause ?? { sentence: unknownCause, advice: null };
  return {
    ...positionOf(base, file, start),
    kind: "type",
    isBreaking: true,
    change: sentence,
    advice: advice ?? renameAt(compiler, node, cause?.rename ?? null),
    breaks: cause?.difference.breaks ?? [],
    code: `TS${code}`,
    message: plain(message, maxMessage),
  };
}

const unknownCause = "generated code that this line uses changes";

function reviewLine(
  compiler: Compiler,
  base: string,
  { node, isBreaking, cause, sentence, advice }: BehaviourChange,
): ImpactLine {
  return {
    ...positionOf(base, node.getSourceFile(), node.getStart()),
    kind: "behaviour",
    isBreaking,
    change: sentence ?? cause.sentence,
    advice: advice ?? cause.advice ?? renameAt(compiler, node, cause.rename),
    breaks: cause.difference.breaks,
    code: null,
    message: null,
  };
}

/** What to write instead of a renamed member. In a shorthand, the variable keeps its name. */
function renameAt(compiler: Compiler, { parent }: ts.Node, rename: Rename | null): string | null {
  if (rename === null) return null;
  const { from, to } = rename;
  const isVariable =
    compiler.isShorthandPropertyAssignment(parent) ||
    (compiler.isBindingElement(parent) && parent.propertyName === undefined);
  return `write ${quote(isVariable ? `${to}: ${from}` : to)}`;
}

/** Leaves out what an error at the same place or of the same cause already says, and repetitions on one line. */
function withoutErrors(reviews: readonly ImpactLine[], errors: readonly ImpactLine[]): ImpactLine[] {
  const positionKey = ({ file, line, column }: ImpactLine): string => `${file}:${line}:${column}`;
  const causeKey = ({ file, line, change }: ImpactLine): string => `${file}:${line} ${change}`;
  const known = new Set([...errors.map(positionKey), ...errors.map(causeKey)]);
  return reviews.filter((line) => {
    if (known.has(positionKey(line)) || known.has(causeKey(line))) return false;
    known.add(causeKey(line));
    return true;
  });
}

function positionOf(
  base: string,
  file: ts.SourceFile,
  start: number,
): Pick<ImpactLine, "file" | "line" | "column"> {
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return { file: posix.relative(base, file.fileName), line: line + 1, column: character + 1 };
}

function sorted(lines: readonly ImpactLine[]): ImpactLine[] {
  const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return [...lines].sort(
    (a, b) => byText(a.file, b.file) || a.line - b.line || a.column - b.column || byText(a.change, b.change),
  );
}
