import { constants, lstatSync, renameSync, writeFileSync } from "node:fs";
import { copyFile, link, mkdir, open, readFile, readdir, rmdir, unlink } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";

/**
 * The disk operations of the writer. Each change of a destination uses one of them, so that tests can make any of them fail or end
 * the process.
 */
export interface Disk {
  /** The kind of a path, without following a symbolic link; null if it does not exist. */
  kind(path: string): Promise<"file" | "directory" | "link" | "other" | null>;
  read(path: string): Promise<Uint8Array>;
  list(path: string): Promise<string[]>;
  /** Creates a file that does not exist yet. Resolves when its bytes are on the disk. */
  create(path: string, bytes: string | Uint8Array): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  /** Replaces a file with another one atomically. */
  rename(from: string, to: string): Promise<void>;
  /** Creates a hard link, or a copy if the disk does not support links. */
  link(path: string, copy: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void>;
  /** Resolves when the entries of the directory are on the disk. */
  sync(directory: string): Promise<void>;
}

/**
 * The disk of this machine. Operations for each file of a run are synchronous, which takes a tenth of the processor time;
 * `create` yields to the event loop so that signals are handled.
 */
export const nodeDisk: Disk = {
  async kind(path) {
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return null;
      if (stat.isSymbolicLink()) return "link";
      if (stat.isDirectory()) return "directory";
      return stat.isFile() ? "file" : "other";
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw error;
    }
  },
  read: (path) => readFile(path),
  list: (path) => readdir(path),
  async create(path, bytes) {
    writeFileSync(path, bytes, { flag: "wx", flush: true });
    await setImmediate();
  },
  async makeDirectory(path) {
    await mkdir(path);
  },
  async rename(from, to) {
    renameSync(from, to);
  },
  async link(path, copy) {
    try {
      await link(path, copy);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" || code === "EEXIST") throw error;
      await copyFile(path, copy, constants.COPYFILE_EXCL);
    }
  },
  remove: unlink,
  removeDirectory: rmdir,
  async sync(directory) {
    // Windows cannot open a directory, some network disks cannot sync one, and the file system of Yarn Plug'n'Play syncs nothing. The
    // renames still happened in order.
    const handle = await open(directory, "r").catch(() => null);
    try {
      await handle?.sync();
    } catch {
      // Without the sync, a power failure may undo the last renames.
    } finally {
      await handle?.close();
    }
  },
};

/** The code of a disk error, such as ENOSPC; null for other errors. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : null;
}
