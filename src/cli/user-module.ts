/**
 * Runs a module of the user's own, in TypeScript too and on every Node alike. Nothing of it is kept, neither on the disk,
 * where nothing but output is written, nor between two runs of `--watch`.
 *
 * @throws whatever the module throws, or what keeps it from being run.
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
