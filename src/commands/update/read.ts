import { Diagnostics, SchemaError } from "../../generator/diagnostics.js";
import type { Comparison } from "../../generator/ir/change/model.js";
import { diff } from "../../generator/ir/diff/index.js";
import type { Protocol } from "../../generator/ir/model.js";
import { isDated, latestOf } from "../../generator/read/revisions.js";
import {
  knownRevisions,
  pinnedSource,
  readSource,
  revisionSource,
} from "../../generator/inputs/schemas.js";
import type { Candidate } from "./pins.js";

/**
 * Reads all schemas that an update would pin, except those that are bundled.
 * Adds notes and warnings, and shows which schema it is reading.
 *
 * @throws SchemaError with all diagnostics if one of them cannot be read
 */
export async function readNew(
  candidates: readonly Candidate[],
  status: (text: string | null) => void,
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<string, Protocol>> {
  const newSchemas = candidates.filter(({ isBundled }) => !isBundled);
  const newProtocols = new Map<string, Protocol>();
  const issues = new Diagnostics();
  for (const { name, loaded, file } of newSchemas) {
    status(`reading ${name}`);
    const protocol = await readSource(pinnedSource(name, file, loaded), issues);
    if (protocol !== null) newProtocols.set(name, protocol);
  }
  if (issues.hasErrors || newProtocols.size < newSchemas.length)
    throw new SchemaError(issues.list);
  for (const diagnostic of issues.list) diagnostics.add(diagnostic);
  return newProtocols;
}

/** Compares what was read with what was before. */
export async function changesOf(
  candidates: readonly Candidate[],
  newProtocols: ReadonlyMap<string, Protocol>,
  project: string,
): Promise<ReadonlyMap<string, Comparison>> {
  const known = await knownRevisions(project);
  const changes = new Map<string, Comparison>();
  for (const candidate of candidates) {
    const { name } = candidate;
    const after = newProtocols.get(name);
    const before =
      after && (await protocolBefore(candidate, newProtocols, known, project));
    if (before) changes.set(name, diff(before, after));
  }
  return changes;
}

/**
 * The protocol that a revision is compared with; null without one that can be
 * read.
 */
async function protocolBefore(
  { name, before }: Candidate,
  newProtocols: ReadonlyMap<string, Protocol>,
  known: readonly string[],
  project: string,
): Promise<Protocol | null> {
  const names = [...new Set([...known, ...newProtocols.keys()])].sort();
  const base =
    before === null
      ? latestOf(names.filter((other) => !isDated(name) || other < name))
      : name;
  if (base === null) return null;
  const newProtocol = before === null ? newProtocols.get(base) : undefined;
  if (newProtocol !== undefined) return newProtocol;
  try {
    return await readSource(
      await revisionSource(base, project),
      new Diagnostics(),
    );
  } catch (error) {
    // A pinned schema that cannot be used is reported by the commands that use
    // it.
    if (error instanceof SchemaError) return null;
    throw error;
  }
}
