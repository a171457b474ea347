import { posix } from "node:path";
import type { ts } from "ts-morph";
import { byText } from "../../../common/by-text.js";
import { changedBehaviour } from "./behaviour/index.js";
import { causesIn, cluesOf, replacedFile } from "./cause.js";
import { compare, type Explanation, type Rename } from "./changes.js";
import { type Compiler, loadCompiler } from "../../../cli/compile/compiler.js";
import type { Impact, ImpactLine, ImpactOptions } from "./model.js";
import { originsIn } from "./origins.js";
import { overlayOf } from "./overlay.js";
import {
  createPrograms,
  type LocatedError,
  newErrors,
  nodeOf,
  type Programs,
  textOf,
} from "./programs.js";
import { plain, quote } from "./sentences.js";

export type {
  Impact,
  ImpactFolder,
  ImpactLine,
  ImpactOptions,
} from "./model.js";
export { impactMarkdown, impactText } from "./render.js";

/**
 * The lines of a TypeScript program that a change of its generated files
 * touches. Reads the program from the disk and writes nothing.
 *
 * @throws SchemaError if the tsconfig cannot be used.
 */
export async function impactOf(options: ImpactOptions): Promise<Impact> {
  const loaded = await loadCompiler(options.tsconfig);
  const { ts: compiler } = loaded;
  const compared = options.folders.map(compare);
  const overlay = overlayOf(compared, compiler.sys.useCaseSensitiveFileNames);
  const programs = createPrograms(loaded, options, overlay);
  const { before, after, files, importers, notes } = programs;
  const checker = before.getTypeChecker();
  const origins = originsIn(compiler, checker, overlay);
  const likelyChange = causesIn(compared);
  const context = {
    compiler,
    checker,
    newChecker: after.getTypeChecker(),
    origins,
    compared,
    likelyChange,
  };
  const errors = newErrors(programs).map((error) => {
    const cause = likelyChange(...cluesOf(compiler, error));
    const known = replacedFile(programs, overlay, error) ?? cause ?? unclear;
    return lineAt(programs, nodeOf(compiler, error), error.start, known, {
      kind: "type",
      isBreaking: true,
      effects: cause?.difference.effects ?? [],
      code: `TS${error.code}`,
      message: messageOf(programs, error),
    });
  });
  const reviews = changedBehaviour(context, files, importers).map(
    ({ node, isBreaking, cause }) => {
      const { effects } = cause.difference;
      const rest = {
        kind: "behaviour",
        isBreaking,
        effects,
        code: null,
        message: null,
      } as const;
      return lineAt(programs, node, node.getStart(), cause, rest);
    },
  );
  return {
    format: 2,
    files: importers.length,
    lines: sorted([...errors, ...withoutErrors(reviews, errors)]),
    notes,
  };
}

const unclear: Explanation = {
  sentence: "a type that this line uses changes",
  advice: null,
  rename: null,
};

function lineAt(
  { compiler, base }: Programs,
  node: ts.Node,
  start: number,
  { sentence, advice, rename }: Explanation,
  rest: Pick<
    ImpactLine,
    "kind" | "isBreaking" | "effects" | "code" | "message"
  >,
): ImpactLine {
  const { line, character } = node
    .getSourceFile()
    .getLineAndCharacterOfPosition(start);
  return {
    file: posix.relative(base, node.getSourceFile().fileName),
    line: line + 1,
    column: character + 1,
    change: sentence,
    advice: advice ?? renameAt(compiler, node, rename),
    ...rest,
  };
}

const maxMessage = 300;

/** The text of an error, with paths relative to the program. */
function messageOf({ compiler, base }: Programs, error: LocatedError): string {
  const text = textOf(compiler, error).replace(
    /import\("([^"]+)/g,
    (_, path: string) => `import("${posix.relative(base, path)}`,
  );
  return plain(text.replaceAll(`${base}/`, ""), maxMessage);
}

/**
 * What to write instead of a renamed member. In a shorthand, the variable keeps
 * its name.
 */
function renameAt(
  compiler: Compiler,
  { parent }: ts.Node,
  rename: Rename | null,
): string | null {
  if (rename === null) return null;
  const { from, to } = rename;
  const isVariable =
    compiler.isShorthandPropertyAssignment(parent) ||
    (compiler.isBindingElement(parent) && parent.propertyName === undefined);
  return `write ${quote(isVariable ? `${to}: ${from}` : to)}`;
}

/**
 * Leaves out what an error at the same place or of the same cause already says,
 * and repetitions on one line.
 */
function withoutErrors(
  reviews: readonly ImpactLine[],
  errors: readonly ImpactLine[],
): ImpactLine[] {
  const positionKey = ({ file, line, column }: ImpactLine): string =>
    `${file}:${line}:${column}`;
  const causeKey = ({ file, line, change }: ImpactLine): string =>
    `${file}:${line} ${change}`;
  const known = new Set([...errors.map(positionKey), ...errors.map(causeKey)]);
  return reviews.filter((line) => {
    if (known.has(positionKey(line)) || known.has(causeKey(line))) return false;
    known.add(causeKey(line));
    return true;
  });
}

function sorted(lines: readonly ImpactLine[]): ImpactLine[] {
  return [...lines].sort(
    (a, b) =>
      byText(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      byText(a.change, b.change),
  );
}
