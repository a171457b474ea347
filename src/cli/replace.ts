import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { usageError } from "./command-error.js";

/** Writes a file of the user's: the whole of it or none. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, text, { flag: "wx" });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    // The system's own words name the file that was written aside, which nobody has heard of.
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw usageError(
      "MG810",
      `${basename(path)} cannot be written into ${dirname(path)} (${code})`,
      "see that the folder is there, that you may write into it, and that the disk is not full",
    );
  }
}
