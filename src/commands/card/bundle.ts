import type { Scope } from "../../generator/diagnostics.js";
import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { withOwned } from "../../generator/ir/json/owned.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Prompt, Snapshot } from "../../generator/ir/snapshot/model.js";
import { reportFaults, schemas } from "./formats.js";

/** True for the manifest of a bundle, and not for one of a web page. */
export const isBundle = (file: JsonRecord): boolean =>
  file["manifest_version"] !== undefined || file["dxt_version"] !== undefined;

/**
 * `manifest.json` of a `.mcpb` bundle, with what others wrote into it. `env`
 * are the variables that the server is started with. Reports what package.json
 * lacks.
 */
export function bundleManifest(
  { server: { title }, tools, prompts }: Snapshot,
  manifest: JsonRecord,
  env: readonly string[],
  scope: Scope,
  before: JsonRecord = {},
): JsonRecord {
  const { version, description, homepage, license } = manifest;
  const name = String(manifest["name"] ?? "").replace(/^@[^/]*\//, "");
  const author = authorOf(manifest["author"]);
  const server = isRecord(before["server"])
    ? before["server"]
    : startOf(manifest);
  reportFaults(
    {
      name,
      version,
      description,
      "author.name": author["name"],
      bin: server["entry_point"],
    },
    scope,
  );
  const started = withVariables(server, env);
  // A member that has no source here may be a person's, and stays.
  const found = withOwned(undefined, {
    manifest_version: isBundle(before) ? undefined : schemas.bundle,
    display_name: title ?? undefined,
    homepage,
    license,
    user_config: settingsOf(variablesIn(started), env, before),
  });
  const owned = {
    ...found,
    name,
    version,
    description,
    author: withOwned(before["author"], author),
    server: started,
    tools: tools.map((tool) => described(tool)),
    ...promptsOf(prompts, before),
  };
  return withOwned(before, owned) ?? {};
}

/** `Ann <ann@example.com> (https://example.com)`, or the object of it. */
function authorOf(author: Json | undefined): JsonRecord {
  const [, first, address, page] =
    /^([^<(]*)(?:<([^>]*)>)? ?(?:\(([^)]*)\))?/.exec(
      typeof author === "string" ? author : "",
    ) ?? [];
  const written = {
    name: first?.trim() || undefined,
    email: address,
    url: page,
  };
  const { name, email, url } = isRecord(author) ? author : written;
  return withOwned(undefined, { name, email, url }) ?? {};
}

/** How the bundle starts its server: the program of package.json. */
function startOf({ bin }: JsonRecord): JsonRecord {
  const [program] = isRecord(bin) ? Object.values(bin) : [bin];
  if (typeof program !== "string") return {};
  const start = program.replace(/^\.\//, "");
  return {
    type: "node",
    entry_point: start,
    mcp_config: { command: "node", args: [`\${__dirname}/${start}`] },
  };
}

/** The variables that a bundle sets for its server. */
function variablesIn(server: JsonRecord): JsonRecord {
  const config = server["mcp_config"];
  return isRecord(config) && isRecord(config["env"]) ? config["env"] : {};
}

/** A server that gets each variable from the setting of its name. */
function withVariables(server: JsonRecord, env: readonly string[]): JsonRecord {
  const old = variablesIn(server);
  const missing = env.filter((name) => !Object.hasOwn(old, name));
  if (missing.length === 0) return server;
  const added = missing.map((name) => {
    return [name, `\${user_config.${name.toLowerCase()}}`] as const;
  });
  const all = { ...old, ...Object.fromEntries(added) };
  const config = withOwned(server["mcp_config"], { env: all });
  return withOwned(server, { mcp_config: config }) ?? server;
}

/**
 * What a host asks the user for: a text for each variable that a setting
 * gives. What a person wrote about one stays.
 */
function settingsOf(
  variables: JsonRecord,
  env: readonly string[],
  before: JsonRecord,
): JsonRecord | undefined {
  const old = isRecord(before["user_config"]) ? before["user_config"] : {};
  const added = env.flatMap((name) => {
    const [, setting] =
      /^\$\{user_config\.(.+)\}$/.exec(String(variables[name])) ?? [];
    if (setting === undefined || Object.hasOwn(old, setting)) return [];
    const words = setting.replaceAll("_", " ");
    const content = {
      type: "string",
      title: words.charAt(0).toUpperCase() + words.slice(1),
      description: `The variable ${name} of the server`,
      sensitive: /key|token|secret|password|credential/i.test(name),
      required: true,
    };
    return [[setting, content] as const];
  });
  return withOwned(old, Object.fromEntries(added));
}

const described = ({
  name,
  description,
}: Pick<Prompt, "name" | "description">): JsonRecord => ({
  name,
  ...(description !== null && { description }),
});

/** The texts of prompts that a person wrote, by the name of the prompt. */
function textsIn({ prompts }: JsonRecord): ReadonlyMap<Json, Json> {
  const rows = isList(prompts) ? prompts.filter(isRecord) : [];
  return new Map(
    rows.map(({ name = null, text = null }) => [name, text] as const),
  );
}

/** The members about prompts; undefined without any. */
function promptsOf(
  prompts: readonly Prompt[],
  before: JsonRecord,
): Record<"prompts" | "prompts_generated", Json | undefined> {
  const texts = textsIn(before);
  const isNone = prompts.length === 0;
  return {
    prompts: isNone
      ? undefined
      : prompts.map((prompt) => promptOf(prompt, texts)),
    // The text of a prompt is known only when a client asks for it.
    prompts_generated: isNone ? undefined : true,
  };
}

/** A prompt. The format asks for its text, which only the server has. */
function promptOf(prompt: Prompt, texts: ReadonlyMap<Json, Json>): JsonRecord {
  const { name, description, title, raw } = prompt;
  const rows = isList(raw["arguments"]) ? raw["arguments"] : [];
  const names = rows.flatMap((row) =>
    isRecord(row) && typeof row["name"] === "string" ? [row["name"]] : [],
  );
  return {
    ...described(prompt),
    ...(names.length > 0 && { arguments: names }),
    text: texts.get(name) ?? description ?? title ?? name,
  };
}
