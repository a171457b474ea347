// Whether a mutant passes the compiler: one that does not is caught already.
import { dirname, join } from "node:path";
import ts from "typescript";

/** Checks changed texts of sources in memory. */
export function makeChecker(root) {
  const config = join(root, "tsconfig.json");
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...json, include: ["src"] },
    ts.sys,
    dirname(config),
  );
  const changed = new Map();
  let version = 0;
  const texts = new Map();
  const read = (path) => {
    if (!texts.has(path)) texts.set(path, ts.sys.readFile(path));
    return texts.get(path);
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => String(changed.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = changed.get(path)?.text ?? read(path);
      return text === undefined
        ? undefined
        : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: ts.sys.fileExists,
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });

  /** Whether a source with this text has no fault for the compiler. */
  return (path, text) => {
    const file = join(root, path);
    version += 1;
    changed.set(file, { text, version });
    const faults =
      service.getSyntacticDiagnostics(file).length ||
      service.getSemanticDiagnostics(file).length;
    version += 1;
    changed.set(file, { text: read(file), version });
    return faults === 0;
  };
}
