import { dirname } from "node:path";
import { errorCode, type Disk } from "./disk.js";
import { WriteError, step } from "./write-error.js";

/** Creates the output directory if it is missing. Returns the created directories, outermost first. */
export async function createDestination(out: string, disk: Disk): Promise<string[]> {
  const missing: string[] = [];
  let path = out;
  while ((await step(`look at ${path}`, () => disk.kind(path))) === null && dirname(path) !== path) {
    missing.unshift(path);
    path = dirname(path);
  }
  if (missing.length === 0) await rejectFile(out, disk);
  else await rejectBrokenLink(path, disk);
  const directories: string[] = [];
  try {
    for (const directory of missing) {
      await step(`create the output directory ${out}`, async () => {
        try {
          await disk.makeDirectory(directory);
          directories.push(directory);
        } catch (error) {
          // Another run may have created it. If it is not a directory, the next step fails.
          if (errorCode(error) !== "EEXIST") throw error;
        }
      });
    }
  } catch (error) {
    await removeDirectories(directories, disk);
    throw error;
  }
  return directories;
}

/** Removes directories that an unsuccessful run created. */
export async function removeDirectories(directories: readonly string[], disk: Disk): Promise<void> {
  for (const directory of [...directories].reverse())
    await disk.removeDirectory(directory).catch(() => undefined);
}

/** Throws if the output directory is a file, or a link to nothing. A link to a directory is allowed. */
export async function rejectFile(out: string, disk: Disk): Promise<void> {
  const kind = await step(`look at the output directory ${out}`, () => disk.kind(out));
  if (kind === "file" || kind === "other") {
    throw new WriteError("MG806", `the output directory ${out} is a file`, "choose another --out");
  }
  await rejectBrokenLink(out, disk);
}

async function rejectBrokenLink(path: string, disk: Disk): Promise<void> {
  if ((await disk.kind(path)) !== "link") return;
  try {
    await disk.list(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return;
    throw new WriteError(
      "MG805",
      `${path} is a symbolic link to a folder that does not exist`,
      "create the folder, or remove the link",
    );
  }
}
