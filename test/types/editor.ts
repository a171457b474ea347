import { join } from "node:path";
import ts from "typescript";
import { root } from "../repository.js";

/** What an editor says of a file that somebody writes beside the repository's own. */
export interface Editor {
  /** The faults in a text, each as the member that is wrong and the innermost reason. */
  faults(text: string): string[];
  /** What the editor offers at the place that `|` marks. */
  offers(text: string): string[];
}

/** An editor whose file lies in a folder of the repository, beside files that are on no disk. */
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
      const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
      return found.map((fault) => innermost(fault, text));
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
 * `text: Type 'number' is not assignable to type 'string'.` The compiler names the member where the fault is, or in the line
 * before its last; a line about a missing member names it itself.
 */
function innermost({ messageText, start = 0, length = 0 }: ts.Diagnostic, text: string): string {
  const lines = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n");
  const reason = lines.at(-1)?.trim() ?? "";
  if (reason.startsWith("Property ")) return reason;
  const [, named] = /(?:property|types of) '(?:.*\.)?(\w+)' /.exec(lines.at(-2) ?? "") ?? [];
  return `${named ?? text.slice(start, start + length)}: ${reason}`;
}
