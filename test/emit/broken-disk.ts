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

/** A function of the disk that the writer uses. */
export type DiskCall = (typeof names)[number];

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
  const originals = names.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    const broken = (...args: readonly unknown[]): unknown => {
      const code = String(args[0]).startsWith(folder)
        ? fails(calls++, name)
        : null;
      if (code !== null)
        throw Object.assign(new Error(`${code}: made up`), { code });
      return (original as (...args: readonly unknown[]) => unknown)(...args);
    };
    Object.assign(fs, { [name]: broken });
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
}
