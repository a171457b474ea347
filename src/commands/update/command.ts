import { dirname, resolve } from "node:path";
import { Diagnostics } from "../../generator/diagnostics.js";
import { pathProblem } from "../../generator/emit/write/paths.js";
import type { FromFile } from "../../generator/inputs/from-file.js";
import { toolVersion } from "../../generator/inputs/package.js";
import type { Token } from "./http.js";
import { planProject } from "./project.js";
import { officialRepository } from "./source.js";
import { UnreachableError } from "./address.js";
import type { Command, Context } from "../../cli/command.js";
import {
  CommandError,
  exitCodes,
  Interruption,
  usageError,
} from "../../cli/command-error.js";
import { findConfig } from "../../cli/config/find.js";
import { loadConfig, type LoadedConfig } from "../../cli/config/load.js";
import type { Flags } from "../../cli/flag-values.js";
import { type Report, reportOf } from "../../cli/report.js";
import { updateOptions, type UpdateOptions } from "./options.js";
import { updateMarkdown, updateText } from "./report.js";

export const run: Command = async (_words, flags, context) => {
  const options = updateOptions(flags);
  const diagnostics = new Diagnostics();
  try {
    return await runUpdate(
      options,
      await readProject(flags, context),
      context,
      diagnostics,
    );
  } catch (error) {
    if (context.signal.aborted) throw new Interruption();
    if (!(error instanceof UnreachableError)) throw error;
    throw new CommandError(error.diagnostics, exitCodes.unreachable);
  } finally {
    context.status(null);
  }
};

/** Where the lock file and the schemas of a project are. */
interface Project {
  /**
   * The folder of the configuration, or the working directory without one; an
   * absolute path.
   */
  readonly project: string;
  /** Relative to the project. */
  readonly folder: string;
  readonly from: FromFile | null;
  /** Null without a configuration. */
  readonly config: LoadedConfig | null;
}

async function readProject(
  flags: Flags,
  { directory }: Context,
): Promise<Project> {
  const path = await findConfig(flags.text("config"), directory);
  if (path === null)
    return {
      project: resolve(directory),
      folder: "schema",
      from: null,
      config: null,
    };
  const loaded = await loadConfig(path);
  const { config, file } = loaded;
  const written = (config.update?.folder ?? "schema").replaceAll("\\", "/");
  const folder = written.replace(/^(\.\/)+/, "").replace(/(^|[^/])\/+$/, "$1");
  const problem = pathProblem(folder);
  if (problem !== null) {
    const hint = "use a folder below the configuration";
    throw usageError(
      "MG743",
      `${file}: update.folder cannot be used: ${problem}`,
      hint,
    );
  }
  return {
    project: dirname(path),
    folder,
    from: config.update?.from ?? null,
    config: loaded,
  };
}

async function runUpdate(
  { from, extension, selection, mode, timeout }: UpdateOptions,
  project: Project,
  context: Context,
  diagnostics: Diagnostics,
): Promise<Report> {
  const named = extension?.place ?? from;
  const isDefault = named === null && selection === "default";
  const requests = {
    timeout,
    signal: context.signal,
    token: tokenIn(process.env),
    userAgent: `mcpgen/${toolVersion()}`,
    environment: process.env,
    status: context.status,
  };
  const plan = await planProject(
    {
      scope: extension !== null ? "extension" : isDefault ? "all" : "revisions",
      from: named ?? project.from ?? officialRepository,
      // A path in the configuration starts from there.
      directory:
        named === null && project.from !== null
          ? project.project
          : context.directory,
      project: project.project,
      folder: project.folder,
      selection,
      id: extension?.id,
      requests,
    },
    diagnostics,
  );
  const { config } = project;
  const impacts =
    config === null
      ? []
      : await (
          await import("./user-programs.js")
        ).impactsOf(config, plan, context, diagnostics);
  if (context.signal.aborted) throw new Interruption();
  if (mode === "write") await plan.write();
  const { result } = plan;
  const isNewer = [...result.revisions, ...result.extensions].some(
    ({ state }) => state === "new" || state === "changed",
  );
  const { source, version, revisions, extensions } = result;
  const isStale = impacts.some(({ isMove }) => !isMove);
  return reportOf(
    mode === "check" && isNewer ? exitCodes.checkFailed : exitCodes.done,
    { source, ...version, mode, revisions, extensions, impacts },
    {
      diagnostics: diagnostics.list,
      text: (style) => updateText({ ...result, impacts }, style),
      markdown: () => updateMarkdown({ ...result, impacts }),
      advice: adviceOn(mode, isNewer, isStale),
    },
  );
}

/**
 * The token of GITHUB_TOKEN for the server of GITHUB_SERVER_URL, which GitHub
 * Actions sets; github.com by default. It is sent to no other server.
 */
function tokenIn(
  environment: Readonly<Record<string, string | undefined>>,
): Token | null {
  const {
    GITHUB_TOKEN: value = "",
    GITHUB_SERVER_URL: server = "https://github.com",
  } = environment;
  if (value === "" || !URL.canParse(server)) return null;
  return { origin: new URL(server).origin, value };
}

function adviceOn(
  mode: UpdateOptions["mode"],
  isNewer: boolean,
  isStale: boolean,
): string {
  if (mode === "dry-run") return "nothing was written: this was a dry run\n";
  if (mode === "check" && isNewer)
    return "run mcpgen update to pin what is newer\n";
  return isStale || (mode === "write" && isNewer)
    ? "run mcpgen --clean to generate the files again\n"
    : "";
}
