import { posix } from "node:path";
import type { ts } from "ts-morph";
import type { Overlay } from "./overlay.js";
import type { Programs } from "./programs.js";

/**
 * The user's files that the generated files can affect: those that import them, directly or through other files. All
 * files if one of these changes the global scope or the types of another module.
 */
export function affectedFiles(programs: Programs, overlay: Overlay): readonly ts.SourceFile[] {
  const { compiler, after, edges } = programs;
  const importers = new Map<string, string[]>();
  for (const [from, targets] of edges)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), from]);
  const all = after.getSourceFiles();
  for (const { fileName, referencedFiles } of all) {
    for (const reference of referencedFiles) {
      const target = posix.join(posix.dirname(fileName), reference.fileName);
      importers.set(target, [...(importers.get(target) ?? []), fileName]);
    }
  }
  const importingFiles = new Set<string>();
  const queue = [...importers.keys(), ...all.map(({ fileName }) => fileName)].filter(
    (path) => overlay.generated(path) !== null,
  );
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const importer of importers.get(path) ?? []) {
      if (importingFiles.has(importer)) continue;
      importingFiles.add(importer);
      queue.push(importer);
    }
  }
  const own = all.filter((file) => isUsersFile(programs, overlay, file));
  const affected = own.filter(({ fileName }) => importingFiles.has(fileName));
  const isGlobal = [...affected, ...all.filter(({ fileName }) => overlay.generated(fileName) !== null)].some(
    (file) =>
      !compiler.isExternalModule(file) || file.statements.some((each) => isAugmentation(programs, each)),
  );
  return isGlobal && affected.length > 0 ? own : affected;
}

function isUsersFile({ after, base }: Programs, overlay: Overlay, file: ts.SourceFile): boolean {
  return (
    overlay.generated(file.fileName) === null &&
    !after.isSourceFileDefaultLibrary(file) &&
    !after.isSourceFileFromExternalLibrary(file) &&
    !isDependency(file.fileName, base)
  );
}

/** True for a file in `node_modules`; the program itself may be in one. */
function isDependency(path: string, base: string): boolean {
  return (path.startsWith(`${base}/`) ? path.slice(base.length) : path).includes("/node_modules/");
}

/** `declare global` or `declare module "x"`. */
function isAugmentation({ compiler }: Programs, statement: ts.Statement): boolean {
  return (
    compiler.isModuleDeclaration(statement) &&
    (compiler.isStringLiteral(statement.name) ||
      (statement.flags & compiler.NodeFlags.GlobalAugmentation) !== 0)
  );
}
