import type { Scope } from "../../generator/diagnostics.js";
import type { Json } from "../../generator/ir/json.js";

/** The published formats that the files follow. */
export const schemas = {
  server:
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  card: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
} as const;

const url = /^(?:https?:\/\/\S+|\{[a-zA-Z_]\w*\}\S*)$/;
const version = /^(?!latest$)(?!.*(?:[\^~<>=*|\s]|\.x(?:\.|$))).{1,255}$/;
const name = /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const folder = /^(?![./])(?!.*(?:\.\.|\/\/|\s)).+$/;

/**
 * What both formats ask of a text, by the member of package.json that it comes
 * from: its form, and the form in words.
 */
const forms = {
  mcpName: [name, "a name such as io.github.<user>/<server>"],
  version: [version, "one version, and no range"],
  description: [/^.{1,100}$/s, "1 to 100 characters"],
  "title of the server": [/^.{1,100}$/s, "1 to 100 characters"],
  homepage: [/^https?:\/\/\S+$/, "a URL"],
  "repository.directory": [folder, "a path inside the repository"],
  name: [/^\S+$/, "the name of the package"],
  "mcpRemotes[].type": [/^(?:streamable-http|sse)$/, "streamable-http or sse"],
  "mcpRemotes[].url": [url, "a URL, which may have {variables}"],
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
