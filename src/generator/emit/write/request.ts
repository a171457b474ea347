import type { Names, Provenance } from "../manifest.js";

/** A file to write: a relative path with forward slashes, and its text. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

/** The files of a run and how to write them. */
export interface WriteRequest {
  /** An absolute path; nothing outside it is ever written. */
  readonly out: string;
  /** The generated files; the manifest is added here. */
  readonly files: readonly FileText[];
  /**
   * Files that are written only if they are missing, and then belong to the
   * user.
   */
  readonly once?: readonly FileText[];
  /**
   * Paths of such files of an earlier run that have no use now. Those that
   * nobody edited are removed.
   */
  readonly unused?: readonly string[];
  readonly provenance: Provenance;
  /** Names that stay in later runs. */
  readonly names?: Names;
  /** Overwrites files that the user edited or that mcpgen did not write. */
  readonly force?: boolean;
  /**
   * Removes unmodified files of an earlier run that this run does not write.
   */
  readonly clean?: boolean;
  /** Aborts the run if nothing has changed yet; otherwise it completes. */
  readonly signal?: AbortSignal | undefined;
}

/** A file after a run. */
export interface WrittenFile {
  readonly path: string;
  /**
   * `leftover` is a file of an earlier run that stays; `removed` is one that
   * `clean` removed.
   */
  readonly state: "written" | "unchanged" | "removed" | "leftover";
  readonly bytes: number;
}
