import type {
  Diagnostic,
  Diagnostics,
  Scope,
} from "../../generator/diagnostics.js";
import type { JsonRecord } from "../../generator/ir/json.js";
import { isRecord } from "../../generator/ir/json/value.js";
import { counted } from "../../generator/ir/report/text.js";
import type { Snapshot, Tool } from "../../generator/ir/snapshot/model.js";
import { checkSchema, checkCounts } from "./schemas.js";
import type { Provider } from "./providers.js";
import { checkHints, countUnsaid } from "./hints.js";
import { checkWords } from "./words.js";

interface LintOptions {
  /** The providers whose rules count. */
  readonly providers: readonly Provider[];
  /**
   * The number of tokens that the list of tools may have, about; null for any.
   */
  readonly budget: number | null;
}

/** What the lists of tools cost a model that reads them. */
export interface Cost {
  readonly tools: number;
  readonly characters: number;
  /** An estimate: a token has about four characters. */
  readonly tokens: number;
}

/**
 * Reports what a model, a provider or a person will trip over in the tools of
 * some servers: errors are what a provider refuses, warnings what misleads,
 * notes what helps. Returns what the tools cost.
 */
export function lint(
  snapshots: readonly Snapshot[],
  options: LintOptions,
  diagnostics: Diagnostics,
): Cost {
  const listed = snapshots.flatMap((snapshot) =>
    snapshot.tools.map((tool) => ({ tool, snapshot })),
  );
  const serverScope = ({ name }: Snapshot): Scope =>
    snapshots.length === 1
      ? diagnostics.root
      : diagnostics.in(`server ${name}`);
  const scopeOf = ({ tool, snapshot }: Listed): Scope =>
    serverScope(snapshot).in(`tool ${tool.name}`);
  for (const one of listed) {
    const scope = scopeOf(one);
    checkName(one, options.providers, scope);
    checkSchema(schemaOf(one.tool), options.providers, scope);
    checkWords(one.tool, schemaOf(one.tool), scope);
    checkHints(one.tool, options.providers, scope);
  }
  for (const snapshot of snapshots)
    countUnsaid(snapshot.tools, options.providers, serverScope(snapshot));
  checkTwice(listed, scopeOf);
  checkCounts(listed.length, options.providers, diagnostics.root);
  return checkCost(listed, options.budget, diagnostics.root);
}

interface Listed {
  readonly tool: Tool;
  readonly snapshot: Snapshot;
}

const schemaOf = ({ raw }: Tool): JsonRecord =>
  isRecord(raw["inputSchema"]) ? raw["inputSchema"] : {};

/**
 * The longest name that hosts with a prefix can pass on:
 * `mcp__<server>__<tool>`.
 */
const maxWithPrefix = 64;

function checkName(
  { tool: { name }, snapshot }: Listed,
  providers: readonly Provider[],
  scope: Scope,
): void {
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name))
    scope.warn(
      "MG901",
      null,
      "the specification allows only letters, digits, _, - and . in the name of a tool, 128 at most",
      "rename the tool",
    );
  for (const { title, name: pattern } of providers)
    if (!new RegExp(pattern).test(name))
      scope.error(
        "MG911",
        null,
        `${title} refuses the name: it takes ${pattern}`,
        "rename the tool, or give the host a name that it takes",
      );
  const prefixed = `mcp__${snapshot.name}__${name}`;
  if (prefixed.length > maxWithPrefix && name.length <= maxWithPrefix)
    scope.warn(
      "MG902",
      null,
      `with the prefix of a host, "${prefixed}" has ${prefixed.length} characters, and several providers take ${maxWithPrefix}`,
      "shorten the name of the tool or of the server",
    );
}

/**
 * Names that a model or a host takes for one, and descriptions that do not tell
 * two tools apart.
 */
function checkTwice(
  listed: readonly Listed[],
  scopeOf: (one: Listed) => Scope,
): void {
  const names = new Map<string, Listed>();
  const texts = new Map<string, Listed>();
  for (const one of listed) {
    const { tool, snapshot } = one;
    const key = tool.name.toLowerCase();
    const other = names.get(key);
    names.set(key, other ?? one);
    if (other !== undefined && other.snapshot === snapshot)
      scopeOf(one).warn(
        "MG903",
        null,
        `only the case differs from the tool ${other.tool.name}`,
        "rename one of them",
      );
    else if (other !== undefined)
      scopeOf(one).warn(
        "MG904",
        null,
        `${other.snapshot.name} has a tool ${other.tool.name} too, and a host without prefixes offers only one of them`,
        "rename one of them, or use a host that adds the name of the server",
      );
    const text = tool.description?.trim() ?? "";
    const same = text === "" ? undefined : texts.get(text);
    texts.set(text, same ?? one);
    if (same !== undefined)
      scopeOf(one).warn(
        "MG922",
        null,
        `has the description of the tool ${same.tool.name}`,
        "say how they differ",
      );
  }
}

const charactersPerToken = 4;

function checkCost(
  listed: readonly Listed[],
  budget: number | null,
  scope: Scope,
): Cost {
  const sizes = listed.map(({ tool }) => ({
    tool,
    characters: JSON.stringify(tool.raw).length,
  }));
  let characters = 0;
  for (const size of sizes) characters += size.characters;
  const tokens = Math.ceil(characters / charactersPerToken);
  if (budget !== null && tokens > budget) {
    const [largest] = [...sizes].sort((a, b) => b.characters - a.characters);
    scope.error(
      "MG941",
      null,
      `the list of tools has about ${tokens} tokens, and the budget is ${budget}`,
      `begin with ${largest?.tool.name}, the largest: about ${Math.ceil((largest?.characters ?? 0) / charactersPerToken)}`,
    );
  }
  return { tools: listed.length, characters, tokens };
}

/** The last line of a report: what was read, and how many rows there are. */
export function summary(
  { tools, tokens }: Cost,
  rows: readonly Diagnostic[],
): string {
  const found = (["error", "warning", "note"] as const).map((severity) =>
    counted(rows.filter((row) => row.severity === severity).length, severity),
  );
  return `${counted(tools, "tool")}, about ${tokens} tokens: ${found.join(", ")}\n`;
}
