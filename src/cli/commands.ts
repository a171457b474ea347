import type { Flags } from "./flags.js";
import type { ExitCode } from "./fault.js";
import type { Terminal } from "./terminal.js";

/** A flag of the command line. */
export interface FlagSpec {
  readonly kind: "text" | "switch";
  readonly describe: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** May be given several times; the values are joined with commas. */
  readonly list?: boolean;
}

/** A command: what the help says of it, which flags it knows, and where its code is. */
export interface CommandSpec {
  readonly name: string;
  /** Positional arguments as the help shows them. */
  readonly words: readonly WordSpec[];
  readonly describe: string;
  readonly flags: readonly FlagName[];
  readonly examples: readonly (readonly [line: string, says: string])[];
  /** Loaded on demand, so that `list` never waits for a compiler. */
  load(): Promise<{ readonly run: Command }>;
}

export interface WordSpec {
  readonly name: string;
  readonly required: boolean;
}

/** Runs a command: arguments in, exit code out. Expected faults are thrown as `Fault`. */
export type Command = (words: readonly string[], flags: Flags, terminal: Terminal) => Promise<ExitCode>;

export const parts = ["types", "validators", "dispatch", "client", "server"] as const;

/** Every flag of every command, once, so that a name means the same everywhere. */
export const flagSpecs = {
  version: {
    kind: "text",
    list: true,
    value: "revision",
    describe: "the revision to generate: a date, latest, all, or several with commas",
  },
  out: {
    kind: "text",
    value: "dir",
    describe:
      "the directory to write to (for pull: the snapshot, or a folder for it); nothing outside it is written",
  },
  schema: {
    kind: "text",
    value: "path",
    describe: "a schema.ts, schema.json or .ir.json, or a folder with one, in place of the bundled schema",
  },
  extension: {
    kind: "text",
    list: true,
    value: "name",
    describe:
      "an extension to merge into the revisions that it fits: a bundled one, or the path of its schema",
  },
  emit: {
    kind: "text",
    list: true,
    value: "parts",
    describe: `what to generate (default: all): ${parts.join(", ")}`,
  },
  runtime: {
    kind: "text",
    choices: ["package", "vendored"],
    describe: "import @mcpgen/runtime, or put a copy of what is needed beside the output (default: package)",
  },
  "import-ext": {
    kind: "text",
    choices: ["js", "ts", "none"],
    describe: "the ending of relative imports (default: js, or ts where the nearest tsconfig allows it)",
  },
  templates: {
    kind: "text",
    value: "dir",
    describe: "templates that replace the built-in ones of the same file name",
  },
  check: {
    kind: "switch",
    describe: "write nothing; show what is stale as a diff, and exit with 1 if anything is",
  },
  "dry-run": { kind: "switch", describe: "write nothing; say what would be written" },
  watch: {
    kind: "switch",
    describe: "run again whenever a schema, snapshot, template or the configuration changes",
  },
  yes: { kind: "switch", describe: "ask nothing: take every server that was found" },
  clean: {
    kind: "switch",
    describe: "remove unmodified files of an earlier run that are no longer generated",
  },
  force: {
    kind: "switch",
    describe: "write over files that were edited, and beside files that are not ours",
  },
  url: {
    kind: "text",
    value: "url",
    describe: "a server at a URL, over Streamable HTTP, or HTTP+SSE where it knows no more",
  },
  header: {
    kind: "text",
    list: true,
    value: "name: value",
    describe: "for --url: a header of every request, stored and printed nowhere; may be given several times",
  },
  stdio: {
    kind: "text",
    value: "command",
    describe: 'a server to start and to speak to over its standard streams, as one line: "node server.js"',
  },
  env: {
    kind: "text",
    list: true,
    value: "name",
    describe: "for --stdio: a variable of the environment that the server gets too; others are kept from it",
  },
  config: {
    kind: "text",
    value: "file|name",
    describe:
      "the configuration to follow (default: the nearest mcpgen.config.*); for pull and stubs, a server that .mcp.json, .cursor/mcp.json or .vscode/mcp.json names, or file.json#name",
  },
  timeout: {
    kind: "text",
    value: "seconds",
    describe: "how long a server may take for one answer (default: 60); for all of them ten times as long",
  },
  module: {
    kind: "text",
    value: "file#export",
    describe: "a server of your own in a JavaScript module; without #export, the default one",
  },
  live: { kind: "switch", describe: "ask the servers too: what do they offer now?" },
  "fail-on": {
    kind: "text",
    choices: ["breaking", "review", "any"],
    describe: "the least drift that is a fault; review adds what weakens safety (default: any)",
  },
  accept: { kind: "switch", describe: "write the drifts that were found into the file of accepted ones" },
  type: { kind: "text", value: "name", describe: "check every line as this type of the schema" },
  markdown: { kind: "switch", describe: "print Markdown" },
  json: { kind: "switch", describe: "print JSON on the standard output" },
  quiet: { kind: "switch", describe: "say nothing but errors" },
  "no-color": { kind: "switch", describe: "no colours (also NO_COLOR=1)" },
} as const satisfies Record<string, FlagSpec>;

export type FlagName = keyof typeof flagSpecs;

/** Other names of a flag. */
export const flagAliases = { version: ["revision", "r"], out: ["o"] } as const satisfies Partial<
  Record<FlagName, readonly string[]>
>;

const common = ["json", "quiet", "no-color"] as const;
/** What names a server that is there, and says how it is reached. */
const live = ["url", "header", "stdio", "env", "module", "config", "timeout"] as const;
const silent = ["quiet", "no-color"] as const;

/** The default command first, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    name: "generate",
    words: [],
    describe: "generate TypeScript from a revision of the protocol (the default command)",
    flags: [
      "version",
      "out",
      "schema",
      "extension",
      "emit",
      "runtime",
      "import-ext",
      "templates",
      "check",
      "dry-run",
      "clean",
      "force",
      "watch",
      "config",
      ...common,
    ],
    examples: [
      ["$0", "every job of mcpgen.config.ts"],
      ["$0 --version latest --out src/mcp", "the newest bundled revision"],
      ["$0 --version latest --out src/mcp --check", "in CI: is the committed output current?"],
      ["$0 --version all --out src/mcp --emit types,validators", "every revision, without client and server"],
      ["$0 --schema ./schema.ts --out src/mcp", "a schema of your own"],
      ["$0 --version latest --extension tasks --out src/mcp", "with an extension of the protocol"],
    ],
    load: () => import("./commands/generate.js"),
  },
  {
    name: "pull",
    words: [],
    describe: "take a snapshot of what a server offers: its tools, prompts and resources",
    flags: [...live, "out", "check", "force", ...common],
    examples: [
      ['$0 pull --stdio "node server.js" -o server.mcp.json', "a server that is started for it"],
      ['$0 pull --url https://example.com/mcp --header "Authorization: Bearer $TOKEN"', "a server elsewhere"],
      ["$0 pull --config weather -o snapshots/", "a server that .mcp.json names, into a folder"],
      ["$0 pull", "every server of mcpgen.config.ts that has a source"],
      ["$0 pull --module ./server.js#server -o server.mcp.json", "a server of your own, without starting it"],
    ],
    load: () => import("./commands/pull.js"),
  },
  {
    name: "stubs",
    words: [{ name: "snapshot", required: false }],
    describe: "generate a typed client and a server to fill in from a snapshot of a server",
    flags: [
      "out",
      ...live,
      "emit",
      "runtime",
      "import-ext",
      "templates",
      "check",
      "dry-run",
      "clean",
      "force",
      "watch",
      ...common,
    ],
    examples: [
      ["$0 stubs weather.mcp.json --out src/weather", "from a snapshot that mcpgen pull has taken"],
      ["$0 stubs weather.mcp.json --out src/weather --emit client", "for a caller, without a server"],
      ['$0 stubs --stdio "node server.js" --out src/weather', "from a server, without keeping a snapshot"],
    ],
    load: () => import("./commands/stubs.js"),
  },
  {
    name: "check",
    words: [],
    describe: "is what the configuration asks for current? exit 1 for stale output or a server that drifted",
    flags: ["config", "live", "fail-on", "accept", "markdown", ...common],
    examples: [
      ["$0 check", "in CI: is everything generated from what is committed?"],
      ["$0 check --live --fail-on breaking", "and do the servers still offer what their snapshots say?"],
      ["$0 check --live --markdown > drift.md", "the same for a comment on a pull request"],
      ["$0 check --live --accept", "accept the drifts of today, and only them"],
    ],
    load: () => import("./commands/check.js"),
  },
  {
    name: "init",
    words: [],
    describe: "write a configuration, from the files of MCP clients that are there or by asking",
    flags: ["config", "yes", "force", ...silent],
    examples: [
      ["$0 init --yes", "every server in .mcp.json and the like; without --yes, it asks which"],
      ["$0 init --yes --config mcpgen.config.json", "in JSON"],
    ],
    load: () => import("./commands/init.js"),
  },
  {
    name: "docs",
    words: [
      { name: "snapshot|revision|schema", required: true },
      { name: "second", required: false },
    ],
    describe: "write a page for people: what a server or a revision offers, or what sets two revisions apart",
    flags: ["out", "templates", "check", "dry-run", "clean", "force", ...common],
    examples: [
      ["$0 docs weather.mcp.json --out site", "the tools, prompts and resources of a server"],
      ["$0 docs latest --out site", "the methods, types and error codes of a revision"],
      ["$0 docs latest ./schema.ts --out site", "what a draft would change, side by side"],
    ],
    load: () => import("./commands/docs.js"),
  },
  {
    name: "ir",
    words: [{ name: "revision|schema", required: true }],
    describe: "print the intermediate representation of a revision or schema file as JSON",
    flags: ["extension", ...silent],
    examples: [
      ["$0 ir latest > mcp.ir.json", "a file that --schema takes"],
      ["$0 ir latest --extension tasks", "with an extension of the protocol merged in"],
      ["$0 ir ./schema.json", "of a schema of your own"],
    ],
    load: () => import("./commands/ir.js"),
  },
  {
    name: "diff",
    words: [
      { name: "a", required: true },
      { name: "b", required: true },
    ],
    describe: "compare two revisions, schemas, IR files or snapshots: exit 0 when equal, 1 when different",
    flags: ["extension", "markdown", "json", ...silent],
    examples: [
      ["$0 diff latest ./schema.ts --markdown", "what a draft would change, and for whom"],
      ["$0 diff old.mcp.json new.mcp.json", "what a server has changed, and whom it breaks"],
    ],
    load: () => import("./commands/diff.js"),
  },
  {
    name: "validate",
    words: [
      { name: "revision|schema", required: true },
      { name: "file|-", required: false },
    ],
    describe: "check messages, one JSON value a line, against a revision: exit 1 when one is invalid",
    flags: ["type", "extension", ...common],
    examples: [
      ["$0 validate latest session.jsonl", "requests, responses and notifications"],
      ["my-server | tee log | $0 validate latest -", "while a program runs"],
      ["$0 validate latest tools.jsonl --type Tool", "every line as one type"],
    ],
    load: () => import("./commands/validate.js"),
  },
  {
    name: "list",
    words: [],
    describe: "list the bundled revisions and extensions",
    flags: ["json", "no-color"],
    examples: [["$0 list --json", "for a script"]],
    load: () => import("./commands/list.js"),
  },
];

/** What `mcpgen` runs when no command is named. */
export function defaultCommand(): CommandSpec {
  const [first] = commands;
  if (first === undefined) throw new Error("There is no command at all.");
  return first;
}
