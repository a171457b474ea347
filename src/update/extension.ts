import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Diagnostics, schemaError, SchemaError } from "../diagnostics.js";
import { isDated, latestOf } from "../read/revisions.js";
import { bundledExtensions, type Loaded } from "../read/load.js";
import { tokensDigestOf } from "../read/tokens.js";
import { loadOrThrow } from "../sources/load.js";
import { emptyLock, isPinName, LOCK, type Lock, type Pin } from "../sources/lock.js";
import { shownPath } from "../sources/paths.js";
import { loadIfIntact } from "../sources/pins.js";
import { archiveLimits } from "./archive.js";
import { keepSeen, seenVersion } from "./cache.js";
import { checkFile, pinnedFile } from "./candidate.js";
import { choose, type RevisionSelection } from "./choose.js";
import type { Requests } from "./http.js";
import { decodeSchema, type FetchedSchemas } from "./schemas.js";
import {
  fileSource,
  isUrl,
  openSource,
  pathName,
  sourceUrl,
  urlName,
  type BaseDirectories,
  type SchemaSource,
} from "./source.js";
import {
  noSchemas,
  unchangedRow,
  versionOfPin,
  type RevisionUpdate,
  type UpdatePlan,
  type UpdateRequest,
} from "./revisions.js";

/**
 * Fetches the schema of an extension and reads it completely. It is pinned under the last part of its id.
 *
 * @throws SchemaError with all diagnostics if it cannot be read
 * @throws UnreachableError
 */
export async function planExtension(
  request: UpdateRequest,
  lock: Lock,
  diagnostics: Diagnostics,
): Promise<UpdatePlan> {
  const { from, selection, project, folder, requests } = request;
  const source = await openExtension(from, request, requests);
  const pinned = [...lock.extensions].find(([, pin]) => pin.source === source.name) ?? null;
  const isIntact = pinned !== null && typeof (await loadIfIntact(pinned[1], project)) !== "string";
  const [revision] = typeof selection === "string" ? [] : selection;
  // Another revision of the extension may be in the same commit.
  const isKnown = isIntact && pinned[1].revision === revision;
  const subject = `extension ${revision ?? ""} ${source.name}`;
  const known = isKnown ? ((await seenVersion(subject, lock, project)) ?? versionOfPin(pinned[1])) : null;
  const fetched = await source.fetch(known);
  const loaded = fetched === null ? null : schemaIn(fetched.schemas, selection, source.name);
  if (isIntact && (loaded === null || loaded.sha256 === pinned[1].sha256)) {
    const row = unchangedRow(...pinned);
    const version = fetched?.version ?? known ?? {};
    if (isKnown) await keepSeen(subject, version, lock, project);
    const result = { source: source.name, version, revisions: [], extensions: [row] };
    return { result, pinned: noSchemas, files: [], lock };
  }
  if (fetched === null || loaded === null) throw new Error("A source has no version before the first one.");
  const { version } = fetched;
  const id = await readId(loaded, diagnostics);
  const name = nameOf(id);
  const pin = lock.extensions.get(name) ?? null;
  if (pin !== null && pin.source !== source.name) await rejectOther(id, name, pin, project);
  const file = pinnedFile(pin, `${folder}/extensions/${name}/schema`, loaded);
  await checkFile(file, pin, loaded, project);
  const { sha256 } = loaded;
  const next: Pin = {
    file,
    source: source.name,
    ...version,
    sha256,
    tokens: tokensDigestOf(loaded),
    ...(revision !== undefined && { revision }),
  };
  const before = pin?.sha256 ?? (await bundledDigest(name));
  const state = before === null ? "new" : before === loaded.sha256 ? "unchanged" : "changed";
  const row: RevisionUpdate = { name, state, file, before, after: sha256, change: null };
  return {
    result: { source: source.name, version, revisions: [], extensions: [row] },
    pinned: { ...noSchemas, extensions: new Map([[name, { loaded, name: file, bundledAs: null }]]) },
    files: [{ path: file, text: loaded.text }],
    lock: { ...lock, extensions: new Map([...lock.extensions, [name, next]]) },
  };
}

/** The URL or path of a schema.ts, or a source of several revisions. */
async function openExtension(
  from: string,
  directories: BaseDirectories,
  requests: Requests,
): Promise<SchemaSource> {
  if (isUrl(from)) {
    const url = sourceUrl(from);
    if (!url.pathname.endsWith(".ts")) return await openSource(from, directories, requests);
    return fileSource(url, archiveLimits.schema, requests, async (body) =>
      single(decodeSchema(await buffer(body), urlName(url))),
    );
  }
  const path = shownPath(from, directories.directory);
  const stats = await stat(path).catch(() => null);
  const isSchema = stats?.isDirectory() === true ? await exists(`${path}/schema.ts`) : path.endsWith(".ts");
  if (stats === null || !isSchema) return await openSource(from, directories, requests);
  const fetch = async () => ({ version: {}, schemas: single(await loadOrThrow(path)) });
  return { name: pathName(from, directories), fetch };
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const single = (loaded: Loaded): FetchedSchemas => ({ names: [""], load: () => loaded });

/** The selected schema of a source; by default that of the newest dated revision, otherwise of a draft, which comes last. */
function schemaIn(schemas: FetchedSchemas, selection: RevisionSelection, source: string): Loaded {
  const { names } = schemas;
  if (names[0] === "") return schemas.load("");
  const newest = latestOf(names.filter(isDated)) ?? names.at(-1) ?? "";
  const [name = ""] = choose(
    typeof selection === "string" ? [newest] : selection,
    schemas,
    source,
    emptyLock,
  ).names;
  return schemas.load(name);
}

async function readId(loaded: Loaded, diagnostics: Diagnostics): Promise<string> {
  const { readExtension } = await import("../read/index.js");
  const { file, text } = loaded;
  const schema = await readExtension(text, { file, name: file }, diagnostics);
  if (schema === null) throw new SchemaError(diagnostics.list);
  return schema.id;
}

/** The name of an extension for `--extension`: "tasks" of "io.modelcontextprotocol/tasks". */
function nameOf(id: string): string {
  const name = (id.split("/").at(-1) ?? "").replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 64);
  return isPinName(name) ? name : `extension-${name}`.slice(0, 64);
}

/** An extension may move to another source, but another extension of the same name must not replace it. */
async function rejectOther(id: string, name: string, pin: Pin, project: string): Promise<void> {
  const pinned = await loadIfIntact(pin, project);
  const other = typeof pinned === "string" ? id : await readId(pinned, new Diagnostics());
  if (other === id) return;
  throw schemaError(
    "MG756",
    `the extension ${id} would replace ${other}, which is pinned under the same name`,
    `remove the entry "${name}" from ${LOCK} and its file first`,
  );
}

async function bundledDigest(name: string): Promise<string | null> {
  const bundled = (await bundledExtensions()).find((extension) => extension.name === name);
  return bundled === undefined ? null : (await loadOrThrow(bundled.folder)).sha256;
}
