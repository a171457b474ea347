import { relative, resolve } from "node:path";
import { findManifest } from "../../../emit/write.js";
import type { SharedProtocol } from "../../../stubs.js";
import { type CommandError, usageError } from "../../command-error.js";
import type { Part } from "../../../generate.js";

/** A folder that `mcpgen generate` has written. */
export interface SharedFolder {
  /** The path as the user wrote it. */
  readonly named: string;
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly revisions: readonly string[];
  readonly runtime: "package" | "vendored";
  readonly files: ReadonlySet<string>;
}

/**
 * Reads the folder of `--protocol`.
 *
 * @throws CommandError MG749 if `mcpgen generate` has not written it
 */
export async function readSharedFolder(named: string, directory: string, out: string): Promise<SharedFolder> {
  const folder = resolve(directory, named);
  const manifest = findManifest(folder);
  const isGenerated =
    manifest !== null && [...manifest.files.keys()].some((path) => /^([^/]+\/)?dispatch\.ts$/.test(path));
  if (!isGenerated) {
    throw unusable(
      manifest === null
        ? `there are no generated files in ${named}`
        : `${named} contains no files of a revision`,
      `run mcpgen --version <revision> --out ${named} first`,
    );
  }
  const path = relative(out, folder).replaceAll("\\", "/");
  if (path === "") throw unusable(`--protocol and --out are both ${named}`, "use two folders");
  return {
    named,
    path: path.startsWith("../") ? path : `./${path}`,
    revisions: manifest.sources.map(({ revision }) => revision),
    runtime: manifest.options.runtime === "vendored" ? "vendored" : "package",
    files: new Set(manifest.files.keys()),
  };
}

/**
 * Finds the files of a revision in the folder.
 *
 * @throws CommandError MG749 if it has other revisions or lacks a required part
 */
export function sharedFiles(
  { named, path, revisions, files }: SharedFolder,
  revision: string,
  emit: readonly Part[],
): SharedProtocol {
  if (!revisions.includes(revision)) {
    throw unusable(
      `${named} has revision ${revisions.join(", ")}, expected ${revision}`,
      `run mcpgen --version ${revision} --out <dir>, and use that folder`,
    );
  }
  const inside = revisions.length === 1 ? "" : `${revision}/`;
  const missing = ["types", ...emit].filter((part) => !files.has(`${inside}${part}.ts`));
  if (missing.length > 0) {
    throw unusable(
      `${named} was generated without ${missing.map((part) => `${inside}${part}.ts`).join(", ")}`,
      "generate it again without --emit",
    );
  }
  return { files: revisions.length === 1 ? path : `${path}/${revision}`, runtime: `${path}/runtime` };
}

function unusable(message: string, hint: string): CommandError {
  return usageError("MG749", message, hint);
}
