import { createReadStream, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { diskReason } from "../../generator/emit/write/disk.js";
import { schemaError } from "../../generator/diagnostics.js";
import { schemaNames } from "../../generator/read/load.js";
import { decodeOrThrow, loadOrThrow } from "../../generator/inputs/load.js";
import {
  isCommit,
  isEtag,
  isPinName,
  type SourceVersion,
} from "../../generator/inputs/lock.js";
import { FromFile, isAddress } from "../../generator/inputs/from-file.js";
import { shownPath } from "../../generator/inputs/paths.js";
import { unreachable, urlProblem } from "./address.js";
import {
  ArchiveError,
  archiveLimits,
  unpackSchemas,
  type FetchedSchemas,
} from "./archive.js";
import { get, statusError, type Requests } from "./http.js";
import type { UpdateRequest } from "./pins.js";

/**
 * A repository, archive or folder with schemas of revisions,
 * `schema/<revision>/schema.ts`, or one schema of an extension.
 */
interface SchemaSource {
  /**
   * Its name in the lock file: a URL without credentials and query, or a path
   * relative to the project.
   */
  readonly name: string;
  /**
   * Fetches all schemas; null if the source has not changed since this version.
   */
  readonly fetch: (known: SourceVersion | null) => Promise<Fetched | null>;
}

/** All schemas of a source, and its version. */
interface Fetched {
  readonly version: SourceVersion;
  readonly schemas: FetchedSchemas;
}

/** The repository of the protocol. */
export const officialRepository =
  "https://github.com/modelcontextprotocol/modelcontextprotocol";

/**
 * A source by the value of `--from`: the URL of a repository or of a .tar.gz, a
 * folder, or a .tar.gz file; and by that of `--extension`: also the URL or path
 * of a schema.ts, or the path of its folder.
 *
 * @throws SchemaError MG751 if it cannot be a source
 */
export async function openSource(
  request: UpdateRequest,
  content: "revisions" | "extension",
): Promise<SchemaSource> {
  const { from, directory, project } = request;
  const isFromFile = from instanceof FromFile;
  const requests = { ...request.requests, isPublic: isFromFile };
  const isExtension = content === "extension";
  const place = isFromFile
    ? await from.place(directory)
    : isAddress(from)
      ? { url: sourceUrl(from) }
      : { path: from };
  if ("url" in place) {
    const { url } = place;
    const name = urlName(url);
    if (isExtension && url.pathname.endsWith(".ts")) {
      return fileSource(url, archiveLimits.schema, requests, async (body) => {
        const loaded = await decodeOrThrow(await buffer(body), name);
        checkDeclares(loaded.text, name);
        return new Map([["", async () => loaded]]);
      });
    }
    if (!/\.(?:tar\.gz|tgz)$/i.test(url.pathname))
      return repository(url, requests);
    return fileSource(url, archiveLimits.compressed, requests, (body) =>
      remoteSchemas(body, url, name),
    );
  }
  const path = shownPath(place.path, directory);
  const stats = await stat(path).catch(() => null);
  if (stats === null)
    throw unusable(path, "there is no such file or folder", otherSources);
  const name = relative(project, path).replaceAll("\\", "/") || ".";
  const read = async (): Promise<FetchedSchemas> => {
    if (
      isExtension &&
      (path.endsWith(".ts") || existsSync(join(path, "schema.ts")))
    )
      return new Map([["", () => loadOrThrow(path)]]);
    return stats.isDirectory()
      ? await folderSchemas(path)
      : await fileSchemas(path, name);
  };
  return { name, fetch: async () => ({ version: {}, schemas: await read() }) };
}

/**
 * A diagnostic quotes lines of a schema. Any other text, such as the answer of
 * a server that has none, is not quoted.
 */
function checkDeclares(text: string, name: string): void {
  const declaration =
    /^[ \t]*export[ \t]+(?:declare[ \t]+)?(?:interface|type)[ \t]/m;
  if (declaration.test(text)) return;
  throw unusable(name, "it declares no interface and no type", otherSources);
}

/**
 * The URL of a source, checked. The address that the user names may be in a
 * private network.
 */
function sourceUrl(from: string): URL {
  const url = URL.canParse(from) ? new URL(from) : null;
  const problem = url === null ? "it is not a valid URL" : urlProblem(url);
  if (url !== null && problem === null) return url;
  throw unusable(
    shownUrl(from),
    problem ?? "",
    "use an https URL without credentials",
  );
}

/** The name of a URL in the lock file. A query may contain a secret. */
function urlName({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function unusable(from: string, reason: string, hint: string): Error {
  return schemaError(
    "MG751",
    `${from} cannot be a source of schemas: ${reason}`,
    hint,
  );
}

const otherSources = "use an https URL, a folder or a .tar.gz file";

/**
 * A URL without its credentials and query, for a message. In an invalid one,
 * everything before an "@" may be a password.
 */
function shownUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && url.host !== "")
    return `${url.protocol}//${url.host}${url.pathname}`;
  const start = text.indexOf("//") + "//".length;
  const end = Math.max(start, text.lastIndexOf("@") + 1);
  const shown = text.slice(0, start) + text.slice(end);
  return shown.replace(/[?#].*$/s, "");
}

function repository(url: URL, requests: Requests): SchemaSource {
  const bare = new URL(
    url.origin +
      url.pathname.replace(/(^|[^/])\/+$/, "$1").replace(/\.git$/, ""),
  );
  const name = urlName(bare);
  return {
    name,
    fetch: async (known) => {
      requests.status(`requesting the newest commit from ${bare.host}`);
      const commit = await headCommit(bare, requests);
      if (known?.commit === commit) return null;
      // GitHub, Gitea and Forgejo use the first path, and GitLab uses the
      // second.
      const urls = [
        `${name}/archive/${commit}.tar.gz`,
        `${name}/-/archive/${commit}/archive.tar.gz`,
      ];
      const query = { maxBytes: archiveLimits.compressed, isOptional: true };
      for (const archive of urls.map((text) => new URL(text))) {
        const schemas = await get(archive, query, requests, (body) =>
          remoteSchemas(body, bare, name),
        );
        if (schemas !== null) return { version: { commit }, schemas };
      }
      throw statusError(new URL(urls[0] ?? name), 404);
    },
  };
}

/**
 * The length of the list of references that is read: the default branch is the
 * first one, and a list may have many thousands.
 */
const maxLength = 65_536;

/**
 * Requests the commit of the default branch of a repository, with the smart
 * HTTP protocol of git.
 */
async function headCommit(
  repository: URL,
  requests: Requests,
): Promise<string> {
  const url = new URL(`${repository.href}/info/refs?service=git-upload-pack`);
  const list = await get(
    url,
    { maxBytes: 1_000_000, shown: repository },
    requests,
    async (body, headers) => {
      const type = String(headers["content-type"]);
      if (!type.startsWith("application/x-git-upload-pack-advertisement")) {
        throw unreachable(
          `${repository.href} is not a git repository: its response has the type ${type.slice(0, 80)}`,
          "use the URL of a repository, or of a .tar.gz archive",
        );
      }
      let text = "";
      for await (const chunk of body) {
        text += Buffer.from(chunk).toString("latin1");
        if (text.length >= maxLength) break;
      }
      return text;
    },
  );
  // Each line begins with its length as four hexadecimal digits.
  const [, commit = ""] =
    /[0-9a-f]{4}([0-9a-f]{40}|[0-9a-f]{64}) HEAD[\0\n]/.exec(list ?? "") ?? [];
  if (isCommit(commit)) return commit;
  throw unreachable(
    `${repository.href} has no default branch`,
    "use a repository with commits",
  );
}

/** A source that is one file, which has an entity tag in place of a commit. */
function fileSource(
  url: URL,
  maxBytes: number,
  requests: Requests,
  read: (body: AsyncIterable<Uint8Array>) => Promise<FetchedSchemas>,
): SchemaSource {
  return {
    name: urlName(url),
    fetch: (known) =>
      get(
        url,
        { maxBytes, etag: known?.etag },
        requests,
        async (body, { etag }) => ({
          version: etag !== undefined && isEtag(etag) ? { etag } : {},
          schemas: await read(body),
        }),
      ),
  };
}

async function remoteSchemas(
  body: AsyncIterable<Uint8Array>,
  { host }: URL,
  name: string,
): Promise<FetchedSchemas> {
  try {
    return await unpackSchemas(body, name);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw unreachable(
      `the archive of ${host} cannot be used: ${error.message}`,
      "try again later",
    );
  }
}

/** The schemas `schema/<revision>/schema.ts` and `schema.json` in a folder. */
async function folderSchemas(path: string): Promise<FetchedSchemas> {
  const entries = await readdir(join(path, "schema")).catch(() => []);
  const folders = entries
    .filter(isPinName)
    .map((name) => [name, join(path, "schema", name)] as const);
  const found = folders.filter(([, folder]) =>
    schemaNames.some((name) => existsSync(join(folder, name))),
  );
  return new Map(
    found.sort().map(([name, folder]) => [name, () => loadOrThrow(folder)]),
  );
}

async function fileSchemas(
  path: string,
  name: string,
): Promise<FetchedSchemas> {
  try {
    return await unpackSchemas(createReadStream(path), name);
  } catch (error) {
    const unreadable = diskReason(error);
    if (unreadable !== null) throw unusable(path, unreadable, otherSources);
    if (!(error instanceof ArchiveError)) throw error;
    throw unusable(path, error.message, otherSources);
  }
}
