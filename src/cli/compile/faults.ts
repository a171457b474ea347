import { sep } from "node:path";
import type { ts } from "ts-morph";
import type { Location } from "../../generator/diagnostics.js";
import { findUp } from "../destination/find.js";
import { compilerName, loadCompiler } from "./compiler.js";
import { programsOf, type TextOf } from "./programs.js";

/** A path as the compiler writes it. */
export const posix = (path: string): string => path.replaceAll(sep, "/");

/** What the compiler of a project says about new texts of its files. */
export interface Faults {
  readonly compiler: string;
  /** The errors that the project does not have with its texts of now. */
  readonly list: readonly {
    readonly location: Location;
    readonly message: string;
  }[];
}

/**
 * Compiles a project in memory with the new texts of some files, which are
 * roots of it. Files of JavaScript are checked too. A module that is not
 * installed is not reported: the command reports missing packages itself.
 *
 * @param folder Where the tsconfig.json of the project is looked for.
 */
export async function faultsOf(
  folder: string,
  roots: readonly string[],
  textOf: TextOf,
  overrides: ts.CompilerOptions = {},
): Promise<Faults> {
  const tsconfig = await findUp(folder, "tsconfig.json");
  const loaded = await loadCompiler(tsconfig?.path ?? `${folder}/index.ts`);
  const { options, fileNames, isChecked } = settingsOf(
    loaded.ts,
    tsconfig?.path,
    roots,
  );
  const names = [...new Set([...fileNames, ...roots])];
  const programWith = programsOf(loaded, names, { ...options, ...overrides });
  // What is only in memory beside the roots is generated, and correct.
  const isOwn = ({ fileName, isDeclarationFile }: ts.SourceFile): boolean =>
    roots.includes(fileName) ||
    (!isDeclarationFile &&
      !fileName.includes("/node_modules/") &&
      textOf(fileName) === undefined);
  const errorsWith = (texts: TextOf) =>
    errorsOf(programWith(texts), isOwn, isChecked);
  const errors = errorsWith(textOf);
  // An error of now is known by its file and its words: its line may move.
  const known = new Map<string, number>();
  for (const { key } of errors.length > 0 ? errorsWith(() => undefined) : [])
    known.set(key, (known.get(key) ?? 0) + 1);
  const list = errors.filter(({ key }) => {
    const count = known.get(key) ?? 0;
    known.set(key, count - 1);
    return count <= 0;
  });
  return { compiler: compilerName(loaded), list };
}

/**
 * The options of a project; those of most servers if it has none. A project may
 * refer to several: the first one with a root is used.
 */
function settingsOf(
  compiler: typeof ts,
  tsconfig: string | undefined,
  roots: readonly string[],
): {
  options: ts.CompilerOptions;
  fileNames: readonly string[];
  /** True if the project checks its files of JavaScript itself. */
  isChecked: boolean;
} {
  const host: ts.ParseConfigFileHost = {
    ...compiler.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  };
  const parse = (path: string): ts.ParsedCommandLine | undefined =>
    compiler.getParsedCommandLineOfConfigFile(path, undefined, host);
  const own = tsconfig === undefined ? undefined : parse(tsconfig);
  const referred = (own?.projectReferences ?? []).map((reference) =>
    parse(compiler.resolveProjectReferencePath(reference)),
  );
  const parsed =
    [own, ...referred].find((one) =>
      one?.fileNames.some((name) => roots.includes(name)),
    ) ?? own;
  const fixed: ts.CompilerOptions = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    incremental: false,
    composite: false,
  };
  if (parsed)
    return {
      fileNames: parsed.fileNames,
      options: { ...parsed.options, ...fixed },
      isChecked: parsed.options.checkJs === true,
    };
  return {
    options: {
      ...fixed,
      strict: false,
      target: compiler.ScriptTarget.ES2022,
      module: compiler.ModuleKind.ESNext,
      moduleResolution: compiler.ModuleResolutionKind.Bundler,
    },
    fileNames: [],
    isChecked: false,
  };
}

/**
 * The errors that also end a program of JavaScript whose types nobody checks: a
 * name or a member that is not there, is used too early, or is called with too
 * few arguments.
 */
const failing: ReadonlySet<number> = new Set([
  2304, 2305, 2339, 2448, 2454, 2551, 2552, 2554,
]);

/**
 * "Cannot find module", the same for a module without declarations, and a file
 * outside of `rootDir`, which says where output goes: there is none.
 */
const ignored: ReadonlySet<number> = new Set([2307, 2792, 7016, 6059]);

/** The errors of some files of a program, in their order. */
function errorsOf(
  program: ts.Program,
  isOwn: (file: ts.SourceFile) => boolean,
  isChecked: boolean,
) {
  return program
    .getSourceFiles()
    .filter(isOwn)
    .flatMap((file) =>
      [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ].flatMap(({ code, start = 0, messageText }) => {
        const isLoose = !isChecked && /\.[cm]?jsx?$/.test(file.fileName);
        if (ignored.has(code) || (isLoose && !failing.has(code))) return [];
        const text =
          typeof messageText === "string"
            ? messageText
            : messageText.messageText;
        const { line, character } = file.getLineAndCharacterOfPosition(start);
        const message = `TS${code} ${text}`;
        return {
          key: `${file.fileName} ${message}`,
          message,
          location: {
            file: file.fileName,
            line: line + 1,
            column: character + 1,
          },
        };
      }),
    );
}
