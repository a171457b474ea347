import { relative, resolve } from "node:path";
import { findManifest } from "../../../generator/emit/write.js";
import { importFrom } from "../../../generator/inputs/paths.js";
import { supportIn } from "../../../generator/inputs/support.js";
import type { SharedProtocol } from "../../../generator/stubs.js";
import { type CommandError, usageError } from "../../command-error.js";
import type { Part } from "../../../generator/generate.js";

/** A folder that `mcpgen generate` has written. */
export interface ProtocolFolder {
  /** The path as the user wrote it. */
  readonly named: string;
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly revisions: readonly string[];
  readonly runtime: "package" | "vendored";
  readonly files: ReadonlySet<string>;
  /** The support files that a project imports in place of copies. */
  readonly support: readonly string[];
  /**
   * Support files that this version of mcpgen did not write. While there are
   * some, projects have copies.
   */
  readonly outdated: readonly string[];
}

/**
 * Reads the folder of `--protocol`.
 *
 * @throws CommandError MG749 if `mcpgen generate` has not written it
 */
export async function readProtocolFolder(
  named: string,
  directory: string,
  out: string,
): Promise<ProtocolFolder> {
  const folder = resolve(directory, named);
  const manifest = findManifest(folder);
  const isGenerated =
    manifest !== null &&
    [...manifest.files.keys()].some((path) =>
      /^([^/]+\/)?dispatch\.ts$/.test(path),
    );
  if (!isGenerated) {
    throw unusable(
      manifest === null
        ? `there are no generated files in ${named}`
        : `${named} contains no files of a revision`,
      `run mcpgen --version <revision> --out ${named} first`,
    );
  }
  const { names, outdated } = await supportIn(folder, manifest);
  if (relative(out, folder) === "")
    throw unusable(`--protocol and --out are both ${named}`, "use two folders");
  return {
    named,
    path: importFrom(out, folder),
    revisions: manifest.sources.map(({ revision }) => revision),
    runtime: manifest.options.runtime === "vendored" ? "vendored" : "package",
    files: new Set(manifest.files.keys()),
    support: outdated.length === 0 ? names : [],
    outdated,
  };
}

/**
 * Finds the files of the revisions in the folder, the newest first. A project
 * of several imports what all of the folder share.
 *
 * @throws CommandError MG749 if it lacks one of them or a required part, or if
 *   it has more than the several of a project
 */
export function protocolFiles(
  { named, path, revisions, files, support }: ProtocolFolder,
  wanted: readonly string[],
  emit: readonly Part[],
): SharedProtocol {
  const isShared = revisions.length > 1;
  const isOne = wanted.length === 1;
  if (
    !wanted.every((name) => revisions.includes(name)) ||
    (!isOne && wanted.length < revisions.length)
  ) {
    throw unusable(
      `${named} has revision ${revisions.join(", ")}, expected ${wanted.join(", ")}`,
      `run mcpgen --version ${wanted.join(",")} --out <dir>, and use that folder`,
    );
  }
  const folderOf = (revision: string): string =>
    isShared ? `${revision}/` : "";
  const missing = wanted.flatMap((revision, i) =>
    // A project has a client of the newest revision only.
    ["types", ...emit.filter((part) => i === 0 || part !== "client")]
      .map((part) => `${folderOf(revision)}${part}.ts`)
      .filter((file) => !files.has(file)),
  );
  if (missing.length > 0) {
    throw unusable(
      `${named} was generated without ${missing.join(", ")}`,
      "generate it again with these parts in --emit",
    );
  }
  const newest = folderOf(wanted[0] ?? "").replace(/\/$/, "");
  return {
    files: newest === "" ? path : `${path}/${newest}`,
    all: path,
    runtime: `${path}/runtime`,
    support,
  };
}

function unusable(message: string, hint: string): CommandError {
  return usageError("MG749", message, hint);
}
