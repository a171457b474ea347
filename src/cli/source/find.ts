import { basename, join, resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../config.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import {
  findManifest,
  type ManifestSource,
} from "../../generator/emit/write.js";
import { upwards } from "../../generator/inputs/paths.js";
import { knownRevisions } from "../../generator/inputs/schemas.js";
import { loadSnapshot } from "../../generator/inputs/snapshots.js";
import { parseOrUndefined } from "../../generator/ir/json/value.js";
import { jsonDigestOf } from "../../generator/read/digest.js";
import { kindOfJson } from "../../generator/read/json-kind.js";
import { suggestion } from "../../generator/read/nearest.js";
import { readClientFiles } from "../clients/files.js";
import { type CommandError, usageError } from "../command-error.js";
import { findConfig, isData } from "../config/find.js";
import { loadConfig, type LoadedConfig } from "../config/load.js";
import { exists, readText } from "../destination/find.js";
import { findNamed } from "../live/entry.js";
import { sourceKind } from "../live/find-address.js";
import { stemIn } from "../snapshot-file.js";
import {
  sourceNeeds,
  type SourceNeed,
  type SourceKind,
  sourceKinds,
  type SourcePart,
} from "./kinds.js";

/** What a word or a flag of the command line names. */
export interface Source {
  readonly kind: SourceKind;
  /** As the user wrote it. A URL or a command may contain secrets. */
  readonly text: string;
  /** The folder that the paths in `parts` are relative to. */
  readonly directory: string;
  readonly parts: SourceParts;
}

/** What a source gives; a command uses one of them. */
interface SourceParts {
  /** Its entry in the configuration. */
  readonly job?: ServerJob;
  /** The path of a snapshot, or of a result of `tools/list`. */
  readonly snapshot?: string;
  /** How to reach the server. */
  readonly server?: ServerSource;
  /** A revision, or the path of a schema. */
  readonly schema?: string;
}

/** True for a source whose text is no name: it may contain secrets. */
export const isAddress = ({ kind }: Source): boolean =>
  kind === "url" || kind === "command";

/**
 * The part of a source that a command uses. Throws if it has none, with what to
 * do instead.
 */
export function partFor(
  need: SourceNeed,
  source: Source,
  hint: string = sourceKinds[source.kind].instead,
): SourcePart {
  const { expected, uses } = sourceNeeds[need];
  const part = uses.find((name) => source.parts[name] !== undefined);
  if (part !== undefined) return part;
  const { is } = sourceKinds[source.kind];
  const name = isAddress(source) ? "" : `${JSON.stringify(source.text)}, `;
  const message = `expected ${expected}, found ${name}${is}`;
  throw usageError("MG705", message, hint);
}

/** The source that `--url`, `--stdio`, `--module` or `--config` names, if any. */
export function flaggedSource(
  server: ServerSource,
  directory: string,
): Source | null {
  const flag = sourceKind(server);
  if (flag === null) return null;
  const kinds = { stdio: "command", config: "entry" } as const;
  const kind = flag === "stdio" || flag === "config" ? kinds[flag] : flag;
  return { kind, text: server[flag] ?? "", directory, parts: { server } };
}

/**
 * The sources that the words of a command line name, or the flags of a server.
 * Both at once are an error. With a configuration, an address that it has
 * names its server there.
 */
export async function namedSources(
  need: SourceNeed,
  words: readonly string[],
  server: ServerSource,
  directory: string,
  config: LoadedConfig | null = null,
): Promise<readonly Source[]> {
  const flagged = flaggedSource(server, directory);
  if (flagged !== null) {
    if (words[0] !== undefined) throw twoServers(words[0], server);
    return [recorded(flagged, config)];
  }
  const found: Source[] = [];
  for (const word of words)
    for (const source of await findSources(word, need, directory, config))
      found.push(recorded(source, config));
  found.forEach((source) => partFor(need, source));
  return found;
}

/** The same for a command that needs exactly one. */
export async function namedSource(
  need: SourceNeed,
  word: string | undefined,
  server: ServerSource,
  directory: string,
  config: LoadedConfig | null = null,
): Promise<Source> {
  const words = word === undefined ? [] : [word];
  const [source, second] = await namedSources(
    need,
    words,
    server,
    directory,
    config,
  );
  if (source === undefined) throw noServer();
  if (second === undefined) return source;
  const message = `${JSON.stringify(word)} names several servers of the configuration`;
  throw usageError("MG705", message, "name the snapshot of one of them");
}

/** The error for a word and a flag that both name a server. */
export function twoServers(word: string, server: ServerSource): CommandError {
  const message = `${JSON.stringify(word)} and --${String(sourceKind(server))} name two servers`;
  return usageError("MG705", message, "remove one of them");
}

/** The error for a command line without a source. */
export const noServer = (): CommandError =>
  usageError(
    "MG705",
    "no server is given",
    'name a URL, a command in quotes such as "node server.js", an entry of .mcp.json, a module or a snapshot',
  );

/**
 * What a word names: a URL, a command in quotes, a server of the configuration,
 * a file, a module, a revision, an entry of a client's file, or a folder of
 * stubs. Several servers of a configuration may have the same name. Connects to
 * nothing.
 */
async function findSources(
  text: string,
  need: SourceNeed,
  directory: string,
  given: LoadedConfig | null,
): Promise<readonly Source[]> {
  const only = (kind: SourceKind, parts: SourceParts): readonly Source[] => [
    { kind, text, directory, parts },
  ];
  if (/^https?:\/\//i.test(text)) return only("url", { server: { url: text } });
  const [, modulePath = text, exported] = moduleName.exec(text) ?? [];
  const path = resolve(directory, modulePath);
  const isPresent = await exists(path);
  // Only a file that exists has a path with spaces.
  if (/\s/.test(text) && !isPresent && !text.includes(".json#")) {
    if (await isEntry(text, directory)) throw ambiguous(text);
    return only("command", { server: { stdio: text } });
  }
  const usesSchemas = need === "any";
  const isFile = /\.json$/i.test(text);
  const { config, code } =
    given === null
      ? await configOf(need, isFile, isPresent, directory)
      : { config: given, code: null };
  const jobs = configured(config, (job, folder) => {
    if (resolve(folder, job.snapshot) === path) return true;
    return !(isFile && isPresent) && namesOf(job).includes(text);
  });
  if (jobs.length > 0) return jobs.map((job) => ({ ...job, text }));
  if (isFile) {
    const parts = await fileParts(text, path, usesSchemas, directory);
    return fileSources(only(...parts), code);
  }
  if (moduleName.test(text)) {
    return usesSchemas && exported === undefined
      ? only("schema", { schema: text })
      : only("module", { server: { module: text } });
  }
  if (text === "latest" || (await knownRevisions(directory)).includes(text))
    return only("revision", { schema: text });
  if (await isEntry(text, directory))
    return only("entry", { server: { config: text } });
  const folder =
    isPresent && (await folderSource(text, path, directory, config));
  if (folder) return [folder];
  if (usesSchemas) return only("schema", { schema: text });
  // A name may have a slash too: `io.github.ann/desk`.
  if (/^\.{0,2}[/\\]/.test(text) && !text.includes("#")) {
    const message = isPresent
      ? `${text} is not a folder of stubs`
      : `no such file or folder: ${text}`;
    const hint = "name a snapshot, a module, or a folder that mcpgen wrote";
    throw usageError("MG705", message, hint);
  }
  const known = (config?.config.servers ?? []).flatMap(namesOf);
  await findNamed(text, directory, suggestion(text, known));
  return only("entry", { server: { config: text } });
}

/** The configuration that a word may refer to, or the path of one in code. */
async function configOf(
  need: SourceNeed,
  isFile: boolean,
  isPresent: boolean,
  directory: string,
): Promise<{
  readonly config: LoadedConfig | null;
  readonly code: string | null;
}> {
  // A file says all that is needed of it, but not where its server is.
  const isEnough = isFile && isPresent && need !== "server" && need !== "job";
  const path = isEnough ? null : await findConfig(null, directory);
  if (path === null) return { config: null, code: null };
  // A configuration may be code of the project, which a file never runs.
  const isCode = isFile && need === "server" && !isData(path);
  return isCode
    ? { config: null, code: path }
    : { config: await loadConfig(path), code: null };
}

/** The sources of a file, which need a server if a configuration is code. */
function fileSources(
  found: readonly Source[],
  code: string | null,
): readonly Source[] {
  for (const source of found) {
    if (code === null) break;
    const hint = `${basename(code)} is code, which a file does not run: name the server, ${stemIn(source.text)}, in place of the file, or an entry of a client with --config`;
    partFor("server", source, hint);
  }
  return found;
}

/**
 * The same source with the entry of the configuration that has its address, if
 * there is one.
 */
function recorded(source: Source, config: LoadedConfig | null): Source {
  const { server, job } = source.parts;
  const kind = server === undefined ? null : sourceKind(server);
  if (kind === null || job !== undefined) return source;
  const [other] = configured(
    config,
    (one) => one.source?.[kind] === server?.[kind],
  );
  return other === undefined ? source : { ...other, text: source.text };
}

/** The path of a module, with the name of its export: `./server.ts#server`. */
const moduleName = /^(.+\.[cm]?[jt]sx?)(?:#([^#/\\]+))?$/s;

/** The names of a server of a configuration. */
const namesOf = ({ snapshot, source, name }: ServerJob): string[] =>
  [snapshot, stemIn(snapshot), name, source?.config].filter(
    (known) => known !== undefined,
  );

/** The servers of a configuration, or those that match. */
export function configured(
  config: LoadedConfig | null,
  matches: (job: ServerJob, directory: string) => boolean = () => true,
): readonly Source[] {
  if (config === null) return [];
  const { directory } = config;
  const jobs = config.config.servers ?? [];
  return jobs
    .filter((job) => matches(job, directory))
    .map((job) => {
      const { snapshot, source: server } = job;
      const parts = { job, snapshot, ...(server && { server }) };
      return { kind: "configured", text: snapshot, directory, parts };
    });
}

/** True for an entry of a client's file: a name, or `file.json#name`. */
async function isEntry(text: string, directory: string): Promise<boolean> {
  if (/\.json#/i.test(text)) return true;
  const { entries } = await readClientFiles(directory);
  return entries.some(({ name }) => name === text);
}

const ambiguous = (text: string) =>
  usageError(
    "MG705",
    `${JSON.stringify(text)} is an entry of a client's file, and may be a command`,
    "name it with --config, or with --stdio",
  );

/** What a JSON file is: of a server, a client's configuration, or a schema. */
async function fileParts(
  text: string,
  path: string,
  usesSchemas: boolean,
  directory: string,
): Promise<[SourceKind, SourceParts]> {
  const content = await readText(path);
  // The error has a hint on how to create a snapshot.
  if (content === null && !usesSchemas)
    await loadSnapshot(text, directory, new Diagnostics());
  const kind = kindOfJson(parseOrUndefined(content ?? ""));
  if (kind === "openapi") {
    const message = `${text} is an OpenAPI document, which mcpgen does not read`;
    const hint = "name the MCP server, or a snapshot of it";
    throw usageError("MG705", message, hint);
  }
  if (kind === "clients") {
    const message = `${text} is the configuration of a client`;
    const hint = `name one of its servers: ${text}#<name>`;
    throw usageError("MG705", message, hint);
  }
  const isOfServer =
    text.endsWith(".mcp.json") || kind === "snapshot" || kind === "tools";
  const isSchema = kind === "schema" || kind === "ir" || usesSchemas;
  return !isOfServer && isSchema
    ? ["schema", { schema: text }]
    : ["snapshot", { snapshot: text }];
}

/** The source of a folder of stubs; null for another folder. */
async function folderSource(
  text: string,
  path: string,
  directory: string,
  config: LoadedConfig | null,
): Promise<Source | null> {
  const [origin] = findManifest(path)?.sources ?? [];
  if (origin?.name.endsWith(".json") !== true) return null;
  const [job] = configured(
    config,
    ({ out }, folder) => out !== undefined && resolve(folder, out) === path,
  );
  if (job !== undefined) return { ...job, kind: "folder", text };
  const parts = await generatedFrom(origin, path);
  return { kind: "folder", text, directory, parts };
}

/**
 * The snapshot that a folder of stubs was generated from, by its name and
 * digest: beside the folder or above it.
 */
async function generatedFrom(
  { name, sha256 }: ManifestSource,
  folder: string,
): Promise<SourceParts> {
  for (const above of upwards(folder)) {
    const snapshot = join(above, name);
    const text = await readText(snapshot);
    if (text !== null && jsonDigestOf(text) === sha256) return { snapshot };
  }
  return {};
}
