import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { root } from "../repository.js";

/** One file of a package as npm packs it. */
export interface Entry {
  /** Without the leading `package/`. */
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

/**
 * Packs all packages as they are published, into a folder; returns the paths of
 * the tarballs by the names of the packages.
 */
export async function pack(
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const args = [
    join(root, ".ci/pack.mjs"),
    "--json",
    "--pack-destination",
    folder,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const packed = JSON.parse(stdout) as readonly {
    readonly name: string;
    readonly filename: string;
  }[];
  return new Map(
    packed.map(({ name, filename }) => [
      name,
      join(folder, filename.replace("@", "").replace("/", "-")),
    ]),
  );
}

/**
 * The files of a tarball of npm, which has plain entries with short names, and
 * `pax` headers for long names.
 */
export function entriesOf(tarball: string): Entry[] {
  const bytes = gunzipSync(readFileSync(tarball));
  const entries: Entry[] = [];
  let longName: string | undefined;
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + 512);
    const size = Number.parseInt(text(header, 124, 12), 8);
    const body = bytes.subarray(at + 512, at + 512 + size);
    const type = text(header, 156, 1);
    const prefix = text(header, 345, 155);
    const name =
      longName ??
      (prefix === ""
        ? text(header, 0, 100)
        : `${prefix}/${text(header, 0, 100)}`);
    longName =
      type === "x"
        ? /\d+ path=([^\n]+)\n/.exec(body.toString("utf8"))?.[1]
        : undefined;
    if (type === "0" || type === "") {
      const mode = Number.parseInt(text(header, 100, 8), 8);
      entries.push({
        path: name.replace(/^package\//, ""),
        mode,
        bytes: Buffer.from(body),
      });
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

/** Writes the files of a package as `npm install` does. */
export function unpack(entries: readonly Entry[], folder: string): void {
  for (const { path, mode, bytes } of entries) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    chmodSync(join(folder, path), mode);
  }
}

function text(header: Buffer, start: number, length: number): string {
  return (
    header
      .toString("utf8", start, start + length)
      .split("\0", 1)[0]
      ?.trim() ?? ""
  );
}
