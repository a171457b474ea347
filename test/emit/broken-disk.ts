import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const names = [
  "accessSync",
  "lstatSync",
  "mkdirSync",
  "readFileSync",
  "readdirSync",
  "renameSync",
  "rmdirSync",
  "unlinkSync",
  "writeFileSync",
] as const;

/** Functions that return a promise, of `node:fs/promises`. */
const later = [
  "chmod",
  "lstat",
  "mkdir",
  "mkdtemp",
  "open",
  "readFile",
  "readdir",
  "realpath",
  "rename",
  "rm",
  "stat",
  "unlink",
  "writeFile",
] as const;

/** Functions with a callback, of which a stream reads. */
const withCallback = ["open", "read"] as const;

/** A function of the disk that a command uses. */
export type DiskCall = (
  typeof names | typeof later | typeof withCallback
)[number];

/** The functions that change something. */
export const changing: ReadonlySet<DiskCall> = new Set([
  "mkdirSync",
  "renameSync",
  "rmdirSync",
  "unlinkSync",
  "writeFileSync",
]);

/**
 * Does work on a disk on which some calls with a path in a folder fail: `fails`
 * returns the code of the error or null for every call, counted from 0.
 */
export async function withBrokenDisk<T>(
  folder: string,
  fails: (call: number, name: DiskCall) => string | null,
  work: () => Promise<T>,
): Promise<T> {
  let calls = 0;
  const check = (name: DiskCall, path: unknown): void => {
    const code = String(path).startsWith(folder) ? fails(calls++, name) : null;
    if (code !== null)
      throw Object.assign(new Error(`${code}: made up`), { code, path });
  };
  type Call = (...args: readonly unknown[]) => unknown;
  const originals = names.map((name) => [name, fs[name]] as const);
  const promised = later.map((name) => [name, fs.promises[name]] as const);
  const streamed = withCallback.map((name) => [name, fs[name]] as const);
  const opened = new Map<unknown, unknown>();
  for (const [name, original] of streamed)
    Object.assign(fs, {
      [name]: (...args: readonly unknown[]): unknown => {
        const done = args.at(-1) as (error: unknown, fd?: unknown) => void;
        const path = name === "open" ? args[0] : opened.get(args[0]);
        try {
          check(name, path);
        } catch (error) {
          return void process.nextTick(done, error);
        }
        if (name === "read") return (original as Call)(...args);
        return (original as Call)(...args.slice(0, -1), (...all: unknown[]) => {
          opened.set(all[1], path);
          (done as Call)(...all);
        });
      },
    });
  for (const [name, original] of originals)
    Object.assign(fs, {
      [name]: (...args: readonly unknown[]): unknown => {
        check(name, args[0]);
        return (original as Call)(...args);
      },
    });
  for (const [name, original] of promised)
    Object.assign(fs.promises, {
      [name]: async (...args: readonly unknown[]): Promise<unknown> => {
        check(name, args[0]);
        const result = await (original as Call)(...args);
        if (name !== "open") return result;
        // What is written through a handle fails, too.
        const handle = result as fs.promises.FileHandle;
        const { writeFile } = handle;
        handle.writeFile = async (...all) => {
          check("writeFile", args[0]);
          return writeFile.apply(handle, all);
        };
        return handle;
      },
    });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(fs, Object.fromEntries([...originals, ...streamed]));
    Object.assign(fs.promises, Object.fromEntries(promised));
    syncBuiltinESMExports();
  }
}
