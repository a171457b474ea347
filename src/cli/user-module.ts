/**
 * Runs a user's module, in TypeScript too, with any supported Node.js version. Writes nothing to the disk and caches
 * nothing between runs of `--watch`.
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

/** Loads a module of the user. Meanwhile a signal ends the process at once, as without handlers, because a module may never return. */
export async function endingAtSignals<T>(load: () => Promise<T>): Promise<T> {
  const listeners = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(
    (signal) => [signal, process.listeners(signal)] as const,
  );
  for (const [signal] of listeners) process.removeAllListeners(signal);
  try {
    return await load();
  } finally {
    for (const [signal, all] of listeners) all.forEach((listener) => process.on(signal, listener));
  }
}
