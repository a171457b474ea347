import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Runs a user's module, in TypeScript too, with any supported Node.js version.
 * Writes nothing to the disk and caches nothing between runs of `--watch`.
 *
 * @throws the error of the module, or the reason why it cannot run
 */
export async function runModule(
  path: string,
  virtualModules: Record<string, Record<string, unknown>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(path, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules,
  });
  return await endingAtSignals(() => jiti.import(path));
}

/**
 * A module of the user and the files that it imports, directly or not, outside
 * of packages.
 */
export async function modulesOf(path: string): Promise<string[]> {
  const [{ createJiti }, { ts }] = await Promise.all([
    import("jiti"),
    import("ts-morph"),
  ]);
  const { esmResolve } = createJiti(path);
  const paths = new Set([path]);
  // The set grows while it is read.
  for (const from of paths) {
    const text = await readFile(from, "utf8").catch(() => "");
    for (const { fileName } of ts.preProcessFile(text, true, true)
      .importedFiles) {
      // A module of Node.js gets the URL of a file that is not there.
      if (isBuiltin(fileName)) continue;
      const url = esmResolve(fileName, {
        parentURL: pathToFileURL(from).href,
        try: true,
      });
      if (url?.startsWith("file:") && !url.includes("/node_modules/"))
        paths.add(fileURLToPath(url));
      // A file that is missing now may come back.
      else if (url === undefined && fileName.startsWith("."))
        paths.add(resolve(dirname(from), fileName));
    }
  }
  return [...paths];
}

/**
 * Loads a module of the user. Meanwhile a signal ends the process at once, as
 * without handlers, because a module may never return.
 */
export async function endingAtSignals<T>(load: () => Promise<T>): Promise<T> {
  const listeners = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(
    (signal) => [signal, process.listeners(signal)] as const,
  );
  for (const [signal] of listeners) process.removeAllListeners(signal);
  try {
    return await load();
  } finally {
    for (const [signal, all] of listeners)
      all.forEach((listener) => process.on(signal, listener));
  }
}
