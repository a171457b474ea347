import { Diagnostics, SchemaError } from "../diagnostics.js";
import { diff, type Comparison } from "../ir/diff/index.js";
import type { Protocol } from "../ir/model.js";
import { isDated, latestOf } from "../read/revisions.js";
import {
  bundledSource,
  knownRevisions,
  pinnedSource,
  readSource,
  revisionSource,
} from "../sources/schemas.js";
import type { Candidate } from "./candidate.js";

/** A new or changed revision, read completely. */
export interface RevisionChange {
  /** The same revision before, or the one before a new revision; null if none can be read. */
  readonly from: Protocol | null;
  readonly to: Protocol;
  readonly comparison: Comparison | null;
}

/**
 * Reads all schemas that an update would pin, and compares them with those before. Adds notes and warnings, and shows which
 * schema is read.
 *
 * @throws SchemaError with all diagnostics if one of them cannot be read
 */
export async function readChanges(
  candidates: readonly Candidate[],
  project: string,
  status: (text: string | null) => void,
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<string, RevisionChange>> {
  const wanted = candidates.filter(({ isWanted, isBundled }) => isWanted && !isBundled);
  if (wanted.length === 0) return new Map();
  const fresh = new Map<string, Protocol>();
  const reading = new Diagnostics();
  for (const { name, loaded, file } of wanted) {
    status(`reading ${name}`);
    const protocol = await readSource(pinnedSource(name, file, loaded), reading);
    if (protocol !== null) fresh.set(name, protocol);
  }
  if (reading.hasErrors || fresh.size < wanted.length) throw new SchemaError(reading.list);
  for (const diagnostic of reading.list) diagnostics.add(diagnostic);
  const known = await knownRevisions(project);
  const changes = new Map<string, RevisionChange>();
  for (const candidate of wanted) {
    const to = fresh.get(candidate.name) as Protocol;
    const from = await earlier(candidate, fresh, known, project);
    changes.set(candidate.name, { from, to, comparison: from === null ? null : diff(from, to) });
  }
  return changes;
}

/** The protocol that a revision is compared with; null without one that can be read. */
async function earlier(
  { name, before, isReadable }: Candidate,
  fresh: ReadonlyMap<string, Protocol>,
  known: readonly string[],
  project: string,
): Promise<Protocol | null> {
  const hasItself = before !== null;
  if (hasItself && !isReadable) return null;
  const names = [...new Set([...known, ...fresh.keys()])].sort().filter((other) => other !== name);
  const earliest = isDated(name) ? names.filter((other) => other < name) : names;
  const base = hasItself ? name : latestOf(earliest);
  if (base === null) return null;
  const ready = hasItself ? undefined : fresh.get(base);
  if (ready !== undefined) return ready;
  try {
    return await readSource(await revisionSource(base, project), new Diagnostics());
  } catch (error) {
    // A pinned schema that cannot be used is reported by the commands that use it.
    if (error instanceof SchemaError) return await readBundled(base, known);
    throw error;
  }
}

async function readBundled(name: string, known: readonly string[]): Promise<Protocol | null> {
  if (!known.includes(name)) return null;
  const source = await bundledSource(name).catch(() => null);
  return source === null ? null : await readSource(source, new Diagnostics());
}
