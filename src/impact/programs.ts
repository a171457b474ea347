import { posix } from "node:path";
import type { ts } from "ts-morph";
import { schemaError } from "../diagnostics.js";
import type { Compiler, LoadedCompiler } from "./compiler.js";
import { resolver, type Edges } from "./modules.js";
import type { ImpactOptions } from "./model.js";
import type { Overlay } from "./overlay.js";

/** The user's program with the generated files on the disk, and with the new ones. */
export interface Programs {
  readonly compiler: Compiler;
  readonly before: ts.Program;
  readonly after: ts.Program;
  /** The files that each file imports, in both programs. */
  readonly edges: Edges;
  /** The folder of the tsconfig, with forward slashes. */
  readonly base: string;
  readonly notes: readonly string[];
}

/**
 * Creates both programs. They share the syntax trees of all files that do not change.
 *
 * @throws SchemaError if the tsconfig cannot be used.
 */
export function createPrograms(
  { ts: compiler, inMemory, libFolder }: LoadedCompiler,
  { tsconfig }: ImpactOptions,
  overlay: Overlay,
): Programs {
  const { options, fileNames, projectReferences } = parseConfig(compiler, tsconfig);
  const base = compiler.createCompilerHost(options, true);
  const trees = new Map<string, ts.SourceFile | undefined>();
  const edges: Edges = new Map();
  const program = (isAfter: boolean, rootNames: readonly string[]): ts.Program => {
    const changed = (path: string): string | null | undefined => (isAfter ? overlay.textOf(path) : undefined);
    const host: ts.CompilerHost = {
      ...base,
      getDefaultLibLocation: () => libFolder ?? base.getDefaultLibLocation?.() ?? "",
      getDefaultLibFileName: (of) =>
        libFolder === null
          ? base.getDefaultLibFileName(of)
          : `${libFolder}/${compiler.getDefaultLibFileName(of)}`,
      fileExists: (path) => {
        const text = changed(path) ?? inMemory(path);
        return text !== undefined ? text !== null : changed(path) !== null && base.fileExists(path);
      },
      directoryExists: (path) =>
        (isAfter && overlay.hasFolder(path)) || (base.directoryExists?.(path) ?? true),
      readFile: (path) => {
        const text = changed(path);
        return text === null ? undefined : (text ?? inMemory(path) ?? base.readFile(path));
      },
      getSourceFile: (path, language, onError) => {
        const text = changed(path);
        if (text === null) return undefined;
        const own = text ?? inMemory(path);
        // An unchanged file is the same object in both programs, so it is parsed and bound once.
        if (text !== undefined && text === base.readFile(path)) return sharedTree();
        if (text !== undefined) return compiler.createSourceFile(path, text, language, true);
        return sharedTree();

        function sharedTree(): ts.SourceFile | undefined {
          if (!trees.has(path)) {
            const tree =
              own === undefined
                ? base.getSourceFile(path, language, onError)
                : compiler.createSourceFile(path, own, language, true);
            trees.set(path, tree);
          }
          return trees.get(path);
        }
      },
    };
    host.resolveModuleNameLiterals = resolver(compiler, host, options, edges);
    return compiler.createProgram({ rootNames, options, host });
  };
  const before = program(false, fileNames);
  const after = program(true, overlay.rootNames(fileNames));
  const notes =
    projectReferences !== undefined && projectReferences.length > 0
      ? ["Referenced projects are not compared. Name the tsconfig.json of each project in `update.tsconfig`."]
      : [];
  const folder = posix.dirname(tsconfig.replaceAll("\\", "/"));
  return { compiler, before, after, edges, base: folder, notes };
}

function parseConfig(compiler: Compiler, tsconfig: string): ts.ParsedCommandLine {
  const { sys } = compiler;
  if (!sys.fileExists(tsconfig)) {
    throw schemaError("MG760", `no such file: ${tsconfig}`, "name the tsconfig.json of your program");
  }
  const issues: ts.Diagnostic[] = [];
  const host: ts.ParseConfigFileHost = {
    ...sys,
    useCaseSensitiveFileNames: sys.useCaseSensitiveFileNames,
    onUnRecoverableConfigFileDiagnostic: (issue) => issues.push(issue),
  };
  // Nothing is written, and one program is compared as a whole.
  const settings: ts.CompilerOptions = { noEmit: true, incremental: false, composite: false };
  const parsed = compiler.getParsedCommandLineOfConfigFile(tsconfig, settings, host);
  const errors = [...issues, ...(parsed?.errors ?? [])];
  const [first] = errors;
  if (parsed === undefined || first !== undefined) {
    const reason = first === undefined ? "it cannot be read" : textOf(compiler, first);
    throw schemaError("MG760", `${tsconfig} cannot be used: ${reason}`, "correct it until tsc accepts it");
  }
  return parsed;
}

/** The text of a diagnostic on one line. */
export function textOf(compiler: Compiler, { messageText }: ts.Diagnostic): string {
  return compiler.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ");
}
