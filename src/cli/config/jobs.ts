import type { Config, GenerateJob, Output, ServerJob, ServerSource } from "../../config.js";
import type { FlagName } from "../flag-specs.js";
import { flagsOf, type Flags } from "../flags.js";
import type { Terminal } from "../terminal.js";
import type { LoadedConfig } from "./load.js";

/** A job of a configuration as the command line that would do the same. */
export type Job =
  | { readonly kind: "generate"; readonly title: string; readonly flags: Flags }
  | {
      readonly kind: "server";
      readonly title: string;
      readonly server: ServerJob;
      /** Null for a server of which nothing is generated. */
      readonly flags: Flags | null;
    };

/** Switches that hold for every job of a run. */
const shared = ["check", "clean", "dry-run", "force", "json", "quiet"] as const;

/** The jobs of a configuration in its order, with the switches of the run. */
export function jobsOf({ generate = [], servers = [] }: Config, run: Flags): Job[] {
  const switches = Object.fromEntries(shared.map((name) => [name, run.on(name)]));
  return [
    ...generate.map((job): Job => {
      return { kind: "generate", title: job.out, flags: flagsOf({ ...switches, ...generateFlags(job) }) };
    }),
    ...servers.map((server): Job => {
      const { snapshot, out } = server;
      const flags = out === undefined ? null : flagsOf({ ...switches, ...stubFlags(server, out) });
      return { kind: "server", title: out ?? snapshot, server, flags };
    }),
  ];
}

type Values = Partial<Record<FlagName, string>>;

function generateFlags({ out, version, schema, extension, emit, ...output }: GenerateJob): Values {
  return {
    out,
    ...(extension === undefined ? {} : { extension: [extension].flat().join(",") }),
    ...(version === undefined ? {} : { version: [version].flat().join(",") }),
    ...(schema === undefined ? {} : { schema }),
    ...(emit === undefined ? {} : { emit: emit.join(",") }),
    ...outputFlags(output),
  };
}

function stubFlags({ emit, protocol, ...output }: ServerJob, out: string): Values {
  return {
    out,
    ...(emit === undefined ? {} : { emit: emit.join(",") }),
    ...(protocol === undefined ? {} : { protocol }),
    ...outputFlags(output),
  };
}

function outputFlags({ runtime, importExtension, templates }: Output): Values {
  return {
    ...(runtime === undefined ? {} : { runtime }),
    ...(importExtension === undefined ? {} : { "import-ext": importExtension }),
    ...(templates === undefined ? {} : { templates }),
  };
}

/** The terminal of a job: paths start from its configuration, and data is handed over instead of printed. */
export function terminalOf(
  terminal: Terminal,
  { directory }: LoadedConfig,
  out: (text: string) => void,
): Terminal {
  return {
    directory,
    out: (text) => Promise.resolve(out(text)),
    tell: (text) => terminal.tell(text),
    status: (text) => terminal.status(text),
    get input() {
      return terminal.input;
    },
    get dialogue() {
      return terminal.dialogue;
    },
    columns: terminal.columns,
    style: terminal.style,
    dataStyle: terminal.dataStyle,
    signal: terminal.signal,
  };
}

/** What names the server of a job, as the flags of `mcpgen pull` would; some of the run's own flags go before it. */
export function sourceFlags({ header, env, notSecret, timeout, ...source }: ServerSource, run: Flags): Flags {
  const capabilities = run.text("capabilities") ?? source.capabilities;
  return flagsOf({
    ...source,
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(header === undefined ? {} : { header }),
    ...(env === undefined ? {} : { env }),
    ...(notSecret === undefined ? {} : { "not-secret": notSecret }),
    ...(timeout === undefined ? {} : { timeout: String(timeout) }),
    quiet: run.on("quiet"),
  });
}
