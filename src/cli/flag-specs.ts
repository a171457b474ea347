/** A flag of the command line. */
export interface FlagSpec {
  readonly kind: "text" | "switch";
  readonly describe: string;
  /** The placeholder of the value in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** May be given several times; the values are joined with commas. */
  readonly list?: boolean;
}

/** The parts of `mcpgen generate`. */
export const parts = ["types", "validators", "dispatch", "client", "server"] as const;

/** The parts of `mcpgen stubs`. */
export const stubParts = ["client", "server"] as const;

/** All flags of all commands; a name has one meaning. */
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
    describe: "generate from this schema.ts, schema.json, .ir.json or folder instead of a bundled schema",
  },
  extension: {
    kind: "text",
    list: true,
    value: "name",
    describe:
      "merge an extension into each revision that it fits: the name of a bundled one, or the path of its schema",
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
    describe:
      "import @mcpgen/runtime, or write a copy of the needed parts next to the output (default: package)",
  },
  "import-ext": {
    kind: "text",
    choices: ["js", "ts", "none"],
    describe: "the extension of relative imports (default: js, or ts if the nearest tsconfig.json allows it)",
  },
  templates: {
    kind: "text",
    value: "dir",
    describe: "a folder of templates; each replaces the built-in template of the same name",
  },
  protocol: {
    kind: "text",
    value: "dir",
    describe:
      "import the protocol from this folder, which mcpgen generate wrote (default: write the needed part)",
  },
  check: {
    kind: "switch",
    describe: "write nothing; print a diff of each stale file, and exit with 1 if there is one",
  },
  "dry-run": { kind: "switch", describe: "write nothing; list the files that would be written" },
  watch: {
    kind: "switch",
    describe: "run again when a schema, snapshot, template or the configuration changes",
  },
  yes: { kind: "switch", describe: "ask no questions; include every server of the clients' files" },
  clean: {
    kind: "switch",
    describe: "remove files of an earlier run that are no longer generated and were not edited",
  },
  force: {
    kind: "switch",
    describe: "overwrite edited files, and write into a folder with other files",
  },
  url: {
    kind: "text",
    value: "url",
    describe: "the URL of a server; Streamable HTTP is tried first, then HTTP+SSE",
  },
  header: {
    kind: "text",
    list: true,
    value: "name: value",
    describe: "with --url: a header for each request; never stored or printed; can be repeated",
  },
  auth: {
    kind: "text",
    value: "form",
    describe:
      "with --url: the authorization: account:<name>, github-actions, kubernetes, file:<path>, or client-credentials[:<PREFIX>] with the variables <PREFIX>_CLIENT_ID and _CLIENT_SECRET or _CLIENT_KEY (default: the token of mcpgen login)",
  },
  account: {
    kind: "text",
    value: "name",
    describe: "the name of an account, if you use several on one server",
  },
  scope: {
    kind: "text",
    list: true,
    value: "scopes",
    describe: "the scopes to request (default: those that the server requires)",
  },
  "client-id": {
    kind: "text",
    value: "id",
    describe: "the id of a client that the authorization server knows (default: register a new client)",
  },
  device: { kind: "switch", describe: "sign in with a code on another device, such as a phone" },
  "no-browser": {
    kind: "switch",
    describe:
      "print the URL to open instead of starting a browser; if the last page cannot reach this machine, paste its URL",
  },
  list: { kind: "switch", describe: "list the servers with a stored token" },
  stdio: {
    kind: "text",
    value: "command",
    describe: 'the command that starts a server on stdio, in one argument: "node server.js"',
  },
  env: {
    kind: "text",
    list: true,
    value: "name",
    describe:
      "with --stdio: an environment variable to pass to the server; all others are withheld; can be repeated",
  },
  "not-secret": {
    kind: "text",
    list: true,
    value: "name",
    describe: "a header or variable, such as REGION, whose value may appear in a snapshot; can be repeated",
  },
  config: {
    kind: "text",
    value: "file|name",
    describe:
      "the configuration file (default: the nearest mcpgen.config.*); for pull and stubs, the name of a server in .mcp.json, .cursor/mcp.json or .vscode/mcp.json, or file.json#name",
  },
  timeout: {
    kind: "text",
    value: "seconds",
    describe:
      "the time limit for each answer of a server (default: 60); the whole run may take ten times as long",
  },
  capabilities: {
    kind: "text",
    choices: ["all", "none"],
    describe:
      "the client capabilities to declare: all, because some servers then offer more (the default; their questions are declined), or none",
  },
  module: {
    kind: "text",
    value: "file#export",
    describe: "a server that a .ts or .js module exports (default: the default export)",
  },
  live: { kind: "switch", describe: "also compare each snapshot with what its server offers now" },
  "fail-on": {
    kind: "text",
    choices: ["breaking", "review", "any"],
    describe: "lowest severity that fails: breaking, review (adds weaker safety hints) or any (default: any)",
  },
  accept: { kind: "switch", describe: "add the current differences to the file of accepted ones" },
  type: { kind: "text", value: "name", describe: "check each line as this type of the schema" },
  breaking: {
    kind: "switch",
    describe: "print only breaking changes, and exit with 1 only if there is one",
  },
  markdown: { kind: "switch", describe: "print Markdown" },
  json: { kind: "switch", describe: "print JSON on the standard output" },
  quiet: { kind: "switch", describe: "print errors only" },
  "no-color": { kind: "switch", describe: "no colours (also NO_COLOR=1)" },
} as const satisfies Record<string, FlagSpec>;

export type FlagName = keyof typeof flagSpecs;

/** Alternative names of a flag. */
export const flagAliases = { version: ["revision", "r"], out: ["o"] } as const satisfies Partial<
  Record<FlagName, readonly string[]>
>;

/** The flags of one run, validated for their command. */
export interface Flags {
  /** The value of a text flag; null if absent. */
  text(name: FlagName): string | null;
  /** All values of a text flag. */
  texts(name: FlagName): readonly string[];
  /** The parts of a text flag between commas, trimmed. */
  list(name: FlagName): readonly string[];
  /** True if the switch is on. */
  on(name: FlagName): boolean;
}
