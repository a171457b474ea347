import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { ts } from "ts-morph";

export type Compiler = typeof ts;

/** A compiler, and where the declarations of the standard library are. */
export interface LoadedCompiler {
  readonly ts: Compiler;
  /**
   * The text of a file that is only in memory; undefined for files on the disk.
   */
  readonly inMemory: (path: string) => string | undefined;
  /** The folder with `lib.*.d.ts`, if it is only in memory. */
  readonly libFolder: string | null;
}

/** Which compiler it is, for messages. */
export const compilerName = ({
  ts,
  libFolder: folder,
}: LoadedCompiler): string =>
  `TypeScript ${ts.version} of ${folder === null ? "the project" : "mcpgen"}`;

/**
 * The compiler of the user's program, so that its errors are those of the
 * user's `tsc`. If the program has none, or one without an API, the compiler of
 * ts-morph, which has the standard library in memory.
 */
export async function loadCompiler(tsconfig: string): Promise<LoadedCompiler> {
  const own = await ownCompiler(tsconfig);
  if (own !== null)
    return { ts: own, inMemory: () => undefined, libFolder: null };
  const { Project, ts } = await import("ts-morph");
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    useInMemoryFileSystem: true,
  });
  const library = project.getModuleResolutionHost();
  const inMemory = (path: string): string | undefined =>
    path.startsWith(`${libFolder}/`) ? library.readFile(path) : undefined;
  return { ts, inMemory, libFolder };
}

/** The folder that ts-morph gives the standard library. */
const libFolder = "/node_modules/typescript/lib";

async function ownCompiler(tsconfig: string): Promise<Compiler | null> {
  try {
    const path = createRequire(tsconfig).resolve("typescript");
    const module = (await import(pathToFileURL(path).href)) as {
      default?: Compiler;
    };
    return typeof module.default?.createProgram === "function"
      ? module.default
      : null;
  } catch {
    return null;
  }
}
