import { nodeProcess } from "./platform.js";

/**
 * Throws an error with this message if the package that `load` imports is not
 * installed. In a bundle and outside Node this cannot be checked; there the
 * first use fails.
 */
export function checkInstalled(
  name: string,
  load: unknown,
  message: string,
): void {
  // A bundler that includes the package also rewrites the import.
  const isImported = new RegExp(
    `\\b(import|require)\\(["']${name}["']\\)`,
  ).test(String(load));
  if (isImported && !isInstalled(name)) throw new Error(message);
}

/**
 * False if Node cannot find a package from this file; true on other platforms.
 * The path of the file is read from a stack, because `import.meta` cannot be
 * compiled to CommonJS, for example by Jest.
 */
function isInstalled(name: string): boolean {
  const process = nodeProcess();
  if (!process) return true;
  const { prepareStackTrace } = Error;
  let file: unknown;
  try {
    Error.prepareStackTrace = fileOfFrame;
    file = new Error().stack;
    Error.prepareStackTrace = prepareStackTrace;
  } catch {
    // With --frozen-intrinsics the first assignment throws.
    return true;
  }
  if (!/^(file:|\/|[a-z]:\\)/i.test(String(file))) return true;
  try {
    process
      .getBuiltinModule("node:module")
      .createRequire(String(file))
      .resolve(name);
    return true;
  } catch {
    return false;
  }
}

const fileOfFrame = (_: Error, [frame]: NodeJS.CallSite[]): unknown =>
  frame?.getFileName();
