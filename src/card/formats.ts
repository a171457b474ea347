import type { Scope } from "../diagnostics.js";
import type { Json, JsonRecord } from "../ir/json.js";
import { isList, isRecord } from "../ir/json/value.js";

/** The published formats that the files follow. */
export const schemas = {
  server: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  card: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
} as const;

/** What the format asks of a text: where it is, the member of package.json that it comes from, its form, and the form in words. */
type Rule = readonly [at: string, from: string, form: RegExp, expected: string];

const url = /^(?:https?:\/\/\S+|\{[a-zA-Z_]\w*\}\S*)$/;
const version = /^(?!latest$)(?!.*(?:[\^~<>=*|\s]|\.x(?:\.|$))).{1,255}$/;
const name = /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const folder = /^(?![./])(?!.*(?:\.\.|\/\/|\s)).+$/;

/** A step with `?` may be missing; `*` is each item of a list. */
const rules: readonly Rule[] = [
  ["name", "mcpName", name, "a name such as io.github.<user>/<server>"],
  ["version", "version", version, "one version, and no range"],
  ["description", "description", /^.{1,100}$/s, "1 to 100 characters"],
  ["title?", "title of the server", /^.{1,100}$/s, "1 to 100 characters"],
  ["websiteUrl?", "homepage", /^https?:\/\/\S+$/, "a URL"],
  ["repository?.subfolder?", "repository.directory", folder, "a path inside the repository"],
  ["packages?.*.identifier", "name", /^\S+$/, "the name of the package"],
  ["remotes?.*.type", "mcpRemotes[].type", /^(?:streamable-http|sse)$/, "streamable-http or sse"],
  ["remotes?.*.url", "mcpRemotes[].url", url, "a URL, which may have {variables}"],
];

/** Reports each member that the format requires and that is missing, and each value that it does not take. */
export function reportFaults(document: JsonRecord, scope: Scope): void {
  for (const [at, from, form, expected] of rules)
    for (const value of valuesAt(document, at.split("."))) {
      if (typeof value === "string" && form.test(value)) continue;
      const hint = `add ${from} to package.json: ${expected}`;
      if (value === undefined) scope.error("MG961", null, `package.json has no ${from}`, hint);
      else
        scope.error(
          "MG962",
          null,
          `${from} must be ${expected}; found ${JSON.stringify(value).slice(0, 120)}`,
          "correct it",
        );
    }
}

/** The values at a path; undefined for a member that must be there and is not. */
function valuesAt(value: Json | undefined, [step, ...steps]: readonly string[]): (Json | undefined)[] {
  if (step === undefined) return [value];
  if (step === "*") return (isList(value) ? value : [value]).flatMap((one) => valuesAt(one, steps));
  const member = isRecord(value) ? value[step.replace("?", "")] : undefined;
  return member === undefined && step.endsWith("?") ? [] : valuesAt(member, steps);
}
