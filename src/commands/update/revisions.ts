import { byText } from "../../common/by-text.js";
import { schemaError, type Diagnostics } from "../../generator/diagnostics.js";
import { suggestion } from "../../generator/read/nearest.js";
import { isDated, latestOf } from "../../generator/read/revisions.js";
import {
  versionOf,
  type Lock,
  type Pin,
  type SourceVersion,
} from "../../generator/inputs/lock.js";
import type { Loaded } from "../../generator/read/load.js";
import type { FetchedSchemas } from "./archive.js";
import {
  areIntact,
  compareSchema,
  lockWith,
  pinnedRow,
  unchangedRow,
  type Candidate,
  type RevisionSelection,
  type UpdatePlan,
  type UpdateRequest,
} from "./pins.js";
import { changesOf, readNew } from "./read.js";
import { openSource } from "./source.js";

/**
 * Fetches the schemas of a source, and reads what is new or changed completely.
 * Adds notes and warnings.
 *
 * @throws SchemaError with all diagnostics of schemas that cannot be read
 * @throws UnreachableError
 */
export async function planRevisions(
  request: UpdateRequest,
  lock: Lock,
  diagnostics: Diagnostics,
): Promise<UpdatePlan> {
  const { selection, project } = request;
  const { name: source, fetch } = await openSource(request, "revisions");
  const pinned = pinsOf(lock, source);
  const known = await knownVersion(lock, source, selection, project);
  const fetched = await fetch(known);
  if (fetched === null) {
    const revisions = [...pinned].map((pin) => unchangedRow(...pin));
    return {
      result: { source, version: known ?? {}, revisions, extensions: [] },
      pins: [],
      lock,
    };
  }
  const { version } = fetched;
  const schemas = choose(selection, fetched.schemas, source, pinned);
  const missing =
    typeof selection === "string"
      ? [...pinned].filter(([name]) => !schemas.has(name))
      : [];
  for (const [name] of missing) reportMissing(source, name, diagnostics);
  const { candidates, changes, pins } = await candidatesIn(
    schemas,
    request,
    lock,
    diagnostics,
  );
  const revisions = [
    ...candidates.map((candidate) =>
      pins.includes(candidate)
        ? pinnedRow(candidate, changes.get(candidate.name))
        : keptRow(candidate),
    ),
    ...missing.map(goneRow),
  ].sort((a, b) => byText(a.name, b.name));
  const next = lockWith(pins, { source, ...version }, lock);
  // A source that only got other commits does not change the lock file.
  const isKept = pins.length === 0 && lock.sources.has(source);
  const hasVersion =
    typeof selection === "string" && Object.keys(version).length > 0 && !isKept;
  return {
    result: { source, version, revisions, extensions: [] },
    pins,
    lock: hasVersion
      ? { ...next, sources: new Map([...lock.sources, [source, version]]) }
      : next,
  };
}

/** The schemas of a source, compared with the project, and those to pin. */
async function candidatesIn(
  schemas: FetchedSchemas,
  request: UpdateRequest,
  lock: Lock,
  diagnostics: Diagnostics,
) {
  const { selection, project, requests } = request;
  const isDefault = selection === "default";
  const compare = (name: string, loaded: Loaded): Promise<Candidate> =>
    compareSchema("revisions", name, loaded, lock, request);
  const isNewer = ({ state, pin, isIntact }: Candidate): boolean =>
    state !== "unchanged" || (pin === null ? !isDefault : !isIntact);
  const found: Candidate[] = [];
  for (const [name, load] of schemas)
    found.push(await compare(name, await load()));
  const protocols = await readNew(
    found.filter(isNewer),
    requests.status,
    diagnostics,
  );
  // What was read may be the schema.json in place of a schema.ts.
  const candidates = await Promise.all(
    found.map(async (candidate) => {
      const { name, loaded } = candidate;
      const isReplaced =
        loaded.json?.sha256 === protocols.get(name)?.source.sha256;
      return loaded.json && isReplaced
        ? await compare(name, loaded.json)
        : candidate;
    }),
  );
  const newer = candidates.filter(isNewer);
  const changes = await changesOf(newer, protocols, project);
  // A bundled schema stays in use if that of the source has other comments and
  // is the same otherwise.
  const pins = newer.filter(({ name, pin, state }) => {
    const isSame = changes.get(name)?.differences.length === 0;
    return !(isDefault && pin === null && state === "changed" && isSame);
  });
  return { candidates, changes, pins };
}

function reportMissing(
  source: string,
  name: string,
  { root }: Diagnostics,
): void {
  const message = `${source} no longer has revision ${name}, which stays pinned`;
  const hint =
    "remove its entry from mcpgen.lock.json and its file if nothing uses it";
  root.warn("MG755", null, message, hint);
}

/** The row of a schema that stays as it is pinned. */
const keptRow = (candidate: Candidate) => ({
  ...pinnedRow(candidate),
  state: "unchanged" as const,
  file: candidate.pin?.file ?? null,
});

/** The row of a revision that the source no longer has. */
const goneRow = (pin: readonly [name: string, pin: Pin]) => ({
  ...unchangedRow(...pin),
  state: "gone" as const,
  after: null,
});

/**
 * The version of a source that has nothing to pin, because every selected
 * revision is pinned and every file is as it was pinned. Null if the schemas
 * must be fetched to know what to do.
 */
async function knownVersion(
  lock: Lock,
  source: string,
  selection: RevisionSelection,
  project: string,
): Promise<SourceVersion | null> {
  if (selection === "all") return null;
  const isDefault = selection === "default";
  const pins = isDefault
    ? [...pinsOf(lock, source).values()]
    : selection.map((name) => lock.revisions.get(name));
  if (!(await areIntact(pins, source, project))) return null;
  if (isDefault) return lock.sources.get(source) ?? null;
  const versions = new Set(pins.map((pin) => pin?.commit ?? pin?.etag));
  const [first] = pins;
  return first !== undefined && versions.size === 1 ? versionOf(first) : null;
}

/** The revisions that are pinned from a source. */
function pinsOf({ revisions }: Lock, source: string): ReadonlyMap<string, Pin> {
  return new Map([...revisions].filter(([, pin]) => pin.source.is(source)));
}

/**
 * The selected schemas of a source, of which some are pinned.
 *
 * @throws SchemaError MG752 if the source has no schemas, or lacks a selected
 *   one
 */
export function choose(
  selection: RevisionSelection,
  schemas: FetchedSchemas,
  source: string,
  pinned: ReadonlyMap<string, unknown>,
): FetchedSchemas {
  const names = [...schemas.keys()];
  if (names.length === 0) {
    const layout = "schemas are expected in schema/<revision>/schema.ts";
    throw schemaError("MG752", `${source} has no schemas`, layout);
  }
  if (selection === "all") return schemas;
  const words =
    selection === "default"
      ? names.filter((name) => isDated(name) || pinned.has(name))
      : selection.map((word) =>
          word === "latest" ? (latestOf(names) ?? word) : word,
        );
  for (const word of words.filter((name) => !names.includes(name))) {
    const hint =
      suggestion(word, [...names, "latest", "all"]) ??
      `it has ${names.join(", ")}`;
    throw schemaError("MG752", `${source} has no revision "${word}"`, hint);
  }
  return new Map([...schemas].filter(([name]) => words.includes(name)));
}
