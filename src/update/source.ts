import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { schemaError } from "../diagnostics.js";
import { isEtag, type SourceVersion } from "../sources/lock.js";
import { shownPath } from "../sources/paths.js";
import { urlProblem } from "./address.js";
import { ArchiveError, archiveLimits, unpackSchemas } from "./archive.js";
import { headCommit } from "./git.js";
import { get, statusError, type Requests } from "./http.js";
import { decodeAll, folderSchemas, type FetchedSchemas } from "./schemas.js";

import { unreachable } from "./unreachable.js";

/** A repository, archive or folder with schemas of revisions: `schema/<revision>/schema.ts`. */
export interface SchemaSource {
  /** Its name in the lock file: a URL without credentials and query, or a path relative to the project. */
  readonly name: string;
  /** Fetches all schemas; null if the source has not changed since this version. */
  fetch(known: SourceVersion | null): Promise<Fetched | null>;
}

/** All schemas of a source, and its version. */
export interface Fetched {
  readonly version: SourceVersion;
  readonly schemas: FetchedSchemas;
}

/** The repository of the protocol. */
export const officialRepository = "https://github.com/modelcontextprotocol/modelcontextprotocol";

/** The base directories of relative paths. */
export interface BaseDirectories {
  /** For the path in `--from` or in the configuration. */
  readonly directory: string;
  /** For the names of sources in the lock file. */
  readonly project: string;
}

/**
 * A source by the value of `--from`: the URL of a repository or of a .tar.gz, a folder, or a .tar.gz file.
 *
 * @throws SchemaError MG751 if it cannot be a source
 */
export async function openSource(
  from: string,
  directories: BaseDirectories,
  requests: Requests,
): Promise<SchemaSource> {
  if (isUrl(from)) {
    const url = sourceUrl(from);
    if (!/\.(?:tar\.gz|tgz)$/i.test(url.pathname)) return repository(url, requests);
    return fileSource(url, archiveLimits.compressed, requests, (body) =>
      remoteSchemas(body, url, urlName(url)),
    );
  }
  const path = shownPath(from, directories.directory);
  const stats = await stat(path).catch(() => null);
  if (stats === null) {
    throw unusable(from, "there is no such file or folder", "use an https URL, a folder or a .tar.gz file");
  }
  const name = pathName(from, directories);
  if (stats.isDirectory()) {
    return { name, fetch: async () => ({ version: {}, schemas: await folderSchemas(path, name) }) };
  }
  return { name, fetch: async () => ({ version: {}, schemas: await fileSchemas(path, from, name) }) };
}

/** True for the value of `--from` or `--extension` that is not a path. */
export const isUrl = (from: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(from);

/** The URL of a source, checked. The address that the user names may be in a private network. */
export function sourceUrl(from: string): URL {
  const url = URL.canParse(from) ? new URL(from) : null;
  const problem = url === null ? "it is not a valid URL" : urlProblem(url);
  if (url !== null && problem === null) {
    url.hash = "";
    return url;
  }
  throw unusable(shownUrl(from), problem ?? "", "use an https URL without credentials");
}

/** The name of a URL in the lock file. A query may contain a secret. */
export function urlName({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** The name of a path in the lock file. */
export function pathName(from: string, { directory, project }: BaseDirectories): string {
  const path = relative(project, shownPath(from, directory)).replaceAll("\\", "/");
  return path === "" ? "." : path;
}

function unusable(from: string, reason: string, hint: string): Error {
  return schemaError("MG751", `${from} cannot be a source of schemas: ${reason}`, hint);
}

/** A URL without its credentials and query, for a message. In an invalid one, everything before an "@" may be a password. */
function shownUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && url.host !== "") return `${url.protocol}//${url.host}${url.pathname}`;
  return text.replace(/\/\/.*@/s, "//").replace(/[?#].*$/s, "");
}

function repository(url: URL, requests: Requests): SchemaSource {
  const bare = new URL(url.origin + url.pathname.replace(/\/+$/, "").replace(/\.git$/, ""));
  const name = urlName(bare);
  return {
    name,
    fetch: async (known) => {
      requests.status(`requesting the newest commit from ${bare.host}`);
      const commit = await headCommit(bare, requests);
      if (known?.commit === commit) return null;
      // GitHub, Gitea and Forgejo use the first path, and GitLab uses the second.
      const urls = [`${name}/archive/${commit}.tar.gz`, `${name}/-/archive/${commit}/archive.tar.gz`];
      const query = { maxBytes: archiveLimits.compressed, isOptional: true };
      for (const archive of urls.map((text) => new URL(text))) {
        const schemas = await get(archive, query, requests, (body) => remoteSchemas(body, bare, name));
        if (schemas !== null) return { version: { commit }, schemas };
      }
      throw statusError(new URL(urls[0] ?? name), 404);
    },
  };
}

/** A source that is one file, which has an entity tag in place of a commit. */
export function fileSource(
  url: URL,
  maxBytes: number,
  requests: Requests,
  read: (body: AsyncIterable<Uint8Array>) => Promise<FetchedSchemas>,
): SchemaSource {
  return {
    name: urlName(url),
    fetch: (known) =>
      get(url, { maxBytes, etag: known?.etag }, requests, async (body, { etag }) => ({
        version: etag !== undefined && isEtag(etag) ? { etag } : {},
        schemas: await read(body),
      })),
  };
}

async function remoteSchemas(
  body: AsyncIterable<Uint8Array>,
  { host }: URL,
  name: string,
): Promise<FetchedSchemas> {
  try {
    return decodeAll(await unpackSchemas(body), name);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw unreachable(`the archive of ${host} cannot be used: ${error.message}`, "try again later");
  }
}

async function fileSchemas(path: string, from: string, name: string): Promise<FetchedSchemas> {
  try {
    return decodeAll(await unpackSchemas(createReadStream(path)), name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    if (!(error instanceof ArchiveError) && code === null) throw error;
    const reason = error instanceof ArchiveError ? error.message : `it cannot be read (${code})`;
    throw unusable(from, reason, "use an https URL, a folder or a .tar.gz file");
  }
}
