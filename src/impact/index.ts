import { posix } from "node:path";
import type { ts } from "ts-morph";
import { renameAt } from "./advice.js";
import { affectedFiles } from "./affected.js";
import { changedBehaviour, type BehaviourChange } from "./behaviour/index.js";
import { causesOf, compare, nodeOf, type CauseContext } from "./cause.js";
import { changesOf, type Change } from "./changes.js";
import { loadCompiler } from "./compiler.js";
import { newErrors, type LocatedError } from "./errors.js";
import type { Impact, ImpactLine, ImpactOptions } from "./model.js";
import { originsIn } from "./origins.js";
import { overlayOf } from "./overlay.js";
import { createPrograms, textOf } from "./programs.js";
import { plain } from "./quote.js";

export type { Impact, ImpactFolder, ImpactLine, ImpactOptions } from "./model.js";
export { impactMarkdown } from "./render/markdown.js";
export { impactText } from "./render/text.js";

/**
 * The lines of a TypeScript program that a change of its generated files touches. Reads the program from the disk and
 * writes nothing.
 *
 * @throws SchemaError if the tsconfig cannot be used.
 */
export async function impactOf(options: ImpactOptions): Promise<Impact> {
  const loaded = await loadCompiler(options.tsconfig);
  const overlay = overlayOf(options.folders, loaded.ts.sys.useCaseSensitiveFileNames);
  const programs = createPrograms(loaded, options, overlay);
  const { compiler, before, base, notes } = programs;
  const files = affectedFiles(programs, overlay);
  const context: CauseContext = {
    compiler,
    overlay,
    origins: originsIn(compiler, before.getTypeChecker(), overlay),
    compared: options.folders.map((folder) => compare(folder, changesOf(folder.before, folder.after))),
  };
  const errors = newErrors(programs, files).map((error) => lineOf(context, base, error));
  const old = files.flatMap(({ fileName }) => before.getSourceFile(fileName) ?? []);
  const reviews = changedBehaviour(context, before.getTypeChecker(), old).map((change) =>
    reviewOf(context, base, change),
  );
  return {
    format: 1,
    files: files.length,
    lines: sorted([...errors, ...withoutErrors(reviews, errors)]),
    notes,
  };
}

function lineOf(context: CauseContext, base: string, error: LocatedError): ImpactLine {
  const message = textOf(context.compiler, error);
  const causes = causesOf(context, error, message);
  const [cause] = causes;
  return {
    ...positionOf(base, error.file, error.start),
    kind: "type",
    isBreaking: true,
    change: cause?.sentence ?? "the generated types that this line uses",
    advice: cause === undefined ? null : adviceAt(context, nodeOf(context, error), cause),
    breaks: cause?.breaks ?? [],
    code: `TS${error.code}`,
    message: plain(message, maxMessage),
  };
}

const maxMessage = 300;

function adviceAt({ compiler }: CauseContext, node: ts.Node, { advice, rename }: Change): string | null {
  return advice ?? (rename === null ? null : renameAt(compiler, node, rename));
}

function reviewOf(
  context: CauseContext,
  base: string,
  { node, isBreaking, change, cause, advice }: BehaviourChange,
): ImpactLine {
  const at = positionOf(base, node.getSourceFile(), node.getStart());
  return {
    ...at,
    kind: "behaviour",
    isBreaking,
    change,
    advice: advice ?? adviceAt(context, node, cause),
    breaks: cause.breaks,
    code: null,
    message: null,
  };
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
  file: LocatedError["file"],
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
