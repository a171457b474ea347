import type { Scope } from "../diagnostics.js";
import { exact, type Json, type JsonRecord } from "../ir/json.js";
import { isList, isRecord } from "../ir/json/value.js";
import type { Snapshot } from "../ir/snapshot/model.js";
import { reportFaults, schemas } from "./formats.js";

/** A file that describes a server to the registry or to clients. */
export interface CardFile {
  readonly name: "server.json" | "server-card.json";
  readonly content: JsonRecord;
}

/** The member of `_meta` that the registry keeps, and how many bytes it may have. */
const publisher = "io.modelcontextprotocol.registry/publisher-provided";
const maxPublisherBytes = 4096;

/** `server.json`, and the card if the server has a URL. Reports what package.json lacks. */
export function cardFiles(snapshot: Snapshot, manifest: JsonRecord, scope: Scope): CardFile[] {
  const { name, version, mcpName, description, homepage, mcpRemotes = [] } = manifest;
  const reachable = [mcpRemotes].flat();
  const remotes = reachable.length === 0 ? undefined : reachable;
  const repository = repositoryOf(manifest["repository"]);
  const { title } = snapshot.server;
  const common = { name: mcpName, title, description, version, websiteUrl: homepage, repository };
  const npm = { registryType: "npm", identifier: name, version, transport: { type: "stdio" } };
  const packages = manifest["bin"] !== undefined && manifest["private"] !== true ? [present(npm)] : undefined;
  const tools = snapshot.tools.map((tool) => tool.name);
  const isSmall = Buffer.byteLength(JSON.stringify({ tools })) <= maxPublisherBytes;
  const _meta = isSmall ? { [publisher]: { tools } } : undefined;
  const server = present({ $schema: schemas.server, ...common, packages, remotes, _meta });
  const files: CardFile[] = [{ name: "server.json", content: server }];
  if (remotes !== undefined) {
    const { revision, revisions } = snapshot;
    const supportedProtocolVersions = revisions === "all" ? undefined : (revisions ?? [revision]);
    const reached = [remotes]
      .flat()
      .map((one) => (isRecord(one) ? present({ ...one, supportedProtocolVersions }) : one));
    const card = present({ $schema: schemas.card, ...common, remotes: reached });
    files.push({ name: "server-card.json", content: card });
  }
  if (packages === undefined && remotes === undefined)
    scope.error(
      "MG961",
      null,
      "package.json has no way to reach the server",
      "add bin if it is on npm, or mcpRemotes with type and url",
    );
  reportFaults(server, scope);
  return files;
}

/** A file with what package.json and the snapshot say, and what was added to it by hand. */
export function updated(old: Json | undefined, next: Json): Json {
  if (isRecord(old) && isRecord(next))
    return {
      ...old,
      ...Object.fromEntries(Object.entries(next).map(([name, one]) => [name, updated(old[name], one)])),
    };
  if (!isList(old) || !isList(next) || !next.every(isRecord)) return next;
  const same = (a: Json, b: JsonRecord): boolean =>
    isRecord(a) && a["url"] === b["url"] && a["identifier"] === b["identifier"];
  const isOther = (one: Json): boolean => isRecord(one) && (one["registryType"] ?? "npm") !== "npm";
  return [
    ...next.map((one) =>
      updated(
        old.find((before) => same(before, one)),
        one,
      ),
    ),
    ...old.filter(isOther),
  ];
}

/** What is different in a file, each as a sentence without its end. */
export function differences(old: Json | undefined, next: Json | undefined, path = ""): string[] {
  if (exact(old ?? null) === exact(next ?? null)) return [];
  const shown = (value: Json | undefined): string =>
    value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
  if (!isRecord(old) || !isRecord(next)) return [`${path} is ${shown(old)}, and should be ${shown(next)}`];
  const names = Object.keys({ ...old, ...next });
  return names.flatMap((name) => differences(old[name], next[name], path === "" ? name : `${path}.${name}`));
}

/** The repository of a package on GitHub or GitLab; undefined for another one, whose name in the registry is not known. */
function repositoryOf(value: Json | undefined): JsonRecord | undefined {
  const { url: text, directory: subfolder } = isRecord(value) ? value : { url: value, directory: undefined };
  const form =
    /^(?:(?:(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?)?(github|gitlab)\.com\/|(?:(github|gitlab):)?)([\w.-]+\/[\w./-]+?)(?:\.git)?$/;
  const [, domain, prefix, path] = form.exec(String(text)) ?? [];
  const source = domain ?? prefix ?? "github";
  return path === undefined
    ? undefined
    : present({ url: `https://${source}.com/${path}`, source, subfolder });
}

/** The members that are there. */
const present = (members: Readonly<Record<string, Json | undefined>>): JsonRecord =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
