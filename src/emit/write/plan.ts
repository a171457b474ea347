import { MANIFEST, parseManifest, sha256, type Manifest } from "../manifest.js";
import type { Disk } from "./disk.js";
import { isReformatted } from "./edited.js";
import { collision, pathFault, place, refuseDetours, STATE } from "./paths.js";
import { Refusal, step } from "./refusal.js";

/** The planned changes of a run. Making it changes nothing. */
export interface Plan {
  /** Null when the destination holds no manifest. */
  readonly manifest: Manifest | null;
  /** One entry per wanted file, in the order given. */
  readonly files: readonly PlannedFile[];
  /** Files of an earlier run that this one no longer makes. */
  readonly leftovers: readonly Leftover[];
}

export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  /**
   * `reformatted` differs from the wanted text in its formatting alone; `edited` was changed by the user since it was
   * generated; `foreign` was never generated.
   */
  readonly state: "new" | "unchanged" | "outdated" | "reformatted" | "edited" | "foreign";
  /** What is on the disk; null for a new file. */
  readonly current: string | null;
  /** The digest of what is on the disk. */
  readonly before: string | null;
}

export interface Leftover {
  readonly path: string;
  /** As the manifest knows it. */
  readonly digest: string;
  readonly state: "unmodified" | "edited" | "gone";
}

/** Files that systems create everywhere, and the usual file to commit an empty directory. */
const IGNORED: ReadonlySet<string> = new Set([STATE, ".DS_Store", "Thumbs.db", ".gitkeep"]);

/** Compares the wanted files with a destination, which may not exist. Refuses paths that must never be written. */
export async function makePlan(
  out: string,
  files: readonly { readonly path: string; readonly text: string }[],
  force: boolean,
  disk: Disk,
): Promise<Plan> {
  checkPaths(files.map((file) => file.path));
  const manifest = await readManifest(out, force, disk);
  if (manifest === null && !force) await refuseForeign(out, disk);
  const planned: PlannedFile[] = [];
  for (const file of files) planned.push(await planFile(out, file, manifest, disk));
  return { manifest, files: planned, leftovers: await findLeftovers(out, files, manifest, disk) };
}

/** The destination's manifest; null without one. An unreadable one is refused unless the user insists. */
export async function readManifest(out: string, force: boolean, disk: Disk): Promise<Manifest | null> {
  const file = place(out, MANIFEST);
  await refuseDetours(out, MANIFEST, disk);
  if ((await step(`look at ${MANIFEST}`, () => disk.kind(file))) === null) return null;
  const bytes = await step(`read ${MANIFEST}`, () => disk.read(file));
  const manifest = parseManifest(new TextDecoder().decode(bytes));
  if (typeof manifest !== "string") return manifest;
  if (force) return null;
  throw new Refusal(
    "MG803",
    `${MANIFEST} in the output directory cannot be used: ${manifest}`,
    "restore it from version control, or write over the generated files with --force",
  );
}

/** True if the path exists. Returns false for a path that must not be written, which the plan rejects. */
export async function stands(out: string, path: string, disk: Disk): Promise<boolean> {
  if (pathFault(path) !== null) return false;
  await refuseDetours(out, path, disk);
  return (await step(`look at ${path}`, () => disk.kind(place(out, path)))) !== null;
}

function checkPaths(paths: readonly string[]): void {
  for (const path of paths) {
    const fault = pathFault(path);
    if (fault !== null) throw new Refusal("MG801", `${JSON.stringify(path)} cannot be written: ${fault}`);
  }
  const pair = collision(paths);
  if (pair === null) return;
  const [first, second] = pair.map((path) => JSON.stringify(path));
  throw new Refusal("MG801", `${first} and ${second} would be the same place on a disk that ignores case`);
}

async function refuseForeign(out: string, disk: Disk): Promise<void> {
  if ((await step("look at the output directory", () => disk.kind(out))) === null) return;
  const names = (await step("list the output directory", () => disk.list(out))).filter(
    (name) => !IGNORED.has(name),
  );
  if (names.length === 0) return;
  const shown = names.sort().slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  throw new Refusal(
    "MG802",
    `the output directory holds files that mcpgen did not write (${shown}${more}) and no ${MANIFEST}`,
    "choose an empty directory, or write beside these files with --force",
  );
}

async function planFile(
  out: string,
  { path, text }: { readonly path: string; readonly text: string },
  manifest: Manifest | null,
  disk: Disk,
): Promise<PlannedFile> {
  await refuseDetours(out, path, disk);
  const target = place(out, path);
  if ((await step(`look at ${path}`, () => disk.kind(target))) === null) {
    return { path, text, state: "new", current: null, before: null };
  }
  const bytes = await step(`read ${path}`, () => disk.read(target));
  const current = new TextDecoder().decode(bytes);
  const before = sha256(bytes);
  const found = { path, text, current, before };
  const known = manifest?.files.get(path) ?? manifest?.leftovers.get(path);
  if (before === sha256(text)) return { ...found, state: "unchanged" };
  // The manifest may always be overwritten.
  if (path === MANIFEST || before === known) return { ...found, state: "outdated" };
  if (manifest === null || known === undefined) return { ...found, state: "foreign" };
  const hasRules = manifest.options.formatting !== null;
  const formatted = await isReformatted({ target, current, wanted: text, known, hasRules });
  return { ...found, state: formatted ?? "edited" };
}

async function findLeftovers(
  out: string,
  files: readonly { readonly path: string }[],
  manifest: Manifest | null,
  disk: Disk,
): Promise<Leftover[]> {
  if (manifest === null) return [];
  const wanted = new Set(files.map((file) => file.path));
  const found: Leftover[] = [];
  for (const [path, digest] of [...manifest.files, ...manifest.leftovers]) {
    // Any program may have written the manifest, so a path that must not be written is not removed either.
    if (wanted.has(path) || pathFault(path) !== null || path === MANIFEST) continue;
    found.push({ path, digest, state: await leftoverState(out, path, digest, disk) });
  }
  return found;
}

async function leftoverState(
  out: string,
  path: string,
  digest: string,
  disk: Disk,
): Promise<Leftover["state"]> {
  await refuseDetours(out, path, disk);
  const target = place(out, path);
  if ((await disk.kind(target)) === null) return "gone";
  const bytes = await step(`read ${path}`, () => disk.read(target));
  return sha256(bytes) === digest ? "unmodified" : "edited";
}
