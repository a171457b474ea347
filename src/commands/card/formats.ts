import { isPrivate } from "../../common/private-addresses.js";
import type { Scope } from "../../generator/diagnostics.js";
import type { Json } from "../../generator/ir/json.js";
import { isRecord } from "../../generator/ir/json/value.js";

/** The published formats that the files follow. */
export const schemas = {
  server:
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  card: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  /** The version of the format of bundles. */
  bundle: "0.3",
} as const;

/**
 * What the code of the registry checks beyond its format (`INSIDE.md` says when
 * it was read): a remote is public and has https, as a homepage has; a
 * repository is no page of one.
 */
const https = /^https:\/\/[^\s/]\S*$/;
const repository =
  /^https:\/\/(?:github\.com\/[\w.-]+\/[\w.-]+|gitlab\.com(?:\/(?!-\/)[\w.-]+){2,})$/;
const version = /^(?!latest$)(?!.*(?:[\^~<>=*|\s]|\.x(?:\.|$))).{1,255}$/;
const name =
  /^(?=.{3,200}$)[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/;
const folder = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w./-]+$/;

/**
 * What both formats ask of a text, by the member of package.json that it comes
 * from: its form, and the form in words.
 */
const forms = {
  mcpName: [name, "a name such as io.github.<user>/<server>"],
  version: [version, "one version, and no range"],
  description: [/^.{1,100}$/s, "1 to 100 characters"],
  "title of the server": [/^(?=.*\S).{1,100}$/s, "1 to 100 characters"],
  homepage: [https, "an https URL"],
  repository: [
    repository,
    "a repository of GitHub or GitLab, https://github.com/<owner>/<repository>, and no page of it",
  ],
  "repository.directory": [folder, "a path inside the repository"],
  name: [/^\S+$/, "the name of the package"],
  "author.name": [/\S/, "the name of the author"],
  bin: [
    /^(?![/\\]|[a-zA-Z]:)(?!.*(?:^|[/\\])\.\.(?:[/\\]|$)).+$/,
    "the path of the program, inside the package",
  ],
  "mcpRemotes[].type": [/^(?:streamable-http|sse)$/, "streamable-http or sse"],
  "mcpRemotes[].url": [https, "an https URL, which may have {variables}"],
} as const;

type Member = keyof typeof forms;

/**
 * Reports each of these members that is missing, and each value that the
 * formats do not take.
 */
export function reportFaults(
  members: { readonly [M in Member]?: Json | undefined },
  scope: Scope,
): void {
  for (const [member, value] of Object.entries(members)) {
    const [form, expected] = forms[member as Member];
    const isMissing = value === undefined;
    if (typeof value === "string" && form.test(value)) continue;
    const found = `${member} must be ${expected}; found ${JSON.stringify(value)?.slice(0, 120)}`;
    const hint = isMissing
      ? `add ${member} to package.json: ${expected}`
      : "correct it";
    scope.error(
      isMissing ? "MG961" : "MG962",
      null,
      isMissing ? `package.json has no ${member}` : found,
      hint,
    );
  }
}

/** Reports what the registry would refuse in a remote. */
export function reportRemote(remote: Json, scope: Scope): void {
  const { type, url, variables } = isRecord(remote) ? remote : {};
  reportFaults({ "mcpRemotes[].type": type, "mcpRemotes[].url": url }, scope);
  if (typeof url !== "string" || !https.test(url)) return;
  const known = isRecord(variables) ? variables : {};
  const [, missing] =
    [...url.matchAll(/\{([^{}]+)\}/g)].find(
      ([, variable = ""]) => !Object.hasOwn(known, variable),
    ) ?? [];
  if (missing !== undefined) {
    const message = `mcpRemotes[].url has {${missing}}, which its variables do not have`;
    scope.error("MG962", null, message, "describe it in variables");
  }
  const plain = url
    .replaceAll(/:\{[^{}]+\}/g, ":8080")
    .replaceAll(/\{[^{}]+\}/g, "name");
  const isLocal = URL.canParse(plain) && isPrivate(new URL(plain).hostname);
  if (!isLocal) return;
  const found = `mcpRemotes[].url must be a public address; found ${JSON.stringify(url)}`;
  scope.error("MG962", null, found, "correct it");
}
