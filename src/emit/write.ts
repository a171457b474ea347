import type { Diagnostics } from "../diagnostics.js";
import {
  MANIFEST,
  meetsExpectation,
  renderManifest,
  sha256,
  type Expectation,
  type Manifest,
  type Provenance,
} from "./manifest.js";
import { commit, heal, Interrupted, type TextChange } from "./write/commit.js";
import { makeDestination, refuseFile, unmakeDestination } from "./write/destination.js";
import { nodeDisk, type Disk } from "./write/disk.js";
import { acquireLock } from "./write/lock.js";
import { foldersOf, place, STATE } from "./write/paths.js";
import { makePlan, readManifest, stands, type Leftover, type Plan, type PlannedFile } from "./write/plan.js";
import { diskRefusal, Refusal } from "./write/refusal.js";

export { MANIFEST, sha256, type Expectation, type Manifest, type Provenance } from "./manifest.js";
export { nodeDisk, type Disk } from "./write/disk.js";
export type { Plan, PlannedFile } from "./write/plan.js";

/** What a run wants to stand in a directory, and how far it may go for it. */
export interface WriteRequest {
  /** An absolute path; nothing outside it is ever written. */
  readonly out: string;
  /** Relative paths with forward slashes, and the text of each file; the manifest is added here. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Files to start from: written where there is none, and then the user's; no manifest lists them. */
  readonly once?: readonly { readonly path: string; readonly text: string }[];
  readonly provenance: Provenance;
  /** Write over files that the user edited or that mcpgen never wrote. */
  readonly force?: boolean;
  /** Remove the unmodified files of an earlier run that this one no longer makes. */
  readonly clean?: boolean;
  /** Stops the run as long as nothing has changed yet; later it is finished. */
  readonly signal?: AbortSignal | undefined;
  readonly disk?: Disk;
}

export interface WriteOutcome {
  readonly files: readonly WrittenFile[];
  /** Did the signal stop the run? Then nothing was changed. */
  readonly interrupted: boolean;
}

export interface WrittenFile {
  readonly path: string;
  /** `leftover` is a file of an earlier run that stays; `removed` one that `clean` took away. */
  readonly state: "written" | "unchanged" | "removed" | "leftover";
  readonly bytes: number;
}

/**
 * Is there nothing to do? Returns the manifest when the directory was generated from the same provenance and every file
 * still has its digest; null otherwise. Reads only, and loads nothing heavier than a hash.
 */
export async function upToDate(
  out: string,
  expected: Expectation,
  disk: Disk = nodeDisk,
): Promise<{ readonly manifest: Manifest; readonly files: readonly WrittenFile[] } | null> {
  try {
    if ((await disk.kind(place(out, STATE))) !== null) return null;
    const manifest = await readManifest(out, true, disk);
    if (manifest === null || manifest.leftovers.size > 0 || !meetsExpectation(manifest, expected))
      return null;
    const files: WrittenFile[] = [];
    for (const [path, digest] of manifest.files) {
      if ((await disk.kind(place(out, path))) !== "file") return null;
      const bytes = await disk.read(place(out, path));
      if (sha256(bytes) !== digest) return null;
      files.push({ path, state: "unchanged", bytes: bytes.byteLength });
    }
    const text = renderManifest(manifest);
    if (sha256(await disk.read(place(out, MANIFEST))) !== sha256(text)) return null;
    files.push({ path: MANIFEST, state: "unchanged", bytes: Buffer.byteLength(text) });
    return { manifest, files };
  } catch {
    // Whatever is wrong there, the long way round will say it in full.
    return null;
  }
}

/** What `writeFiles` would do, without doing it; null after a fault, which is in the diagnostics. */
export async function planFiles(request: WriteRequest, diagnostics: Diagnostics): Promise<Plan | null> {
  const disk = request.disk ?? nodeDisk;
  return await refusalsInto(diagnostics, async () => {
    await refuseFile(request.out, disk);
    const bare = await planWanted(request, disk);
    return await withManifest(request, bare, disk);
  });
}

/**
 * Writes all files of a run or none: they are staged beside their places and renamed into them, an unchanged file is not
 * touched, and a run that was killed midway is finished by the next one. Null after a fault, which is in the diagnostics.
 */
export async function writeFiles(
  request: WriteRequest,
  diagnostics: Diagnostics,
): Promise<WriteOutcome | null> {
  const disk = request.disk ?? nodeDisk;
  return await refusalsInto(diagnostics, async () => {
    const made = await makeDestination(request.out, disk);
    let outcome: WriteOutcome | null = null;
    try {
      outcome = await writeLocked(request, diagnostics, disk);
    } finally {
      if (outcome === null || outcome.interrupted) await unmakeDestination(made, disk);
    }
    return outcome;
  });
}

async function writeLocked(
  request: WriteRequest,
  diagnostics: Diagnostics,
  disk: Disk,
): Promise<WriteOutcome | null> {
  const { out, force = false, clean = false, signal } = request;
  const lock = await acquireLock(out, disk);
  try {
    if (await heal(out, disk)) {
      diagnostics.root.note("MG809", null, "an earlier run was cut short; its files were put in order first");
    }
    const bare = await planWanted(request, disk);
    if (!force && reportConflicts(bare, diagnostics)) return null;
    const plan = await withManifest(request, bare, disk);
    const removals = clean ? plan.leftovers.filter((file) => file.state === "unmodified") : [];
    const changes = [...plan.files.flatMap(toChange), ...removals.map(toRemoval)];
    // The manifest is the last file of a plan and the last to change, after the removals it no longer lists.
    const manifestAt = changes.findIndex((change) => change.path === MANIFEST);
    if (manifestAt !== -1) changes.push(...changes.splice(manifestAt, 1));
    if (changes.length > 0) await commit(out, changes, disk, signal);
    for (const { path } of removals) await removeEmptyFolders(out, path, disk);
    return {
      files: [...plan.files.map(toWritten), ...plan.leftovers.flatMap((file) => toLeft(file, clean))],
      interrupted: false,
    };
  } catch (error) {
    if (error instanceof Interrupted) return { files: [], interrupted: true };
    throw error;
  } finally {
    await lock.release();
  }
}

/** What is wanted there, without the files to start from that are there already, whatever is in them now. */
async function planWanted({ out, files, once = [], force = false }: WriteRequest, disk: Disk): Promise<Plan> {
  const missing = [];
  for (const file of once) if (!(await stands(out, file.path, disk))) missing.push(file);
  return await makePlan(out, [...files, ...missing], force, disk);
}

/** Adds the manifest to a plan: what it lists depends on what the plan found. */
async function withManifest(request: WriteRequest, plan: Plan, disk: Disk): Promise<Plan> {
  const stays = plan.leftovers.filter(
    (file) => file.state === "edited" || (file.state === "unmodified" && request.clean !== true),
  );
  const manifest: Manifest = {
    format: 1,
    ...request.provenance,
    files: new Map(request.files.map(({ path, text }) => [path, sha256(text)])),
    leftovers: new Map(stays.map(({ path, digest }) => [path, digest])),
  };
  const text = renderManifest(manifest);
  const { files } = await makePlan(request.out, [{ path: MANIFEST, text }], true, disk);
  return { ...plan, files: [...plan.files, ...files] };
}

/** Names every file that the user would lose; true when there is one. */
export function reportConflicts(plan: Plan, diagnostics: Diagnostics): boolean {
  const edited = plan.files.filter((file) => file.state === "edited");
  const foreign = plan.files.filter((file) => file.state === "foreign");
  for (const { path } of edited) {
    diagnostics.root.error(
      "MG804",
      null,
      `${path} was edited after it was generated; nothing was written`,
      "move your change out of the generated file, or write over it with --force",
    );
  }
  for (const { path } of foreign) {
    diagnostics.root.error(
      "MG804",
      null,
      `${path} was not written by mcpgen, but a file of that name is to be generated; nothing was written`,
      "move it away, or write over it with --force",
    );
  }
  return edited.length + foreign.length > 0;
}

function toChange({ path, text, state, before }: PlannedFile): TextChange[] {
  return state === "unchanged" ? [] : [{ path, text, before, after: sha256(text) }];
}

function toRemoval({ path, digest }: Leftover): TextChange {
  return { path, text: null, before: digest, after: null };
}

function toWritten({ path, text, state }: PlannedFile): WrittenFile {
  return { path, state: state === "unchanged" ? "unchanged" : "written", bytes: Buffer.byteLength(text) };
}

function toLeft({ path, state }: Leftover, clean: boolean): WrittenFile[] {
  if (state === "gone") return [];
  return [{ path, state: clean && state === "unmodified" ? "removed" : "leftover", bytes: 0 }];
}

async function removeEmptyFolders(out: string, path: string, disk: Disk): Promise<void> {
  for (const folder of foldersOf(path).reverse()) {
    await disk.removeDirectory(place(out, folder)).catch(() => undefined);
  }
}

async function refusalsInto<T>(diagnostics: Diagnostics, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const refusal = error instanceof Refusal ? error : diskRefusal(error, "write to the output directory");
    if (refusal === null) throw error;
    diagnostics.root.error(refusal.code, null, refusal.message, refusal.hint);
    return null;
  }
}
