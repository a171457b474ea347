import type { Part } from "./generate.js";

/** What `mcpgen.config.ts` exports: the jobs of a project. */
export interface Config {
  readonly generate?: readonly GenerateJob[];
}

/** One directory of generated files; the members are the flags of `mcpgen generate`. */
export interface GenerateJob {
  /** Relative to the configuration. */
  readonly out: string;
  /** A revision, `latest`, `all`, or several of them; may be left out when `schema` is given. */
  readonly version?: string | readonly string[];
  /** A schema in place of the bundled one, relative to the configuration. */
  readonly schema?: string;
  /** What to merge into the revisions that it fits: bundled extensions by name, others by their path from the configuration. */
  readonly extension?: string | readonly string[];
  readonly emit?: readonly Part[];
  readonly runtime?: "package" | "vendored";
  readonly importExtension?: "js" | "ts" | "none";
  /** A folder of templates in place of the built-in ones, relative to the configuration. */
  readonly templates?: string;
}

/** Returns the configuration it was given, so that an editor knows its type. */
export function defineConfig(config: Config): Config {
  return config;
}
