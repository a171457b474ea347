import type { Leftover, PlannedFile } from "./plan.js";

/** The outcome of a run. */
export interface WriteOutcome {
  readonly files: readonly WrittenFile[];
  /** True if the run was aborted; then nothing was changed. */
  readonly interrupted: boolean;
}

export interface WrittenFile {
  readonly path: string;
  /** `leftover` is a file of an earlier run that stays; `removed` is one that `clean` removed. */
  readonly state: "written" | "unchanged" | "removed" | "leftover";
  readonly bytes: number;
}

export function toWritten({ path, text, state }: PlannedFile): WrittenFile {
  return { path, state: state === "unchanged" ? "unchanged" : "written", bytes: Buffer.byteLength(text) };
}

export function toLeft({ path, state }: Leftover, clean: boolean): WrittenFile[] {
  if (state === "gone") return [];
  return [{ path, state: clean && state === "unmodified" ? "removed" : "leftover", bytes: 0 }];
}
