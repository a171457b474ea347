import { rename, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { usageFault } from "./fault.js";

/** Writes a file of the user's: the whole of it or none. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, text, { flag: "wx" });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw usageFault("MG810", `${basename(path)} cannot be written: ${reason}`);
  }
}
