import { onTestFinished } from "vitest";

/**
 * Calls functions after the test that runs, the last one first. A hook of a
 * module would do so only for the first file that imports the module, because
 * the files of a process share their modules.
 */
export function afterTest(...closing: readonly (() => unknown)[]): void {
  for (const close of closing)
    onTestFinished(async () => {
      await close();
    });
}
