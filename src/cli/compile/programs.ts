import type { ts } from "ts-morph";
import type { LoadedCompiler } from "./compiler.js";

/**
 * The text that replaces a file: null for a file that is removed, undefined for
 * a file that stays as it is on the disk.
 */
export type TextOf = (path: string) => string | null | undefined;

/**
 * Returns a function that makes a program with some of its files replaced. All
 * its programs share the syntax trees of the files that do not change.
 */
export function programsOf(
  { ts: compiler, inMemory, libFolder }: LoadedCompiler,
  rootNames: readonly string[],
  options: ts.CompilerOptions,
): (textOf: TextOf) => ts.Program {
  const disk = compiler.createCompilerHost(options, true);
  const trees = new Map<string, ts.SourceFile>();
  const hostOf = (textOf: TextOf): ts.CompilerHost => {
    const readFile = (path: string): string | undefined => {
      const text = textOf(path);
      return text === null
        ? undefined
        : (text ?? inMemory(path) ?? disk.readFile(path));
    };
    return {
      ...disk,
      readFile,
      ...(libFolder !== null && {
        getDefaultLibLocation: () => libFolder,
        getDefaultLibFileName: (of) =>
          `${libFolder}/${compiler.getDefaultLibFileName(of)}`,
      }),
      fileExists: (path) => readFile(path) !== undefined,
      // A folder may be only in memory.
      directoryExists: () => true,
      getSourceFile: (path, language) => {
        const text = readFile(path);
        const known = trees.get(path);
        if (text === undefined || known?.text === text)
          return text === undefined ? undefined : known;
        const tree = compiler.createSourceFile(path, text, language, true);
        trees.set(path, tree);
        return tree;
      },
    };
  };
  return (textOf) =>
    compiler.createProgram({ rootNames, options, host: hostOf(textOf) });
}
