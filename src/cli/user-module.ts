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
  return await jiti.import(path);
}
