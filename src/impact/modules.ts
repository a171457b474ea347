import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";

/** The absolute paths of the files that a file imports. */
export type Edges = Map<string, Set<string>>;

type Resolve = NonNullable<ts.CompilerHost["resolveModuleNameLiterals"]>;

/** Resolves imports as the compiler does, and records them. */
export function resolver(
  compiler: Compiler,
  host: ts.CompilerHost,
  options: ts.CompilerOptions,
  edges: Edges,
): Resolve {
  const { getCanonicalFileName } = host;
  const cache = compiler.createModuleResolutionCache(
    host.getCurrentDirectory(),
    (name) => getCanonicalFileName(name),
    options,
  );
  return (literals, containingFile, redirect, of, file) =>
    literals.map((literal) => {
      const mode = compiler.getModeForUsageLocation(file, literal, of);
      const result = compiler.resolveModuleName(
        literal.text,
        containingFile,
        of,
        host,
        cache,
        redirect,
        mode,
      );
      const target = result.resolvedModule?.resolvedFileName;
      if (target !== undefined) {
        const targets = edges.get(containingFile) ?? new Set();
        edges.set(containingFile, targets.add(target));
      }
      return result;
    });
}
