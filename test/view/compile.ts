import { fileURLToPath } from "node:url";
import ts from "typescript";

/** All strictness options of the compiler. */
const strictest: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  declaration: true,
  isolatedDeclarations: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  skipLibCheck: false,
  noEmit: true,
};

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}generated-in-memory`;
const parsed = new Map<string, ts.SourceFile | undefined>();
/**
 * The texts of `protocol/` folders without errors. Projects often have the same
 * folder, which imports nothing of the project.
 */
const sound = new Set<string>();

/**
 * The errors that the compiler reports for files with these options, by default
 * the strictest ones, and the types of these packages.
 */
export function compile(
  files: ReadonlyMap<string, string>,
  types: readonly string[] = [],
  chosen: ts.CompilerOptions = strictest,
): string[] {
  const options: ts.CompilerOptions = {
    ...chosen,
    types: [...types],
    skipLibCheck: types.length > 0,
    paths: {
      "@mcpgen/auth": [`${root}src/auth/index.ts`],
      "@mcpgen/auth/*": [`${root}src/auth/*.ts`],
      "@mcpgen/runtime": [`${root}src/runtime/index.ts`],
      "@mcpgen/runtime/*": [`${root}src/runtime/*.ts`],
    },
  };
  const base = ts.createCompilerHost(options);
  const textOf = (path: string): string | undefined =>
    path.startsWith(`${folder}/`)
      ? files.get(path.slice(folder.length + 1))
      : undefined;
  const isFolder = (path: string): boolean =>
    path === folder ||
    [...files.keys()].some((file) =>
      `${folder}/${file}`.startsWith(`${path}/`),
    );
  const host: ts.CompilerHost = {
    ...base,
    fileExists: (path) => textOf(path) !== undefined || base.fileExists(path),
    directoryExists: (path) =>
      isFolder(path) || (base.directoryExists?.(path) ?? true),
    readFile: (path) => textOf(path) ?? base.readFile(path),
    getSourceFile: (path, language) => {
      const text = textOf(path);
      if (text !== undefined) return ts.createSourceFile(path, text, language);
      if (!parsed.has(path))
        parsed.set(path, base.getSourceFile(path, language));
      return parsed.get(path);
    },
  };
  const program = ts.createProgram(
    [...files.keys()].map((path) => `${folder}/${path}`),
    options,
    host,
  );
  const protocol = [...files].filter(([path]) => path.startsWith("protocol/"));
  const key = JSON.stringify(protocol);
  const known = sound.has(key) ? `${folder}/protocol/` : null;
  const own = program
    .getSourceFiles()
    .filter(
      ({ fileName }) =>
        fileName.startsWith(`${folder}/`) &&
        (known === null || !fileName.startsWith(known)),
    );
  const errors = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
    ...program.getDeclarationDiagnostics(file),
  ]);
  if (errors.length === 0) sound.add(key);
  return [...program.getOptionsDiagnostics(), ...errors].map(
    ({ file, start, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, " ");
      if (file === undefined) return text;
      const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
      const source = file.text.split("\n")[line]?.trim().slice(0, 160);
      return `${file.fileName.slice(folder.length + 1)}:${line + 1} ${text}: ${source}`;
    },
  );
}
