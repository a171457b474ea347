import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** True if an error of the file system has one of the codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error &&
  codes.includes(String((error as NodeJS.ErrnoException).code));

/**
 * The folder where programs of this user keep their settings.
 *
 * @throws Error if the user has no home folder, as in a container whose user id
 *   is unknown
 */
export function settingsFolder(): string {
  const { env, platform } = process;
  if (platform === "win32")
    return env["APPDATA"] ?? join(homeFolder(), "AppData", "Roaming");
  if (platform === "darwin")
    return join(homeFolder(), "Library", "Application Support");
  // A relative path does not count (XDG Base Directory Specification).
  const folder = env["XDG_CONFIG_HOME"];
  return folder?.startsWith("/") ? folder : join(homeFolder(), ".config");
}

function homeFolder(): string {
  try {
    const folder = homedir();
    if (isAbsolute(folder)) return folder;
  } catch {
    // The system does not know the user.
  }
  throw new Error("This user has no home folder. Set HOME, or pass a folder.");
}

/** False on Windows, which protects the folders of a user by other means. */
const hasModes = process.platform !== "win32";

/** Makes a folder that only this user can enter. */
export async function makePrivateFolder(path: string): Promise<void> {
  const newFolder = await mkdir(path, { recursive: true, mode: 0o700 });
  if (newFolder !== undefined && hasModes) await chmod(path, 0o700);
  await checkPrivate(path, "folder", 0o700);
}

/**
 * @throws Error if other users of this machine may read or change a file or
 *   folder with secrets.
 */
export async function checkPrivate(
  path: string,
  kind: string,
  mode: number,
): Promise<void> {
  const stats = await stat(path);
  if (!hasModes || (stats.mode & 0o077) === 0) return;
  throw new Error(
    `The ${kind} ${path} holds tokens, and other users of this machine may use it. Run: chmod ${mode.toString(8)} '${path}'`,
  );
}

/**
 * Replaces a file atomically, so that a reader never gets a part of the text.
 * Only this user can read the file.
 */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(temporaryPath, "wx", 0o600);
    try {
      await file.writeFile(text);
      // Some disks, and the file system of Yarn Plug'n'Play, which throws at
      // once, cannot sync.
      await (async () => file.sync())().catch(() => {});
    } finally {
      await file.close();
    }
    await replace(temporaryPath, path);
  } catch (error) {
    await unlink(temporaryPath).catch(() => {});
    throw error;
  }
}

/**
 * Renames a file. Tries again on Windows, which does not replace a file that
 * another process is reading.
 */
async function replace(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (attempt === 20 || !hasCode(error, "EPERM", "EACCES", "EBUSY"))
        throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * attempt));
    }
  }
}
