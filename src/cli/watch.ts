import { spawn } from "node:child_process";
import { once } from "node:events";
import { unwatchFile, watchFile } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { givenExtension } from "../generator/read/extension-id.js";
import { factsName, schemaNames } from "../generator/read/load.js";
import { findConfig, isData } from "./config/find.js";
import { loadConfig } from "./config/load.js";
import { exitCodes, Interruption, usageError } from "./command-error.js";
import { type Flags, wordsIn } from "./flag-values.js";
import { sourceOptions } from "./options.js";
import { namedSources } from "./source/find.js";
import { modulesOf } from "./user-module.js";
import { printed, type Terminal } from "./terminal.js";

/**
 * The time without changes before a run starts, in milliseconds, because
 * editors write a file in several steps.
 */
const settleTime = 120;
/**
 * The time between two looks at an input, in milliseconds. Unlike events of the
 * system, looks also see a file that is deleted and comes back, as in a switch
 * of branches, with its folder or without.
 */
const pollTime = 200;
/**
 * The maximum time that a run may take to end after an interrupt, in
 * milliseconds.
 */
const maxEnding = 3000;

/**
 * Set for the process of one run, which names its inputs to the process that
 * watches them.
 */
const marker = "MCPGEN_WATCHED";

/**
 * Runs the command line of this process, and again after each change of its
 * inputs. Each run is a process of its own, because modules of the user are
 * loaded once per process. Errors do not end it; an interrupt does.
 *
 * @throws Interruption when the user interrupts
 */
export async function watch(
  operands: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<never> {
  const first = await inputsOf(operands, flags, terminal);
  if (first.length === 0) {
    throw flags.text("version") === null
      ? usageError(
          "MG740",
          "no configuration was found, so there is nothing to watch",
          "mcpgen init creates one; --schema sets a file to watch",
        )
      : usageError(
          "MG705",
          "there is nothing to watch: a bundled revision does not change",
          "remove --watch, or use --schema or --templates",
        );
  }
  const changes = new Changes();
  const watched = new Set<string>();
  const watchAll = (paths: readonly string[]): boolean => {
    const newPaths = paths.filter((path) => !watched.has(path));
    for (const path of newPaths) {
      watched.add(path);
      watchFile(path, { interval: pollTime }, (now, before) => {
        // Called once for a missing file, too.
        if (now.ctimeMs !== before.ctimeMs) changes.note();
      });
    }
    return newPaths.length > 0;
  };
  const stop = (): void => changes.end();
  terminal.signal.addEventListener("abort", stop, { once: true });
  // Started before the first run, so that no change is missed.
  watchAll(first);
  try {
    do {
      const inputs = await runInProcess(terminal.signal);
      if (terminal.signal.aborted) break;
      // A configuration may name other files after a change. A change before a
      // file was watched causes one more run.
      if (watchAll(inputs)) changes.note();
      else if (!flags.on("quiet"))
        terminal.print(
          printed(
            terminal.style.dim("watching for changes; press Ctrl-C to stop\n"),
          ),
        );
    } while (await changes.next());
  } finally {
    terminal.signal.removeEventListener("abort", stop);
    watched.forEach((path) => unwatchFile(path));
  }
  throw new Interruption("stopped watching");
}

/**
 * Runs this command line in a process of its own. Resolves with its inputs;
 * with none if it was ended by a signal.
 */
async function runInProcess(signal: AbortSignal): Promise<readonly string[]> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...process.argv.slice(1)],
    {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...process.env, [marker]: "1" },
    },
  );
  let inputs: readonly string[] = [];
  child.on("message", (paths) => (inputs = paths as readonly string[]));
  const end = (): void => {
    if (child.connected) child.disconnect();
    setTimeout(() => child.kill("SIGKILL"), maxEnding).unref();
  };
  signal.addEventListener("abort", end, { once: true });
  // After disconnect() Node.js emits no "close".
  await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  signal.removeEventListener("abort", end);
  return inputs;
}

/** The process of one run; null in any other process. */
export function watchedRun({ signal }: Terminal) {
  if (process.env[marker] === undefined || process.send === undefined)
    return null;
  // Not for programs that the configuration starts.
  delete process.env[marker];
  process.on("disconnect", () => {
    if (!signal.aborted && !process.emit("SIGINT", "SIGINT"))
      process.exit(exitCodes.interrupted);
  });
  return {
    /** Names the inputs of the run to the process that watches them. */
    sendInputs: async (
      operands: readonly string[],
      flags: Flags,
      terminal: Terminal,
    ): Promise<void> => {
      // The run has reported a configuration that is missing.
      const inputs = await inputsOf(operands, flags, terminal).catch(() => []);
      await new Promise((sent) => process.send?.(inputs, sent));
    },
  };
}

/** Groups changes; a group ends when no change follows for a while. */
class Changes {
  #timer: NodeJS.Timeout | undefined;
  #hasChange = false;
  #isEnded = false;
  #wake: () => void = () => undefined;

  note(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#hasChange = true;
      this.#wake();
    }, settleTime);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#isEnded = true;
    this.#wake();
  }

  /** Resolves after a change; resolves with false after the end of watching. */
  async next(): Promise<boolean> {
    while (!this.#hasChange && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChange = false;
    return !this.#isEnded;
  }
}

/**
 * The files and folders that a run reads and that may change: schemas,
 * snapshots, templates, the configuration.
 */
async function inputsOf(
  operands: readonly string[],
  flags: Flags,
  { directory }: Terminal,
): Promise<string[]> {
  // The flag --config is a configuration here.
  const { config: _, ...server } = sourceOptions(flags);
  const sources = await namedSources("snapshot", operands, server, directory);
  const snapshots = sources.map(({ parts, directory: folder }) => {
    if (parts.snapshot !== undefined) return resolve(folder, parts.snapshot);
    throw usageError(
      "MG705",
      "--watch needs files, not a server",
      "pull a snapshot, and watch its file",
    );
  });
  const named = [flags.text("schema"), flags.text("templates")];
  const paths = [
    ...snapshots,
    ...named.filter((path) => path !== null),
    ...pathsIn(flags.list("extension")),
  ];
  const isConfigured = paths.length === 0 && flags.text("version") === null;
  const inputPaths = isConfigured
    ? await configuredInputs(flags, directory)
    : paths;
  const inputs = await Promise.all(
    inputPaths.map((path) => filesIn(resolve(directory, path))),
  );
  return [...new Set(inputs.flat())];
}

async function configuredInputs(
  flags: Flags,
  directory: string,
): Promise<string[]> {
  const path = await findConfig(flags.text("config"), directory);
  if (path === null) return [];
  const modules = isData(path) ? [path] : await modulesOf(path);
  try {
    const { config, directory: folder } = await loadConfig(path);
    const { generate = [], servers = [] } = config;
    const jobs = [...generate, ...servers];
    const paths = [
      ...generate.map(({ schema }) => schema),
      ...generate.flatMap(({ extension = [] }) => pathsIn(extension)),
      ...servers.map(({ snapshot }) => snapshot),
      ...jobs.map(({ templates }) => templates),
    ];
    return [
      ...modules,
      ...paths
        .filter((input) => input !== undefined)
        .map((input) => resolve(folder, input)),
    ];
  } catch {
    // The run reports its own errors; after they are fixed, all inputs are
    // watched.
    return modules;
  }
}

/**
 * The extensions that are paths of schemas; the others are names of bundled or
 * pinned ones.
 */
function pathsIn(extensions: string | readonly string[]): readonly string[] {
  return wordsIn(extensions)
    .filter((name) => /[/\\.]/.test(name))
    .map((name) => givenExtension(name).place);
}

/**
 * The files to watch for a path. In a folder with a schema: only the schema and
 * its facts, since generated files may be in the same folder. In a folder of
 * templates: all files. For a file: the file and the `facts.json` in its
 * folder, even if it does not exist yet.
 */
async function filesIn(path: string): Promise<string[]> {
  const names = [...schemaNames, factsName].map((name) => join(path, name));
  const files = await Promise.all(
    names.map((name) => stat(name).catch(() => null)),
  );
  if (files.some((file) => file !== null)) return names;
  const inside = await readdir(path, { recursive: true }).catch(() => null);
  if (inside === null) return [path, join(dirname(path), factsName)];
  return [path, ...inside.map((name) => join(path, name))];
}
