import { MANIFEST, type Manifest, type Names, type Provenance, renderManifest, sha256 } from "../manifest.js";
import type { Disk } from "./disk.js";
import { diskPath } from "./paths.js";
import type { FormatText } from "./difference.js";
import { makePlan, planFile, type Plan, exists } from "./plan.js";
import { step, WriteError } from "./write-error.js";

/** The files of a run and how to write them. */
export interface WriteRequest {
  /** An absolute path; nothing outside it is ever written. */
  readonly out: string;
  /** Relative paths with forward slashes, and the text of each file; the manifest is added here. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Files that are written only if they are missing, and then belong to the user. The manifest has only their paths. */
  readonly once?: readonly { readonly path: string; readonly text: string }[];
  readonly provenance: Provenance;
  /** Names that stay in later runs. */
  readonly names?: Names;
  /** Formats a text with the project's own rules for its path; absent if it has none. */
  readonly format?: FormatText | undefined;
  /** Overwrites files that the user edited or that mcpgen did not write. */
  readonly force?: boolean;
  /** Removes unmodified files of an earlier run that this run does not write. */
  readonly clean?: boolean;
  /** Aborts the run if nothing has changed yet; otherwise it completes. */
  readonly signal?: AbortSignal | undefined;
  readonly disk?: Disk;
}

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

/** Plans a run without the files that are written once and exist already, unless they are the handlers of something else. */
export async function planRequest(
  { out, files, once = [], force = false, format }: WriteRequest,
  disk: Disk,
): Promise<Plan> {
  const missing = [];
  for (const file of once) {
    if (!(await exists(out, file.path, disk))) missing.push(file);
    else await checkSubject(out, file, disk);
  }
  return await makePlan(out, [...files, ...missing], { force, format }, disk);
}

/** Throws if the user's file says that it handles something else. */
async function checkSubject(
  out: string,
  { path, text }: { readonly path: string; readonly text: string },
  disk: Disk,
): Promise<void> {
  const subjectIn = (content: string): string | undefined => /^\/\/ Handles (the .*)\.$/m.exec(content)?.[1];
  const expected = subjectIn(text);
  if (expected === undefined) return;
  const bytes = await step(`read ${path}`, () => disk.read(diskPath(out, path)));
  const actual = subjectIn(new TextDecoder().decode(bytes));
  if (actual === undefined || actual === expected) return;
  throw new WriteError(
    "MG811",
    `${path} handles ${actual}, but its name belongs to the handler of ${expected}; nothing was written`,
    `restore ${MANIFEST} from version control, or move the file away`,
  );
}

/** Adds the manifest to a plan; its content depends on the plan. */
export async function withManifest(request: WriteRequest, plan: Plan, disk: Disk): Promise<Plan> {
  const leftovers = plan.leftovers.filter(
    (file) => file.state === "edited" || (file.state === "unmodified" && request.clean !== true),
  );
  const manifest: Manifest = {
    format: 1,
    ...request.provenance,
    files: new Map(request.files.map(({ path, text }) => [path, sha256(text)])),
    once: (request.once ?? []).map(({ path }) => path),
    leftovers: new Map(leftovers.map(({ path, digest }) => [path, digest])),
    names: request.names ?? {},
  };
  const { out, format = (_path, text) => Promise.resolve(text) } = request;
  const text = await format(MANIFEST, renderManifest(manifest));
  const file = await planFile(out, { path: MANIFEST, text }, plan.manifest, format, disk);
  return { ...plan, files: [...plan.files, file] };
}
