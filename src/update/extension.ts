import { stat } from "node:fs/promises";
import { Diagnostics, schemaError, SchemaError } from "../diagnostics.js";
import { isDated, latestOf } from "../read/revisions.js";
import { bundledExtensions, type Loaded } from "../read/load.js";
import { tokensDigestOf } from "../read/tokens.js";
import { loadOrThrow } from "../sources/load.js";
import { emptyLock, isPinName, LOCK, type Lock, type Pin, type SourceVersion } from "../sources/lock.js";
import { shownPath } from "../sources/paths.js";
import { loadIfIntact } from "../sources/pins.js";
import { archiveLimits } from "./archive.js";
import { keepSeen, seenVersion } from "./cache.js";
import { checkFile, pinnedFile } from "./candidate.js";
import { choose, type RevisionSelection } from "./choose.js";
import { statusError } from "./git.js";
import { get, type Requests } from "./http.js";
import { decodeSchema } from "./schemas.js";
import { openSource, pathName, sourceUrl, urlName, versionOf, type BaseDirectories } from "./source.js";
import {
  noSchemas,
  versionOfPin,
  type RevisionUpdate,
  type UpdatePlan,
  type UpdateRequest,
} from "./revisions.js";

/** Where the schema of an extension is. */
interface ExtensionLocation {
  /** Its name in the lock file. */
  readonly name: string;
  /** Fetches the schema; null if the source has not changed since this version. */
  fetch(
    known: SourceVersion | null,
  ): Promise<{ readonly version: SourceVersion; readonly loaded: Loaded } | null>;
}

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
  const source = await openExtension(from, selection, request, requests);
  const pinned = [...lock.extensions].find(([, pin]) => pin.source === source.name) ?? null;
  const isIntact = pinned !== null && typeof (await loadIfIntact(pinned[1], project)) !== "string";
  const [revision] = typeof selection === "string" ? [] : selection;
  // Another revision of the extension may be in the same commit.
  const isKnown = isIntact && pinned[1].revision === revision;
  const subject = `extension ${revision ?? ""} ${source.name}`;
  const known = isKnown ? ((await seenVersion(subject, lock, project)) ?? versionOfPin(pinned[1])) : null;
  const fetched = await source.fetch(known);
  if (isIntact && (fetched === null || fetched.loaded.sha256 === pinned[1].sha256)) {
    const row = rowOf(pinned[0], pinned[1].file, "unchanged", pinned[1].sha256, pinned[1].sha256);
    const version = fetched?.version ?? known ?? {};
    if (isKnown) await keepSeen(subject, version, lock, project);
    const result = { source: source.name, version, revisions: [], extensions: [row] };
    return { result, pinned: noSchemas, files: [], lock };
  }
  if (fetched === null) throw new Error("A source returned no schema, although no known version was passed.");
  const { version, loaded } = fetched;
  const id = await readId(loaded, diagnostics);
  const name = nameOf(id);
  const pin = lock.extensions.get(name) ?? null;
  if (pin !== null && pin.source !== source.name) await rejectOther(id, name, pin, project);
  const file = pinnedFile(pin, `${folder}/extensions/${name}/schema`, loaded);
  await checkFile(file, pin, loaded, project);
  const { sha256 } = loaded;
  const choice = revision === undefined ? {} : { revision };
  const before = pin?.sha256 ?? (await bundledDigest(name));
  const state = before === null ? "new" : before === loaded.sha256 ? "unchanged" : "changed";
  const row = rowOf(name, file, state, before, loaded.sha256);
  return {
    result: { source: source.name, version, revisions: [], extensions: [row] },
    pinned: { ...noSchemas, extensions: new Map([[name, { loaded, name: file, bundledAs: null }]]) },
    files: [{ path: file, text: loaded.text }],
    lock: withExtension(lock, name, {
      file,
      source: source.name,
      ...version,
      sha256,
      tokens: tokensDigestOf(loaded),
      ...choice,
    }),
  };
}

/** The URL or path of a schema.ts, or a source of several revisions, of which the newest is taken. */
async function openExtension(
  from: string,
  selection: RevisionSelection,
  directories: BaseDirectories,
  requests: Requests,
): Promise<ExtensionLocation> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(from)) {
    const url = sourceUrl(from);
    if (url.pathname.endsWith(".ts"))
      return { name: urlName(url), fetch: (known) => fetchFile(url, known, requests) };
  } else {
    const path = shownPath(from, directories.directory);
    const stats = await stat(path).catch(() => null);
    const hasSchema =
      stats?.isDirectory() === true && (await stat(`${path}/schema.ts`).catch(() => null)) !== null;
    if (hasSchema || (stats?.isFile() === true && path.endsWith(".ts")))
      return {
        name: pathName(from, directories),
        fetch: async () => ({ version: {}, loaded: await loadOrThrow(path) }),
      };
  }
  const source = await openSource(from, directories, requests);
  return {
    name: source.name,
    fetch: async (known) => {
      const fetched = await source.fetch(known);
      if (fetched === null) return null;
      const { version, schemas } = fetched;
      const words = typeof selection === "string" ? [newest(schemas.names)] : selection;
      const [name = ""] = choose(words, schemas, source.name, emptyLock).names;
      return { version, loaded: schemas.load(name) };
    },
  };
}

/** The newest dated revision; otherwise a draft, which comes last. */
function newest(names: readonly string[]): string {
  return latestOf(names.filter(isDated)) ?? names.at(-1) ?? "";
}

async function fetchFile(url: URL, known: SourceVersion | null, requests: Requests) {
  const etag = known?.etag;
  const headers = { accept: "*/*", ...(etag !== undefined && { "if-none-match": etag }) };
  const reply = await get(url, headers, archiveLimits.schema, requests);
  try {
    if (reply.status === 304 && etag !== undefined) return null;
    if (reply.status !== 200) throw statusError(url, reply.status);
    const chunks: Uint8Array[] = [];
    for await (const chunk of reply.body) chunks.push(chunk);
    return { version: versionOf(reply), loaded: decodeSchema(Buffer.concat(chunks), urlName(url)) };
  } finally {
    reply.close();
  }
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

function withExtension(lock: Lock, name: string, pin: Pin): Lock {
  return { ...lock, extensions: new Map([...lock.extensions, [name, pin]]) };
}

async function bundledDigest(name: string): Promise<string | null> {
  const bundled = (await bundledExtensions()).find((extension) => extension.name === name);
  return bundled === undefined ? null : (await loadOrThrow(bundled.folder)).sha256;
}

function rowOf(
  name: string,
  file: string,
  state: RevisionUpdate["state"],
  before: string | null,
  after: string,
): RevisionUpdate {
  return { name, state, file, before, after, change: null };
}
