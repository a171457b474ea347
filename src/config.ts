import type { Part } from "./generator/generate.js";
import type { StubPart } from "./generator/stubs.js";

/**
 * What `mcpgen.config.ts` exports: the jobs of a project. All paths in it are
 * relative to the configuration.
 */
export interface Config {
  /** Files generated from revisions of the protocol. */
  readonly generate?: readonly GenerateJob[];
  /**
   * Servers: snapshots of what they offer, and the files generated from them.
   */
  readonly servers?: readonly ServerJob[];
  /** Where `mcpgen update` gets schemas, and where it stores them. */
  readonly update?: UpdateSettings;
  /**
   * What `mcpgen lint` and `mcpgen check` say of the tools of the servers.
   * Without it, `mcpgen check` says nothing of them.
   */
  readonly lint?: LintSettings;
  /** What `mcpgen code` writes, and `mcpgen check` compares. */
  readonly code?: CodeSettings;
  /**
   * The file of accepted differences for `mcpgen check`; `mcpgen.accepted.json`
   * by default.
   */
  readonly accepted?: string;
}

/** The settings of `mcpgen code`. */
interface CodeSettings {
  /** The servers whose tools a program can call: names or snapshots. */
  readonly servers: readonly string[];
  /** The folder to write to, relative to the configuration. */
  readonly out: string;
}

/** The settings of `mcpgen lint`; the members are its flags. */
export interface LintSettings {
  /**
   * The providers whose rules count: `anthropic`, `openai`, `openai-strict`,
   * `gemini`; all but the strict one by default.
   */
  readonly for?: readonly string[];
  /** The number of tokens that the tools of all servers may have, about. */
  readonly budget?: number;
  /** Rules that do not count: "MG923", or "MG923 a_tool" for one tool. */
  readonly ignore?: readonly string[];
}

/** The settings of `mcpgen update`. */
export interface UpdateSettings {
  /**
   * An https URL of a git repository or a .tar.gz, or a path relative to the
   * configuration. By default, the official repository.
   */
  readonly from?: string;
  /**
   * The folder of pinned schemas, relative to the configuration; `schema` by
   * default.
   */
  readonly folder?: string;
  /**
   * The programs whose lines are reported, each by its `tsconfig.json`,
   * relative to the configuration. By default, the nearest one above each
   * folder of generated files.
   */
  readonly tsconfig?: string | readonly string[];
}

/**
 * One directory of generated files; the members are the flags of
 * `mcpgen generate`.
 */
export interface GenerateJob extends Output {
  /** Relative to the configuration. */
  readonly out: string;
  /**
   * A revision, `latest`, `all`, or several of them; optional if `schema` is
   * set.
   */
  readonly version?: string | readonly string[];
  /** A schema instead of the bundled one, relative to the configuration. */
  readonly schema?: string;
  /**
   * Extensions to merge into the revisions that they fit: bundled ones by name,
   * others by their path relative to the configuration, or as
   * `com.example/name=<path>` if the schema does not have its id.
   */
  readonly extension?: string | readonly string[];
  /**
   * The parts; all but `stubs` by default. `stubs` has what the servers with
   * this folder as `protocol` share.
   */
  readonly emit?: readonly Part[];
}

/** The options that all directories of generated files have in common. */
interface Output {
  readonly runtime?: "package" | "vendored";
  readonly importExtension?: "js" | "ts" | "none";
  /**
   * A folder of templates that replace built-in ones, relative to the
   * configuration.
   */
  readonly templates?: string;
}

/**
 * One server: its committed snapshot, the source of the snapshot, and the files
 * generated from it.
 */
export interface ServerJob extends Output {
  /** The snapshot's file, relative to the configuration. */
  readonly snapshot: string;
  /**
   * Where to pull the snapshot from. Without it, `mcpgen check --live` skips
   * the server.
   */
  readonly source?: ServerSource;
  /**
   * The directory of the typed client or the server skeleton. Without it, only
   * the snapshot is checked.
   */
  readonly out?: string;
  /**
   * By default the parts that `out` has, or else the client, and the server if
   * the snapshot has no `format`.
   */
  readonly emit?: readonly StubPart[];
  /**
   * The folder of `server.json` and `server-card.json`, or of `manifest.json`
   * of a bundle, which `mcpgen check` compares with the snapshot and
   * package.json.
   */
  readonly card?: string;
  /**
   * The model provider whose rules `tools.ts` follows: `anthropic`, `openai`,
   * `openai-strict` or `gemini`. Without it, the tools have the names and
   * schemas of the server.
   */
  readonly for?: string;
  /**
   * A folder with the whole revision, the `out` of a `generate` job, that the
   * project imports from; relative to the configuration. Without it, the
   * project contains the part of the revision that its server needs.
   */
  readonly protocol?: string;
  /**
   * The prefix of the project's types and functions: "filesystem" gives
   * `createFilesystemClient`. The default is the server's own name, which the
   * server may change.
   */
  readonly name?: string;
  /**
   * The parts of the server to use, by wire name; `*` matches any text.
   * Everything by default.
   */
  readonly include?: Selection;
  /** The parts of that selection to leave out. */
  readonly exclude?: Selection;
  /**
   * Types of results of tools without an output schema, by tool name:
   * "./forecast.js#Forecast" is a module and the name of an exported type. A
   * relative path starts from `out`.
   */
  readonly outputTypes?: Readonly<Record<string, string>>;
  /**
   * Replacements for generated names of members of the client and of the
   * handlers, by wire name.
   */
  readonly names?: NameOverrides;
  /**
   * The scopes that callers of a protected server need for a tool, besides
   * those of `protect`, by tool name: `{ delete_file: ["files:write"] }`.
   */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /**
   * Tools with a pattern that is not safe to check, by name. Without their
   * names, no server is generated, because it would accept what its own schema
   * forbids.
   */
  readonly unchecked?: readonly string[];
}

/**
 * A server, given by `url`, `stdio`, `module` or `config`; the members are the
 * flags of `mcpgen pull`.
 */
export interface ServerSource {
  readonly url?: string;
  /**
   * For `url`: headers as "Name: value". Keep secrets in the environment:
   * `process.env.TOKEN`.
   */
  readonly header?: readonly string[];
  /**
   * For `url` and `config`: how requests are authorized, without a secret in
   * this file. "account:work" uses the tokens of `mcpgen login --account work`,
   * and "github-actions", "kubernetes" or "file:<path>" the identity of a job,
   * a pod or a file. "client-credentials:WEATHER" reads the variables
   * WEATHER_CLIENT_ID, and WEATHER_CLIENT_SECRET or WEATHER_CLIENT_KEY; the
   * prefix is MCPGEN by default. By default, the tokens of `mcpgen login`, if
   * there are any.
   */
  readonly auth?: string;
  /**
   * For each `auth` but an account: the issuer identifier of the only
   * authorization server that gets the credentials. By default the variable
   * MCPGEN_ISSUER, or WEATHER_ISSUER for "client-credentials:WEATHER".
   */
  readonly issuer?: string;
  /**
   * "https://a.example.com/x=https://a.example.com/y" if the server names its
   * authorization server by the first issuer identifier, the server itself uses
   * the second one, and its operator confirms that both are the same.
   */
  readonly issuerAlias?: string;
  /**
   * A command that starts the server in the folder of the configuration: "node
   * server.js".
   */
  readonly stdio?: string;
  /** For `stdio`: names of environment variables to pass to the server. */
  readonly env?: readonly string[];
  /**
   * Names of headers and variables whose values are not secret, so the server
   * may list them.
   */
  readonly notSecret?: readonly string[];
  /** A server in a module, TypeScript or JavaScript: "./server.ts#server". */
  readonly module?: string;
  /**
   * An entry of a client's configuration file: the name of an entry in
   * `.mcp.json`, or "file.json#entry".
   */
  readonly config?: string;
  /** The timeout of each request in seconds; 60 by default. */
  readonly timeout?: number;
  /**
   * The client capabilities to declare: all (the default; requests for input
   * are declined) or none.
   */
  readonly capabilities?: "all" | "none";
}

/** Names of tools and prompts, names or URIs of resources and templates. */
export interface Selection {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
}

/** Identifiers by wire name. */
export interface NameOverrides {
  readonly tools?: Readonly<Record<string, string>>;
  readonly prompts?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, string>>;
}

/**
 * What the module of a configuration exports by default: the configuration, a
 * promise of it, or a function that returns either.
 */
type ConfigExport = Config | Promise<Config> | (() => Config | Promise<Config>);

/** Returns its argument. Gives editors the type of the configuration. */
export function defineConfig(config: ConfigExport): ConfigExport {
  return config;
}
