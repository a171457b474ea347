import { join } from "node:path";
import ts from "typescript";
import { root } from "../repository.js";

/** The errors and completions that an editor shows for a file in the repository. */
export interface Editor {
  /** The errors in a text, each as the wrong member and the innermost reason. */
  faults(text: string): string[];
  /** The completions at the position of `|`. */
  offers(text: string): string[];
}

/** An editor with a file in a folder of the repository, beside files that exist only in memory. */
export function openEditor(folder: string, beside: ReadonlyMap<string, string> = new Map()): Editor {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  const texts = new Map([...beside].map(([path, text]) => [join(root, folder, path), text]));
  const file = join(root, folder, "written.ts");
  let version = 0;
  const textOf = (path: string): string | undefined => texts.get(path) ?? ts.sys.readFile(path);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: textOf,
    directoryExists: (path) =>
      [...texts.keys()].some((known) => known.startsWith(`${path}/`)) || ts.sys.directoryExists(path),
  });
  const write = (text: string): void => {
    texts.set(file, text);
    version += 1;
  };
  return {
    faults(text) {
      write(text);
      const diagnostics = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
      return diagnostics.map((fault) => innermost(fault, text));
    },
    offers(text) {
      const at = text.indexOf("|");
      write(text.slice(0, at) + text.slice(at + 1));
      const { entries = [] } = service.getCompletionsAtPosition(file, at, undefined) ?? {};
      return entries.map(({ name }) => name).sort();
    },
  };
}

/**
 * Such as `text: Type 'number' is not assignable to type 'string'.` The compiler names the member where the error is, or in the line
 * before its last; a line about a missing member names that member itself.
 */
function innermost({ messageText, start = 0, length = 0 }: ts.Diagnostic, text: string): string {
  const lines = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n");
  const reason = lines.at(-1)?.trim() ?? "";
  if (reason.startsWith("Property ")) return reason;
  const [, named] = /(?:property|types of) '(?:.*\.)?(\w+)' /.exec(lines.at(-2) ?? "") ?? [];
  return `${named ?? text.slice(start, start + length)}: ${reason}`;
}
