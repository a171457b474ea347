import type { Scope } from "../../generator/diagnostics.js";
import { exact, type Json, type JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { reportFaults, schemas } from "./formats.js";

/** A file that describes a server to the registry or to clients. */
export interface CardFile {
  readonly name: "server.json" | "server-card.json";
  readonly content: JsonRecord;
}

/**
 * The member of `_meta` that the registry keeps, and how many bytes it may
 * have.
 */
const publisher = "io.modelcontextprotocol.registry/publisher-provided";
const maxPublisherBytes = 4096;

/**
 * `server.json`, and the card if the server has a URL. Reports what
 * package.json lacks.
 */
export function cardFiles(
  snapshot: Snapshot,
  manifest: JsonRecord,
  scope: Scope,
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
  const directory = repository?.["subfolder"];
  const optional = present({
    "title of the server": title,
    homepage,
    "repository.directory": directory,
  });
  reportFaults(
    { mcpName, version, description, ...optional, ...(isPackage && { name }) },
    scope,
  );
  for (const remote of reachable) {
    const { type, url } = isRecord(remote) ? remote : {};
    reportFaults({ "mcpRemotes[].type": type, "mcpRemotes[].url": url }, scope);
  }
  if (!isPackage && reachable.length === 0) {
    const hint = "add bin if it is on npm, or mcpRemotes with type and url";
    scope.error(
      "MG961",
      null,
      "package.json has no way to reach the server",
      hint,
    );
  }
  const common = {
    name: mcpName,
    title,
    description,
    version,
    websiteUrl: homepage,
    repository,
  };
  const npm = present({
    registryType: "npm",
    identifier: name,
    version,
    transport: { type: "stdio" },
  });
  const tools = snapshot.tools.map((tool) => tool.name);
  const isSmall =
    Buffer.byteLength(JSON.stringify({ tools })) <= maxPublisherBytes;
  const server = present({
    $schema: schemas.server,
    ...common,
    packages: isPackage ? [npm] : undefined,
    remotes: reachable.length > 0 ? reachable : undefined,
    _meta: isSmall ? { [publisher]: { tools } } : undefined,
  });
  const { revision, revisions } = snapshot;
  const supportedProtocolVersions =
    revisions === "all" ? undefined : (revisions ?? [revision]);
  const remotes = reachable
    .filter(isRecord)
    .map((one) => present({ ...one, supportedProtocolVersions }));
  const card = present({ $schema: schemas.card, ...common, remotes });
  const files = [{ name: "server.json", content: server } as const];
  return remotes.length === 0
    ? files
    : [...files, { name: "server-card.json", content: card }];
}

/**
 * A file with what package.json and the snapshot say, and what was added to it
 * by hand.
 */
export function updated(old: Json | undefined, next: Json): Json {
  if (isRecord(old) && isRecord(next)) {
    const members = Object.entries(next).map(
      ([name, one]) => [name, updated(old[name], one)] as const,
    );
    return { ...old, ...Object.fromEntries(members) };
  }
  if (!isList(old) || !isList(next)) return next;
  const same = (a: Json, b: Json): boolean =>
    isRecord(a) &&
    isRecord(b) &&
    a["url"] === b["url"] &&
    a["identifier"] === b["identifier"];
  const isOther = (one: Json): boolean =>
    isRecord(one) && (one["registryType"] ?? "npm") !== "npm";
  const kept = next.map((one) =>
    updated(
      old.find((before) => same(before, one)),
      one,
    ),
  );
  return [...kept, ...old.filter(isOther)];
}

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
function repositoryOf(value: Json | undefined): JsonRecord | undefined {
  const { url: text, directory: subfolder } = isRecord(value)
    ? value
    : { url: value, directory: undefined };
  const form =
    /^(?:(?:(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?)?(github|gitlab)\.com\/|(?:(github|gitlab):)?)([\w.-]+\/[\w./-]+?)(?:\.git)?$/;
  const [, domain, prefix, path] = form.exec(String(text)) ?? [];
  const source = domain ?? prefix ?? "github";
  return path === undefined
    ? undefined
    : present({ url: `https://${source}.com/${path}`, source, subfolder });
}

/** The members that are there. */
const present = (
  members: Readonly<Record<string, Json | undefined>>,
): JsonRecord =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
