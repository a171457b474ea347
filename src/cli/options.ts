import type { SnapshotText } from "../generator/inputs/snapshots.js";
import type {
  Config,
  GenerateJob,
  Selection,
  ServerJob,
  ServerSource,
} from "../config.js";
import { usageError } from "./command-error.js";
import type { Flags } from "./flag-values.js";
import {
  type CommandFlags,
  type FlagName,
  type FlagSpec,
  generateJob,
  namesOf,
  server,
  serverJob,
  thresholds,
} from "./flag-specs.js";

/** How a run writes the files that it generates. */
export interface WriteOptions {
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
  /** Remove unmodified files of an earlier run that are no longer generated. */
  readonly clean: boolean;
}

/** The options of `generate`, from a job of a configuration or from flags. */
export interface GenerateOptions extends GenerateJob, WriteOptions {}

/**
 * The options of `stubs`: an entry of a configuration, or the part of it that
 * flags can set.
 */
export interface StubsOptions
  extends
    Omit<ServerJob, "snapshot" | "source" | "card" | "out">,
    WriteOptions {
  readonly out: string;
  /** The path of a snapshot, its text, or a server to read. */
  readonly from: string | SnapshotText | ServerSource;
}

/** The options of `pull` for each server. */
export interface PullOptions {
  readonly check: boolean;
  readonly force: boolean;
}

/** The lowest severity that fails a check. */
export type Threshold = (typeof thresholds)[number];

/** The options of `check`. */
export interface CheckOptions {
  readonly live: boolean;
  /** Replaces the source's value. */
  readonly capabilities?: "all" | "none";
  readonly failOn: Threshold;
  readonly accept: boolean;
}

/** The options of `generate` from flags. */
export function generateOptions(flags: Flags): GenerateOptions {
  if (flags.text("version") === null && flags.text("schema") === null) {
    throw usageError(
      "MG705",
      "no revision is given",
      "use --version <revision|latest|all> (mcpgen list shows them), or --schema <path>",
    );
  }
  return {
    ...membersIn<GenerateJob>(flags, generateJob),
    ...writeOptions(flags),
    out: outIn(flags),
  };
}

/** The options of `stubs` from flags. */
export function stubsOptions(
  from: StubsOptions["from"],
  flags: Flags,
): StubsOptions {
  const job = membersIn<ServerJob>(flags, serverJob);
  return { ...job, ...writeOptions(flags), out: outIn(flags), from };
}

/** The members of a part of the configuration that its flags set. */
export function membersIn<Part>(
  flags: Flags,
  specs: CommandFlags,
): Partial<Part> {
  const members = namesOf(specs).flatMap((name) => {
    const spec = specs[name];
    if (spec?.sets === undefined || flags.text(name) === null) return [];
    return [[spec.sets.member, valueOf(flags, name, spec.sets.types, spec)]];
  });
  return Object.fromEntries(members) as Partial<Part>;
}

function valueOf(
  flags: Flags,
  name: FlagName,
  types: readonly string[],
  { list, isWhole }: FlagSpec,
): unknown {
  if (types.includes("object")) return selectionOf(flags.texts(name));
  if (list === true)
    return isWhole === true ? flags.texts(name) : flags.list(name);
  return types.includes("string") ? flags.text(name) : Number(flags.text(name));
}

/** Patterns of tools, or with the kind before them, `prompts:*`. */
function selectionOf(texts: readonly string[]): Selection {
  const selection: {
    tools?: string[];
    prompts?: string[];
    resources?: string[];
  } = {};
  // A comma in braces belongs to the variables of a URI template.
  for (const pattern of texts.flatMap((text) => text.split(/,(?![^{]*\})/))) {
    const [, kind = "tools", name = ""] =
      /^(?:(tools|prompts|resources):)?(.*)$/s.exec(pattern.trim()) ?? [];
    if (name !== "") (selection[kind as keyof Selection] ??= []).push(name);
  }
  return selection;
}

/** The options of `check` from flags. */
export function checkOptions(flags: Flags): CheckOptions {
  const { capabilities } = sourceOptions(flags);
  return {
    live: flags.on("live"),
    ...(capabilities && { capabilities }),
    failOn:
      thresholds.find((threshold) => threshold === flags.text("fail-on")) ??
      "any",
    accept: flags.on("accept"),
  };
}

/**
 * The flags that describe a server. All of `url`, `stdio`, `module` and
 * `config` may be absent.
 */
export const sourceOptions = (flags: Flags): ServerSource =>
  membersIn<ServerSource>(flags, server);

/** The members of a source that name a server. */
export const sourceNames = ["url", "stdio", "module", "config"] as const;

/**
 * The members of a source that are set and name a server; more than one is a
 * usage error.
 */
export function namedSources(
  source: ServerSource,
): readonly (typeof sourceNames)[number][] {
  return sourceNames.filter((name) => source[name] !== undefined);
}

/** The mode and the options for writing from flags. */
export function writeOptions(flags: Flags): WriteOptions {
  if (flags.on("check") && flags.on("dry-run")) {
    throw usageError(
      "MG705",
      "--check and --dry-run exclude each other",
      "remove one of them",
    );
  }
  return {
    mode: flags.on("check")
      ? "check"
      : flags.on("dry-run")
        ? "dry-run"
        : "write",
    force: flags.on("force"),
    clean: flags.on("clean"),
  };
}

/** The folder to write to. */
export function outIn(flags: Flags): string {
  const out = flags.text("out");
  if (out === null)
    throw usageError(
      "MG705",
      "no output directory is given",
      "use --out <dir>",
    );
  return out;
}

/** The default timeout of each request, in seconds. */
const defaultTimeout = 60;

/** The value of `--timeout` in milliseconds. */
export function readTimeout(seconds: number = defaultTimeout): number {
  if (seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw usageError(
    "MG702",
    "--timeout must be a number of seconds, at most 3600",
    "for example --timeout 10",
  );
}

/** A job of a configuration, with the options of its command. */
export type Job =
  | {
      readonly kind: "generate";
      readonly title: string;
      readonly options: GenerateOptions;
    }
  | {
      readonly kind: "server";
      readonly title: string;
      readonly server: ServerJob;
      /** Null if nothing is generated from the server. */
      readonly options: StubsOptions | null;
    };

/** The jobs of a configuration, in order. */
export function jobsOf(
  { generate = [], servers = [] }: Pick<Config, "generate" | "servers">,
  write: WriteOptions,
): Job[] {
  return [
    ...generate.map((job): Job => ({
      kind: "generate",
      title: job.out,
      options: { ...job, ...write },
    })),
    ...servers.map((server): Job => {
      const { snapshot, source: _, card: _card, out, ...project } = server;
      const options =
        out === undefined
          ? null
          : { ...project, ...write, out, from: snapshot };
      return { kind: "server", title: out ?? snapshot, server, options };
    }),
  ];
}
