import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { schemaError } from "../diagnostics.js";
import { isEtag, type SourceVersion } from "../sources/lock.js";
import { shownPath } from "../sources/paths.js";
import { urlProblem } from "./address.js";
import { ArchiveError, archiveLimits, unpackSchemas } from "./archive.js";
import { folderSchemas } from "./folder.js";
import { headCommit, statusError } from "./git.js";
import { get, type Reply, type Requests } from "./http.js";
import { decodeAll, type FetchedSchemas } from "./schemas.js";

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
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(from)) {
    const url = sourceUrl(from);
    return isArchive(url.pathname) ? archiveUrl(url, requests) : repository(url, requests);
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

const isArchive = (path: string): boolean => /\.(?:tar\.gz|tgz)$/i.test(path);

function repository(url: URL, requests: Requests): SchemaSource {
  const bare = new URL(url.origin + url.pathname.replace(/\/+$/, "").replace(/\.git$/, ""));
  const name = urlName(bare);
  return {
    name,
    fetch: async (known) => {
      requests.status(`requesting the newest commit from ${bare.host}`);
      const commit = await headCommit(bare, requests);
      requests.status(null);
      if (known?.commit === commit) return null;
      // GitHub, Gitea and Forgejo use the first path, and GitLab uses the second.
      const urls = [`${name}/archive/${commit}.tar.gz`, `${name}/-/archive/${commit}/archive.tar.gz`];
      const reply = await firstExisting(
        urls.map((text) => new URL(text)),
        requests,
      );
      return { version: { commit }, schemas: await remoteSchemas(reply, bare, name) };
    },
  };
}

/** The first URL that exists; the error of the first one if none does. */
async function firstExisting(urls: readonly URL[], requests: Requests): Promise<Reply> {
  let firstError: Error | null = null;
  for (const url of urls) {
    const reply = await get(url, { accept: "*/*" }, archiveLimits.compressed, requests);
    if (reply.status === 200) return reply;
    reply.close();
    firstError ??= statusError(url, reply.status);
    if (reply.status !== 404) break;
  }
  throw firstError ?? new Error("No URL was passed.");
}

function archiveUrl(url: URL, requests: Requests): SchemaSource {
  const name = urlName(url);
  return {
    name,
    fetch: async (known) => {
      const etag = known?.etag;
      const headers = { accept: "*/*", ...(etag !== undefined && { "if-none-match": etag }) };
      const reply = await get(url, headers, archiveLimits.compressed, requests);
      if (reply.status === 200)
        return { version: versionOf(reply), schemas: await remoteSchemas(reply, url, name) };
      reply.close();
      if (reply.status === 304 && etag !== undefined) return null;
      throw statusError(url, reply.status);
    },
  };
}

/** The entity tag of a response, if it has one. */
export function versionOf({ headers: { etag } }: Reply): SourceVersion {
  return typeof etag === "string" && isEtag(etag) ? { etag } : {};
}

async function remoteSchemas(reply: Reply, { host }: URL, name: string): Promise<FetchedSchemas> {
  try {
    return decodeAll(await unpackSchemas(reply.body), name);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw unreachable(`the archive of ${host} cannot be used: ${error.message}`, "try again later");
  } finally {
    reply.close();
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
