import type { Part } from "./generate.js";
import type { StubPart } from "./stubs.js";

/** What `mcpgen.config.ts` exports: the jobs of a project. All paths in it are relative to the configuration. */
export interface Config {
  /** Files generated from revisions of the protocol. */
  readonly generate?: readonly GenerateJob[];
  /** Servers: snapshots of what they offer, and the files generated from them. */
  readonly servers?: readonly ServerJob[];
  /** Drifts that were accepted, for `mcpgen check`; `mcpgen.accepted.json` by default. */
  readonly accepted?: string;
}

/** One directory of generated files; the members are the flags of `mcpgen generate`. */
export interface GenerateJob extends Output {
  /** Relative to the configuration. */
  readonly out: string;
  /** A revision, `latest`, `all`, or several of them; may be left out when `schema` is given. */
  readonly version?: string | readonly string[];
  /** A schema in place of the bundled one, relative to the configuration. */
  readonly schema?: string;
  /** What to merge into the revisions that it fits: bundled extensions by name, others by their path from the configuration. */
  readonly extension?: string | readonly string[];
  readonly emit?: readonly Part[];
}

/** What every directory of generated files may be told. */
export interface Output {
  readonly runtime?: "package" | "vendored";
  readonly importExtension?: "js" | "ts" | "none";
  /** A folder of templates in place of the built-in ones, relative to the configuration. */
  readonly templates?: string;
}

/** One server: the snapshot that is committed, where it comes from, and what is made of it. */
export interface ServerJob extends Output {
  /** The snapshot's file, relative to the configuration. */
  readonly snapshot: string;
  /** Where the snapshot is pulled from; without it, `mcpgen check --live` leaves the server alone. */
  readonly source?: ServerSource;
  /** The directory of the typed client and the server to fill in; without it, only the snapshot is looked after. */
  readonly out?: string;
  readonly emit?: readonly StubPart[];
  /**
   * A folder of the whole revision, the `out` of a job of `generate`, that the project imports from; relative to the
   * configuration. Without it, the project gets the part of the revision that its server needs.
   */
  readonly protocol?: string;
  /**
   * The name that the types and functions of the project start with: "filesystem" gives `createFilesystemClient`. By default
   * the name that the server gives itself, which it may change.
   */
  readonly name?: string;
  /** What of the server is used, by names on the wire; a `*` stands for any text. Everything by default. */
  readonly include?: Selection;
  /** What is left out of that. */
  readonly exclude?: Selection;
  /**
   * The types of results, by the name of a tool that declares none: "./forecast.js#Forecast", a module and the name that it
   * exports a type under. A relative path starts from `out`.
   */
  readonly outputTypes?: Readonly<Record<string, string>>;
  /** Members of the client and of the handlers, by names on the wire, where another one is wanted. */
  readonly names?: NameOverrides;
}

/** A server, by `url`, `stdio`, `module` or `config`; the members are the flags of `mcpgen pull`. */
export interface ServerSource {
  readonly url?: string;
  /** For `url`: headers as "Name: value". A secret belongs into the environment: `process.env.TOKEN`. */
  readonly header?: readonly string[];
  /** A command line that starts the server, in the folder of the configuration: "node server.js". */
  readonly stdio?: string;
  /** For `stdio`: the names of variables of the environment that the server gets too. */
  readonly env?: readonly string[];
  /** Names of headers and variables whose values are not secret: the server may list them. */
  readonly notSecret?: readonly string[];
  /** A server in a module, TypeScript or JavaScript: "./server.ts#server". */
  readonly module?: string;
  /** A server that a client's file names: an entry of `.mcp.json`, or "file.json#entry". */
  readonly config?: string;
  /** How long it may take for one answer, in seconds; 60 by default. */
  readonly timeout?: number;
  /** What is declared to it: all that a client can (the default; whatever it then asks is declined), or none. */
  readonly capabilities?: "all" | "none";
}

/** Names of tools and prompts, names or URIs of resources and templates. */
export interface Selection {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
}

/** Identifiers by names on the wire. */
export interface NameOverrides {
  readonly tools?: Readonly<Record<string, string>>;
  readonly prompts?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, string>>;
}

/** Returns the configuration it was given, so that an editor knows its type. */
export function defineConfig(config: Config): Config {
  return config;
}
