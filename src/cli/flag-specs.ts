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

/** What `mcpgen generate` can make of a revision. */
export const parts = ["types", "validators", "dispatch", "client", "server"] as const;

/** What `mcpgen stubs` can make of a snapshot. */
export const stubParts = ["client", "server"] as const;

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
    describe: "the directory to write to; nothing outside it is written",
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
  protocol: {
    kind: "text",
    value: "dir",
    describe:
      "a folder of the whole revision that mcpgen generate wrote, to import from (default: a part of it)",
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
  "not-secret": {
    kind: "text",
    list: true,
    value: "name",
    describe:
      "the name of a header or a variable, such as REGION, whose value a server may list; may be given several times",
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
  capabilities: {
    kind: "text",
    choices: ["all", "none"],
    describe:
      "what to declare to a server: all that a client can, since some offer more to such a client (the default; questions are declined), or none",
  },
  module: {
    kind: "text",
    value: "file#export",
    describe: "a server of your own in a module, .ts or .js; without #export, the default one",
  },
  live: { kind: "switch", describe: "ask the servers too: what do they offer now?" },
  "fail-on": {
    kind: "text",
    choices: ["breaking", "review", "any"],
    describe: "the least drift that is a fault; review adds what weakens safety (default: any)",
  },
  accept: { kind: "switch", describe: "write the drifts that were found into the file of accepted ones" },
  type: { kind: "text", value: "name", describe: "check every line as this type of the schema" },
  breaking: {
    kind: "switch",
    describe: "print only what breaks a peer, and exit with 1 only if something does",
  },
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
