import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { watch as watchFiles, type FSWatcher } from "chokidar";
import { findConfig } from "./config/find.js";
import { loadConfig } from "./config/load.js";
import { Interruption, usageError } from "./command-error.js";
import type { Flags } from "./flag-specs.js";
import { visible, type Terminal } from "./terminal.js";

/** The time without changes before a run starts, in milliseconds, because editors write a file in several steps. */
const settleTime = 120;

/**
 * Runs a command, and again after each change of its inputs. Errors do not end it; an interrupt does.
 *
 * @throws Interruption when the user interrupts
 */
export async function watch(
  run: () => Promise<unknown>,
  words: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<never> {
  if ((["url", "stdio", "module"] as const).some((name) => flags.text(name) !== null)) {
    throw usageError("MG705", "--watch needs files, not a server", "pull a snapshot, and watch its file");
  }
  const first = await inputsOf(words, flags, terminal);
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
  const watched = new Set(first);
  const stop = (): void => changes.end();
  terminal.signal.addEventListener("abort", stop, { once: true });
  // Started before the first run, so that no change is missed.
  let watcher = await watcherOn([...watched], changes, terminal);
  try {
    do {
      await run();
      if (terminal.signal.aborted) break;
      // A configuration may name other files after a change.
      const newPaths = (await inputsOf(words, flags, terminal)).filter((path) => !watched.has(path));
      if (newPaths.length > 0) {
        newPaths.forEach((path) => watched.add(path));
        await watcher.close();
        watcher = await watcherOn([...watched], changes, terminal);
        // A change before the file was watched causes one more run.
        changes.note();
        continue;
      }
      if (!flags.on("quiet"))
        terminal.tell(terminal.style.dim("watching for changes; press Ctrl-C to stop\n"));
    } while (await changes.next());
  } finally {
    terminal.signal.removeEventListener("abort", stop);
    await watcher.close();
  }
  throw new Interruption("stopped watching");
}

/** A watcher that has begun to watch. */
async function watcherOn(paths: string[], changes: Changes, terminal: Terminal): Promise<FSWatcher> {
  const watcher = watchFiles(paths, { ignoreInitial: true });
  watcher.on("all", () => changes.note());
  watcher.on("error", (error) => {
    terminal.tell(`${visible(`a file cannot be watched: ${String(error)}`)}\n`);
  });
  await new Promise<void>((ready) => void watcher.once("ready", ready));
  return watcher;
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

/** The files and folders that a run reads and that may change: schemas, snapshots, templates, the configuration. */
async function inputsOf(words: readonly string[], flags: Flags, { directory }: Terminal): Promise<string[]> {
  const named = [...words, flags.text("schema"), flags.text("templates")];
  const paths = [...named.filter((path) => path !== null), ...pathsIn(flags.list("extension"))];
  const isConfigured = paths.length === 0 && flags.text("version") === null;
  const inputPaths = isConfigured ? await configuredInputs(flags, directory) : paths;
  const inputs = await Promise.all(inputPaths.map((path) => schemaFiles(resolve(directory, path))));
  return [...new Set(inputs.flat())];
}

async function configuredInputs(flags: Flags, directory: string): Promise<string[]> {
  const path = await findConfig(flags.text("config"), directory);
  if (path === null) return [];
  try {
    const { config, directory: folder } = await loadConfig(path);
    const { generate = [], servers = [] } = config;
    const jobs = [...generate, ...servers];
    const paths = [
      ...generate.map(({ schema }) => schema),
      ...generate.flatMap(({ extension = [] }) => pathsIn([extension].flat())),
      ...servers.map(({ snapshot }) => snapshot),
      ...jobs.map(({ templates }) => templates),
    ];
    return [path, ...paths.filter((input) => input !== undefined).map((input) => resolve(folder, input))];
  } catch {
    // The run reports its own errors; after they are fixed, all inputs are watched.
    return [path];
  }
}

/** The extensions that are paths of schemas; the others are names of bundled or pinned ones. */
function pathsIn(extensions: readonly string[]): readonly string[] {
  const words = extensions.flatMap((text) => text.split(",")).map((word) => word.trim());
  return words.filter((word) => /[/\\.]/.test(word));
}

/** The schema files of a folder: generated files may be in the same folder. */
async function schemaFiles(path: string): Promise<string[]> {
  const names = ["schema.ts", "schema.json"].map((name) => join(path, name));
  const files = await Promise.all(names.map((name) => stat(name).catch(() => null)));
  return files.some((file) => file !== null) ? names : [path];
}
