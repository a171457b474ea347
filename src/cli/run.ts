import { SchemaError } from "../generator/diagnostics.js";
import { diskError } from "../generator/emit/write/disk.js";
import { toolVersion } from "../generator/inputs/package.js";
import { addOnsInUse } from "./add-ons.js";
import { exitCodes, CommandError, Interruption } from "./command-error.js";
import type { Context } from "./command.js";
import { parseArguments } from "./flags.js";
import { printReport, printText } from "./print.js";
import {
  printJson,
  printDiagnostics,
  printed,
  type Terminal,
  visible,
} from "./terminal.js";

/**
 * Runs one command line and returns its exit code. Expected errors are printed
 * as diagnostics; a bug is printed with its stack.
 */
export async function run(
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const request = parseArguments(argv);
    if (request.kind === "own version") {
      await terminal.out(`${toolVersion()}\n`);
      return exitCodes.done;
    }
    if (request.kind === "complete") {
      const { candidatesFor } = await import("./complete.js");
      const candidates = await candidatesFor(request.line, terminal.directory);
      await terminal.out(
        candidates.map(({ text, about }) => `${text}\t${about}\n`).join(""),
      );
      return exitCodes.done;
    }
    if (request.kind === "help") {
      const { helpText } = await import("./help.js");
      await terminal.out(
        `${await helpText(request.command, terminal.columns)}\n`,
      );
      return exitCodes.done;
    }
    const { operands, flags } = request;
    const { run: command } = await request.command.load();
    const context = contextOf(
      terminal,
      flags.on("quiet"),
      flags.on("markdown"),
    );
    const runOnce = async (): Promise<number> => {
      const report = await command(operands, flags, context, terminal).finally(
        () => context.status(null),
      );
      await printReport(report, terminal, {
        json: flags.on("json"),
        markdown: flags.on("markdown"),
        quiet: flags.on("quiet"),
      });
      return report.exitCode;
    };
    if (!flags.on("watch")) return await runOnce();
    const { watch, watchedRun } = await import("./watch.js");
    const watched = watchedRun(terminal);
    if (watched === null) return await watch(operands, flags, terminal);
    const code = await runOnce().catch((error: unknown) =>
      printError(error, argv, terminal),
    );
    await watched.sendInputs(operands, flags, terminal);
    return code;
  } catch (error) {
    return await printError(error, argv, terminal);
  }
}

function contextOf(
  terminal: Terminal,
  quiet: boolean,
  markdown: boolean,
): Context {
  return {
    directory: terminal.directory,
    addOns: addOnsInUse,
    signal: terminal.signal,
    report: (part) => printText(part, terminal, quiet, markdown),
    progress: (text) => {
      if (!quiet) terminal.print(text);
    },
    status: (text) => {
      // A status may name what a server or a file contains.
      if (!quiet)
        terminal.status(
          text === null ? null : visible(text).replaceAll("\n", " "),
        );
    },
    relay: (text) => terminal.print(text),
  };
}

async function printError(
  thrown: unknown,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  // A disk that fails is no bug.
  const isOfDisk = thrown instanceof Error && "path" in thrown;
  const error = isOfDisk ? diskError(thrown) : thrown;
  if (error instanceof Interruption) {
    terminal.print(printed(`${error.message}\n`));
    return exitCodes.interrupted;
  }
  if (error instanceof SchemaError) {
    if (argv.includes("--json")) {
      await printJson(terminal, { ok: false, diagnostics: error.diagnostics });
    }
    printDiagnostics(terminal, error.diagnostics);
    return error instanceof CommandError ? error.exitCode : exitCodes.usage;
  }
  terminal.print(printed(`${bugReport(error)}\n`));
  return exitCodes.usage;
}

/** The only place that prints a stack. */
export function bugReport(error: unknown): string {
  const stack = error instanceof Error ? error.stack : error;
  return `${String(stack)}\nThis is a bug in mcpgen${versionIfKnown()}: please report it, with the command and the lines above.`;
}

/**
 * A broken installation is reported as a bug too, and may not know its version.
 */
function versionIfKnown(): string {
  try {
    return ` ${toolVersion()}`;
  } catch {
    return "";
  }
}
