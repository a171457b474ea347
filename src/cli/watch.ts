import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { watch as watchFiles, type FSWatcher } from "chokidar";
import { findConfig } from "./config/find.js";
import { loadConfig } from "./config/load.js";
import { Interruption, usageError } from "./command-error.js";
import type { Flags } from "./flags.js";
import { visible, type Terminal } from "./terminal.js";

/** How long nothing may have changed before a run begins, in milliseconds: editors write a file in several steps. */
const quietTime = 120;

/**
 * Runs a command, and again whenever something that it reads has changed. No fault ends it; an interrupt does.
 *
 * @throws Interruption once the user has enough.
 */
export async function watch(
  round: () => Promise<unknown>,
  words: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<never> {
  if ((["url", "stdio", "module"] as const).some((name) => flags.text(name) !== null)) {
    throw usageError(
      "MG705",
      "--watch is for files, and a server is none",
      "pull a snapshot, and watch that",
    );
  }
  const first = await inputsOf(words, flags, terminal);
  if (first.length === 0) {
    throw flags.text("version") === null
      ? usageError(
          "MG740",
          "there is no configuration, so there is nothing to watch",
          "mcpgen init writes one; --schema names a file to watch",
        )
      : usageError(
          "MG705",
          "there is nothing to watch: a bundled revision does not change",
          "leave --watch out, or name a --schema or --templates of your own",
        );
  }
  const changes = new Changes();
  const watched = new Set(first);
  const stop = (): void => changes.end();
  terminal.signal.addEventListener("abort", stop, { once: true });
  // What changes while the first run is under way must not be missed.
  let watcher = await watcherOn([...watched], changes, terminal);
  try {
    do {
      await round();
      if (terminal.signal.aborted) break;
      // A configuration may name other files by now.
      const added = (await inputsOf(words, flags, terminal)).filter((path) => !watched.has(path));
      if (added.length > 0) {
        added.forEach((path) => watched.add(path));
        await watcher.close();
        watcher = await watcherOn([...watched], changes, terminal);
        // What has changed before it was watched is seen by one more run.
        changes.note();
        continue;
      }
      if (!flags.on("quiet")) terminal.tell(terminal.style.dim("watching for changes; Ctrl-C ends it\n"));
    } while (await changes.next());
  } finally {
    terminal.signal.removeEventListener("abort", stop);
    await watcher.close();
  }
  throw new Interruption("no longer watching");
}

/** A watcher that has begun to watch. */
async function watcherOn(paths: string[], changes: Changes, terminal: Terminal): Promise<FSWatcher> {
  const watcher = watchFiles(paths, { ignoreInitial: true });
  watcher.on("all", () => changes.note());
  watcher.on("error", (error) => {
    terminal.tell(`${visible(`something cannot be watched: ${String(error)}`)}\n`);
  });
  await new Promise<void>((ready) => void watcher.once("ready", ready));
  return watcher;
}

/** Changes that come in bursts, each burst told once it is over. */
class Changes {
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isEnded = false;
  #wake: () => void = () => undefined;

  note(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#wake();
    }, quietTime);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#isEnded = true;
    this.#wake();
  }

  /** Resolves once something has changed since the last time; with false when nobody waits for changes any more. */
  async next(): Promise<boolean> {
    while (!this.#isOver && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isOver = false;
    return !this.#isEnded;
  }
}

/** The files and folders that a run reads and that may change: schemas, snapshots, templates, the configuration. */
async function inputsOf(words: readonly string[], flags: Flags, { directory }: Terminal): Promise<string[]> {
  const named = [...words, flags.text("schema"), flags.text("templates")].filter((path) => path !== null);
  const isConfigured = named.length === 0 && flags.text("version") === null;
  const own = isConfigured ? await configuredInputs(flags, directory) : named;
  const inputs = await Promise.all(own.map((path) => schemaFiles(resolve(directory, path))));
  return [...new Set(inputs.flat())];
}

async function configuredInputs(flags: Flags, directory: string): Promise<string[]> {
  const path = await findConfig(flags.text("config"), directory);
  if (path === null) return [];
  try {
    const { config, directory: folder } = await loadConfig(path);
    const { generate = [], servers = [] } = config;
    const jobs = [...generate, ...servers];
    const named = [
      ...generate.map(({ schema }) => schema),
      ...servers.map(({ snapshot }) => snapshot),
      ...jobs.map(({ templates }) => templates),
    ];
    return [path, ...named.filter((input) => input !== undefined).map((input) => resolve(folder, input))];
  } catch {
    // The run itself tells what is wrong with it; once it is mended, the rest is watched too.
    return [path];
  }
}

/** Of a folder with a schema, the schema: generated files may stand beside it. */
async function schemaFiles(path: string): Promise<string[]> {
  const names = ["schema.ts", "schema.json"].map((name) => join(path, name));
  const found = await Promise.all(names.map((name) => stat(name).catch(() => null)));
  return found.some((file) => file !== null) ? names : [path];
}
