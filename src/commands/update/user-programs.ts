import { dirname, posix, relative, resolve } from "node:path";
import type { Diagnostics } from "../../generator/diagnostics.js";
import type { Impact } from "./impact/index.js";
import { jobsOf } from "../../cli/options.js";
import type { LoadedConfig } from "../../cli/config/load.js";
import type { Context } from "../../cli/command.js";
import { findUp } from "../../cli/destination/find.js";
import type { ProjectPlan } from "./project.js";
import { attempt } from "../../cli/commands/configured.js";
import { changedOutput, type ChangedOutput } from "./outputs.js";

/** The lines of one program that an update touches. */
export interface ProgramImpact {
  /** Relative to the configuration, with forward slashes. */
  readonly tsconfig: string;
  /**
   * False if the next run of mcpgen changes the program; true if the
   * configuration must name another revision first.
   */
  readonly isMove: boolean;
  /**
   * The folders of generated files that change, as the configuration names
   * them, and the revisions in each.
   */
  readonly folders: readonly {
    readonly out: string;
    readonly from: readonly string[];
    readonly to: readonly string[];
  }[];
  /** Files are relative to the configuration. */
  readonly impact: Impact;
}

/**
 * The lines of a project's programs that an update touches. A program that
 * cannot be compared is a warning. The generator and the compiler are loaded
 * only for a change of a protocol.
 */
export async function impactsOf(
  { config, directory }: LoadedConfig,
  plan: ProjectPlan,
  context: Context,
  diagnostics: Diagnostics,
): Promise<ProgramImpact[]> {
  const jobs = jobsOf(config, { mode: "dry-run", force: false, clean: false });
  const inProject = { ...context, directory };
  const changed: ChangedOutput[] = [];
  for (const job of jobs) {
    context.status(`comparing ${job.title}`);
    const output = await tryToCompare(job.title, diagnostics, () =>
      changedOutput(job, plan, inProject, diagnostics),
    );
    if (output !== null) changed.push(output);
  }
  const named = config.update?.tsconfig;
  const impacts: ProgramImpact[] = [];
  for (const { tsconfig, outputs } of await programsOf(
    changed,
    directory,
    named,
    diagnostics,
  )) {
    const [{ isMove }] = outputs;
    const shown = relative(directory, tsconfig).replaceAll("\\", "/");
    context.status(`compiling the program of ${shown}`);
    const folders = outputs.flatMap((output) => output.folders);
    const { impactOf } = await import("./impact/index.js");
    const impact = await tryToCompare(shown, diagnostics, () =>
      impactOf({ tsconfig, folders }),
    );
    if (impact === null) continue;
    impacts.push({
      tsconfig: shown,
      isMove,
      folders: outputs.map(({ out, from, to }) => ({ out, from, to })),
      impact: relativeTo(posix.dirname(shown), impact),
    });
  }
  return impacts;
}

interface Program {
  readonly tsconfig: string;
  /** The outputs that change in the same step. */
  readonly outputs: [ChangedOutput, ...ChangedOutput[]];
}

/**
 * The programs that are compiled: those of the configuration, or the nearest
 * one above each output.
 */
async function programsOf(
  changed: readonly ChangedOutput[],
  directory: string,
  named: string | readonly string[] | undefined,
  diagnostics: Diagnostics,
): Promise<readonly Program[]> {
  const programs = new Map<string, Program>();
  for (const output of changed) {
    const near =
      named === undefined
        ? await findUp(dirname(output.folder), "tsconfig.json")
        : null;
    const paths =
      named === undefined
        ? [near?.path]
        : [named].flat().map((path) => resolve(directory, path));
    for (const path of paths) {
      if (path === undefined) {
        const message = `no tsconfig.json was found above ${output.out}, so its program is not compared`;
        diagnostics.root.note(
          "MG761",
          null,
          message,
          "name it with update.tsconfig in the configuration",
        );
        continue;
      }
      // Outputs that would move to different revisions are compared separately,
      // because each move is a separate decision.
      const key = JSON.stringify([path, output.isMove && output.to]);
      const program = programs.get(key);
      if (program === undefined)
        programs.set(key, { tsconfig: path, outputs: [output] });
      else program.outputs.push(output);
    }
  }
  return [...programs.values()];
}

/**
 * Runs a comparison. Its expected errors become a warning, and the update
 * continues.
 */
async function tryToCompare<T>(
  title: string,
  diagnostics: Diagnostics,
  work: () => Promise<T>,
): Promise<T | null> {
  const attempted = await attempt(title, work);
  if (attempted.ended) return attempted.result;
  const [first] = attempted.diagnostics;
  const reason = first === undefined ? "" : `: ${first.message}`;
  diagnostics.root.warn(
    "MG761",
    null,
    `${title} is not compared${reason}`,
    first?.hint ?? null,
  );
  return null;
}

function relativeTo(folder: string, impact: Impact): Impact {
  return {
    ...impact,
    lines: impact.lines.map((line) => ({
      ...line,
      file: posix.join(folder, line.file),
    })),
  };
}
