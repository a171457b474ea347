import type { Scope } from "../../generator/diagnostics.js";
import { exact, type Json, type JsonRecord } from "../../generator/ir/json.js";
import {
  type Owned,
  withOwned,
  withOwnedEntries,
} from "../../generator/ir/json/owned.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { reportFaults, reportRemote, schemas } from "./formats.js";

/** A file that describes a server to the registry, clients or hosts. */
export interface CardFile {
  readonly name: "server.json" | "server-card.json" | "manifest.json";
  readonly content: JsonRecord;
}

/**
 * The member of `_meta` that the registry keeps, and how many bytes it may
 * have.
 */
const publisher = "io.modelcontextprotocol.registry/publisher-provided";
const maxPublisherBytes = 4096;

/** The files as they are; a file that does not exist is not there. */
export type CardFiles = Readonly<Partial<Record<CardFile["name"], JsonRecord>>>;

/**
 * `server.json`, and the card if the server has a URL, with what others wrote
 * into them. Reports what package.json lacks.
 */
export function cardFiles(
  snapshot: Snapshot,
  manifest: JsonRecord,
  scope: Scope,
  before: CardFiles = {},
): CardFile[] {
  const {
    name,
    version,
    mcpName,
    description,
    homepage,
    mcpRemotes = [],
  } = manifest;
  const reachable = [mcpRemotes].flat();
  const repository = repositoryOf(manifest["repository"]);
  const { title } = snapshot.server;
  const isPackage =
    manifest["bin"] !== undefined && manifest["private"] !== true;
  const optional = withOwned(undefined, {
    "title of the server": title,
    homepage,
    repository: repository?.["url"],
    "repository.directory": repository?.["subfolder"],
  });
  reportFaults(
    { mcpName, version, description, ...optional, ...(isPackage && { name }) },
    scope,
  );
  for (const remote of reachable) reportRemote(remote, scope);
  if (!isPackage && reachable.length === 0) {
    const hint = "add bin if it is on npm, or mcpRemotes with type and url";
    scope.error(
      "MG961",
      null,
      "package.json has no way to reach the server",
      hint,
    );
  }
  const { "server.json": old, "server-card.json": oldCard } = before;
  const common = (file: JsonRecord | undefined): Owned => ({
    name: mcpName,
    title,
    description,
    version,
    websiteUrl: homepage,
    repository: repository && withOwned(file?.["repository"], repository),
  });
  const npm = {
    registryType: "npm",
    identifier: name,
    version,
    transport: { type: "stdio" },
  };
  const entries = {
    packages: isPackage ? [npm] : [],
    remotes: reachable.filter(isRecord),
    written: generatedIn(old),
  };
  const server = withOwned(old, {
    $schema: schemas.server,
    ...common(old),
    ...listsIn(old, entries),
    _meta: metaOf(old, entries, snapshot),
  });
  const files: CardFile[] = [{ name: "server.json", content: server ?? {} }];
  if (entries.remotes.length === 0) return files;
  const { revision, revisions } = snapshot;
  const supportedProtocolVersions =
    revisions === "all" ? undefined : (revisions ?? [revision]);
  const remotes = entries.remotes.map((remote) => ({
    ...remote,
    supportedProtocolVersions,
  }));
  const card = withOwned(oldCard, {
    $schema: schemas.card,
    ...common(oldCard),
    remotes: listsIn(oldCard, { ...entries, remotes }).remotes,
  });
  return [...files, { name: "server-card.json", content: card ?? {} }];
}

/** How the server is reached, and the keys of what an earlier run wrote. */
interface Entries {
  readonly packages: readonly Owned[];
  readonly remotes: readonly Owned[];
  readonly written: readonly Json[];
}

function listsIn(
  file: JsonRecord | undefined,
  { packages, remotes, written }: Entries,
) {
  const { packages: oldPackages, remotes: oldRemotes } = file ?? {};
  return {
    packages: withOwnedEntries(oldPackages, "identifier", packages, written),
    remotes: withOwnedEntries(oldRemotes, "url", remotes, written),
  };
}

/** `_meta` with the list of tools, and of what this run writes. */
function metaOf(
  file: JsonRecord | undefined,
  { packages, remotes }: Entries,
  snapshot: Snapshot,
): JsonRecord | undefined {
  const keys = [
    ...packages.map(({ identifier }) => identifier),
    ...remotes.map(({ url }) => url),
  ];
  const generated = keys.filter((key) => typeof key === "string");
  const tools = snapshot.tools.map((tool) => tool.name);
  const whole = { tools, generated };
  const isSmall = Buffer.byteLength(JSON.stringify(whole)) <= maxPublisherBytes;
  const noted = isSmall ? whole : { tools: undefined, generated };
  const meta = isRecord(file?.["_meta"]) ? file["_meta"] : {};
  const ours = withOwned(meta[publisher], noted);
  return withOwned(meta, { [publisher]: ours });
}

/** The packages and URLs that an earlier run wrote into `server.json`. */
function generatedIn(file: JsonRecord | undefined): readonly Json[] {
  const meta = file?.["_meta"];
  const ours = isRecord(meta) ? meta[publisher] : undefined;
  const generated = isRecord(ours) ? ours["generated"] : undefined;
  return isList(generated) ? generated : [];
}

/** True for a card that mcpgen wrote, and that has no server with a URL now. */
export const isLeftover = (
  files: readonly CardFile[],
  { "server-card.json": card }: CardFiles,
): boolean => files.length === 1 && card?.["$schema"] === schemas.card;

/** What is different in a file, each as a sentence without its end. */
export function differences(
  old: Json | undefined,
  next: Json | undefined,
  path = "",
): string[] {
  if (exact(old ?? null) === exact(next ?? null)) return [];
  const shown = (value: Json | undefined): string =>
    value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
  if (!isRecord(old) || !isRecord(next))
    return [`${path} is ${shown(old)}, and should be ${shown(next)}`];
  const names = Object.keys({ ...old, ...next });
  return names.flatMap((name) =>
    differences(old[name], next[name], path === "" ? name : `${path}.${name}`),
  );
}

/**
 * The repository of a package on GitHub or GitLab; undefined for another one,
 * whose name in the registry is not known.
 */
function repositoryOf(value: Json | undefined): Owned | undefined {
  const { url: text, directory: subfolder } = isRecord(value)
    ? value
    : { url: value, directory: undefined };
  const form =
    /^(?:(?:(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?)?(github|gitlab)\.com\/|(?:(github|gitlab):)?)([\w.-]+\/[\w./-]+?)(?:\.git)?\/?$/;
  const [, domain, prefix, path] = form.exec(String(text)) ?? [];
  const source = domain ?? prefix ?? "github";
  return path === undefined
    ? undefined
    : { url: `https://${source}.com/${path}`, source, subfolder };
}
