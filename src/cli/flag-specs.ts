/** A flag of the command line. */
export interface FlagSpec {
  readonly kind: "text" | "switch";
  /** The group in the help. */
  readonly group: FlagGroup;
  /** The meaning in a few words, because the help of a command fits a screen. The page of the command has the details. */
  readonly describe: string;
  /** The placeholder of the value in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Can be repeated; the values are joined with commas. */
  readonly list?: boolean;
}

/** The groups of flags in the help, in order. */
export const flagGroups = {
  source: "What to read",
  server: "Which server",
  arguments: "Arguments of the tool",
  "sign-in": "How to sign in",
  output: "What to write",
  run: "How to run",
  /** Explained in the list of commands only. */
  common: "For every command",
} as const;
export type FlagGroup = keyof typeof flagGroups;

/** The parts of `mcpgen generate`. */
export const parts = ["types", "validators", "dispatch", "client", "server"] as const;

/** The shells of `mcpgen completion`. */
export const shells = ["bash", "zsh", "fish"] as const;

/** All flags of all commands. A command may describe a flag in its own words: see `meanings` in `command.ts`. */
export const flagSpecs = {
  version: {
    kind: "text",
    group: "source",
    list: true,
    value: "revision",
    describe: "a date, latest, all, or several with commas",
  },
  out: { kind: "text", group: "output", value: "dir", describe: "the directory to write to" },
  schema: { kind: "text", group: "source", value: "path", describe: "your own schema: a file or a folder" },
  extension: {
    kind: "text",
    group: "source",
    list: true,
    value: "name",
    describe: "extensions to merge: bundled names or paths",
  },
  emit: { kind: "text", group: "output", list: true, value: "parts", describe: parts.join(", ") },
  runtime: {
    kind: "text",
    group: "output",
    choices: ["package", "vendored"],
    describe: "package (default), or vendored: a copy in the output",
  },
  unchecked: {
    kind: "text",
    group: "output",
    list: true,
    value: "tools",
    describe: "tools whose patterns the server need not check",
  },
  "import-ext": {
    kind: "text",
    group: "output",
    choices: ["js", "ts", "none"],
    describe: "extension of relative imports: js, ts or none",
  },
  templates: {
    kind: "text",
    group: "output",
    value: "dir",
    describe: "a folder of templates that replace built-in ones",
  },
  protocol: {
    kind: "text",
    group: "output",
    value: "dir",
    describe: "import the protocol from this folder of generate",
  },
  name: {
    kind: "text",
    group: "output",
    value: "name",
    describe: "the name in generated code (default: the server's)",
  },
  include: {
    kind: "text",
    group: "source",
    list: true,
    value: "patterns",
    describe: "only these tools; prompts:<name>, resources:<uri>",
  },
  exclude: {
    kind: "text",
    group: "source",
    list: true,
    value: "patterns",
    describe: "not these tools; prompts:<name>, resources:<uri>",
  },
  from: {
    kind: "text",
    group: "source",
    value: "url|path",
    describe: "the URL of a repository or .tar.gz, or a path",
  },
  check: { kind: "switch", group: "run", describe: "write nothing; show stale files, and exit with 1" },
  "dry-run": { kind: "switch", group: "run", describe: "write nothing; list the files" },
  watch: { kind: "switch", group: "run", describe: "run again when an input changes" },
  protect: {
    kind: "text",
    group: "output",
    value: "issuer",
    describe: "also write a server that requires tokens of this issuer",
  },
  server: { kind: "text", group: "output", value: "name", describe: "also write a server, in code" },
  "server-from-file": { kind: "text", group: "output", value: "name", describe: "one from a file of tools" },
  ci: {
    kind: "text",
    group: "output",
    choices: ["github"],
    describe: "github: workflows that check pushes and propose updates",
  },
  yes: { kind: "switch", group: "run", describe: "ask no questions; include every server" },
  clean: { kind: "switch", group: "run", describe: "remove unedited files that are no longer generated" },
  force: {
    kind: "switch",
    group: "run",
    describe: "overwrite edited files and files that are not generated",
  },
  url: {
    kind: "text",
    group: "server",
    value: "url",
    describe: "its URL; Streamable HTTP is tried before HTTP+SSE",
  },
  header: {
    kind: "text",
    group: "server",
    list: true,
    value: "name: value",
    describe: '"name: value" for each request; can be repeated',
  },
  auth: {
    kind: "text",
    group: "server",
    value: "form",
    describe: "account:<name>, or the identity of a job: see the guide",
  },
  issuer: {
    kind: "text",
    group: "server",
    value: "issuer",
    describe: "the only authorization server that gets credentials",
  },
  "issuer-alias": { kind: "text", group: "server", value: "a=b", describe: "the issuer a is also named b" },
  account: {
    kind: "text",
    group: "sign-in",
    value: "name",
    describe: "the name of an account, if you use several",
  },
  scope: {
    kind: "text",
    group: "sign-in",
    list: true,
    value: "scopes",
    describe: "the scopes to request (default: those required)",
  },
  "client-id": {
    kind: "text",
    group: "sign-in",
    value: "id",
    describe: "the id of a registered client (default: register one)",
  },
  "client-secret": {
    kind: "text",
    group: "sign-in",
    value: "variable",
    describe: "the variable with the secret of that client",
  },
  "redirect-uri": {
    kind: "text",
    group: "sign-in",
    value: "uri",
    describe: "the page that the client is registered with",
  },
  resource: { kind: "text", group: "sign-in", value: "uri|none", describe: "resource parameter, or none" },
  "assume-pkce": {
    kind: "text",
    group: "sign-in",
    value: "issuer",
    describe: "this server supports PKCE, and does not say so",
  },
  "auth-param": {
    kind: "text",
    group: "sign-in",
    list: true,
    value: "name=value",
    describe: "a parameter for that issuer; can be repeated",
  },
  endpoint: {
    kind: "text",
    group: "sign-in",
    list: true,
    value: "name=url",
    describe: "an endpoint of that issuer; can be repeated",
  },
  device: { kind: "switch", group: "sign-in", describe: "sign in with a code on another device" },
  "no-browser": { kind: "switch", group: "sign-in", describe: "print the URL instead of opening a browser" },
  list: { kind: "switch", group: "sign-in", describe: "list the servers with a stored token" },
  stdio: {
    kind: "text",
    group: "server",
    value: "command",
    describe: 'a command that starts it: "node server.js"',
  },
  env: {
    kind: "text",
    group: "server",
    list: true,
    value: "name",
    describe: "a variable to pass to the command; can be repeated",
  },
  "not-secret": {
    kind: "text",
    group: "server",
    list: true,
    value: "name",
    describe: "a header or variable whose value may be stored",
  },
  config: {
    kind: "text",
    group: "source",
    value: "file|name",
    describe: "the configuration (default: mcpgen.config.*)",
  },
  timeout: {
    kind: "text",
    group: "server",
    value: "seconds",
    describe: "seconds for each request (default: 60)",
  },
  capabilities: {
    kind: "text",
    group: "server",
    choices: ["all", "none"],
    describe: "client capabilities to declare: all (default) or none",
  },
  module: {
    kind: "text",
    group: "server",
    value: "file#export",
    describe: "file.ts#export: a server that a module exports",
  },
  arg: {
    kind: "text",
    group: "arguments",
    list: true,
    value: "name=value",
    describe: "a value of its type; repeat for arrays, JSON for objects",
  },
  args: {
    kind: "text",
    group: "arguments",
    value: "json|-",
    describe: "all arguments as a JSON object; - for the standard input",
  },
  output: { kind: "text", group: "arguments", value: "file", describe: "write the content to this file" },
  prompt: {
    kind: "text",
    group: "arguments",
    value: "name",
    describe: "get this prompt instead of calling a tool",
  },
  ask: { kind: "switch", group: "arguments", describe: "ask you what the server wants to know" },
  live: { kind: "switch", group: "run", describe: "also compare each snapshot with its server" },
  "fail-on": {
    kind: "text",
    group: "run",
    choices: ["breaking", "review", "any"],
    describe: "lowest severity that fails: breaking, review or any (default)",
  },
  accept: { kind: "switch", group: "run", describe: "add the current differences to the accepted ones" },
  for: {
    kind: "text",
    group: "output",
    list: true,
    value: "providers",
    describe: "anthropic, openai, openai-strict, gemini",
  },
  budget: { kind: "text", group: "run", value: "tokens", describe: "fail if the list of tools has more" },
  ignore: {
    kind: "text",
    group: "run",
    list: true,
    value: "rules",
    describe: 'MG923, or "MG923 a_tool" for one tool',
  },
  type: { kind: "text", group: "run", value: "name", describe: "check each line as this type of the schema" },
  breaking: { kind: "switch", group: "run", describe: "print and count only breaking changes" },
  verbose: { kind: "switch", group: "run", describe: "also list each change of notation only" },
  markdown: { kind: "switch", group: "run", describe: "print Markdown on the standard output" },
  json: { kind: "switch", group: "common", describe: "print JSON on the standard output" },
  quiet: { kind: "switch", group: "common", describe: "print errors only" },
  "no-color": { kind: "switch", group: "common", describe: "no colours (also NO_COLOR=1)" },
} as const satisfies Record<string, FlagSpec>;

export type FlagName = keyof typeof flagSpecs;

/** Alternative names of a flag. */
export const flagAliases = { version: ["revision", "r"], out: ["o"] } as const satisfies Partial<
  Record<FlagName, readonly string[]>
>;
