import { posix } from "node:path";
import type { ts } from "ts-morph";
import { schemaError } from "../../../generator/diagnostics.js";
import type {
  Compiler,
  LoadedCompiler,
} from "../../../cli/compile/compiler.js";
import { programsOf } from "../../../cli/compile/programs.js";
import type { ImpactOptions } from "./model.js";
import type { Overlay } from "./overlay.js";
import { reachable } from "../../../generator/ir/lookup.js";

/**
 * The user's program with the generated files on the disk, and with the new
 * ones.
 */
export interface Programs {
  readonly compiler: Compiler;
  readonly before: ts.Program;
  readonly after: ts.Program;
  /** The user's own files, which are the same in both programs. */
  readonly files: readonly ts.SourceFile[];
  /** Those that import generated files, directly or through other files. */
  readonly importers: readonly ts.SourceFile[];
  /** The folder of the tsconfig, with forward slashes. */
  readonly base: string;
  readonly notes: readonly string[];
}

/**
 * Creates both programs. They share the syntax trees of all files that do not
 * change.
 *
 * @throws SchemaError if the tsconfig cannot be used.
 */
export function createPrograms(
  loaded: LoadedCompiler,
  { tsconfig }: ImpactOptions,
  overlay: Overlay,
): Programs {
  const compiler = loaded.ts;
  const {
    options,
    fileNames: rootNames,
    projectReferences = [],
  } = parseConfig(compiler, tsconfig);
  const programWith = programsOf(loaded, rootNames, options);
  const before = programWith(() => undefined);
  const after = programWith(overlay.textOf);
  const base = posix.dirname(tsconfig.replaceAll("\\", "/"));
  const files = after.getSourceFiles().filter((file) => {
    const { fileName } = file;
    if (
      before.getSourceFile(fileName) !== file ||
      overlay.generated(fileName) !== null
    )
      return false;
    // The program itself may be inside `node_modules`.
    const path = fileName.startsWith(`${base}/`)
      ? fileName.slice(base.length)
      : fileName;
    return !path.includes("/node_modules/");
  });

  /** The files that import a file. */
  const importers = new Map<string, string[]>();
  for (const { fileName, text } of files) {
    for (const { fileName: name } of compiler.preProcessFile(text, true, true)
      .importedFiles) {
      const module = compiler.resolveModuleName(
        name,
        fileName,
        options,
        compiler.sys,
      ).resolvedModule;
      const target = module?.resolvedFileName ?? "";
      importers.set(target, [...(importers.get(target) ?? []), fileName]);
    }
  }
  const generated = [...importers.keys()].filter(
    (path) => overlay.generated(path) !== null,
  );
  const reached = reachable(generated, (path) => importers.get(path) ?? []);
  const note =
    "Referenced projects are not compared. Name the tsconfig.json of each project in `update.tsconfig`.";
  return {
    compiler,
    before,
    after,
    files,
    importers: files.filter(({ fileName }) => reached.has(fileName)),
    base,
    notes: projectReferences.length > 0 ? [note] : [],
  };
}

function parseConfig(
  compiler: Compiler,
  tsconfig: string,
): ts.ParsedCommandLine {
  const { sys } = compiler;
  if (!sys.fileExists(tsconfig)) {
    throw schemaError(
      "MG760",
      `no such file: ${tsconfig}`,
      "name the tsconfig.json of your program",
    );
  }
  const issues: ts.Diagnostic[] = [];
  const host: ts.ParseConfigFileHost = {
    ...sys,
    onUnRecoverableConfigFileDiagnostic: (issue) => issues.push(issue),
  };
  // Nothing is written, and one program is compared as a whole.
  const settings: ts.CompilerOptions = {
    noEmit: true,
    incremental: false,
    composite: false,
  };
  const parsed = compiler.getParsedCommandLineOfConfigFile(
    tsconfig,
    settings,
    host,
  );
  const [first] = [...issues, ...(parsed?.errors ?? [])];
  if (parsed === undefined || first !== undefined) {
    const reason =
      first === undefined ? "it cannot be read" : textOf(compiler, first);
    throw schemaError(
      "MG760",
      `${tsconfig} cannot be used: ${reason}`,
      "correct it until tsc accepts it",
    );
  }
  return parsed;
}

/** An error of the compiler with its place. */
export type LocatedError = ts.DiagnosticWithLocation;

/**
 * The errors of the new program in the user's files that the old program does
 * not have.
 */
export function newErrors({
  before,
  after,
  files,
}: Programs): readonly LocatedError[] {
  const keyOf = ({ start, code }: LocatedError): string => `${start} ${code}`;
  return files.flatMap((file) => {
    const errors = errorsOf(after, file);
    // Only a file with errors is also checked in the old program.
    const known = new Set(
      errors.length === 0 ? [] : errorsOf(before, file).map(keyOf),
    );
    return errors.filter((error) => !known.has(keyOf(error)));
  });
}

function errorsOf(
  program: ts.Program,
  file: ts.SourceFile,
): readonly LocatedError[] {
  const { declaration, composite } = program.getCompilerOptions();
  const isDeclared = declaration === true || composite === true;
  const declared = isDeclared ? program.getDeclarationDiagnostics(file) : [];
  return [...program.getSemanticDiagnostics(file), ...declared].filter(
    (error): error is LocatedError =>
      error.file !== undefined && error.start !== undefined,
  );
}

/** The text of a diagnostic on one line. */
export function textOf(
  compiler: Compiler,
  { messageText }: ts.DiagnosticRelatedInformation,
): string {
  return compiler
    .flattenDiagnosticMessageText(messageText, " ")
    .replace(/\s+/g, " ");
}

/** The innermost node at the place of an error. */
export function nodeOf(
  compiler: Compiler,
  { file, start, length }: LocatedError,
): ts.Node {
  const innerOf = (node: ts.Node): ts.Node =>
    compiler.forEachChild(node, (child) =>
      child.getStart(file) <= start && child.end >= start + length
        ? innerOf(child)
        : undefined,
    ) ?? node;
  return innerOf(file);
}
