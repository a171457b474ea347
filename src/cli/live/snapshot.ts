import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pull, PullRefused } from "../../read/live/pull.js";
import { exitCodes, Fault, Interruption, usageFault } from "../fault.js";
import type { Flags } from "../flags.js";
import { visible, type Terminal } from "../terminal.js";
import { type Carrier, loadLive, ourInfo } from "./module.js";
import { splitCommand } from "./split.js";

const sources = ["stdio", "module"] as const;

/** Which of the flags names a live server; null when none does. */
export function liveSource(flags: Flags): (typeof sources)[number] | null {
  const given = sources.filter((name) => flags.text(name) !== null);
  if (given.length > 1) {
    throw usageFault("MG705", `--${given.join(" and --")} name two servers`, "name one of them");
  }
  return given[0] ?? null;
}

/** Takes a snapshot of the server that the flags name. */
export async function pullSnapshot(flags: Flags, terminal: Terminal): Promise<string> {
  const source = liveSource(flags);
  const quiet = flags.on("quiet");
  const live = await loadLive();
  const carrier =
    source === "module" ? await moduleCarrier(flags.text("module") ?? "", terminal) : stdioCarrier();
  const client = await reached(() => live.connect(carrier, { info: ourInfo() }), terminal);
  try {
    return await reached(
      () =>
        pull(client, {
          signal: terminal.signal,
          onPage: (what, count) => (quiet ? undefined : terminal.tell(`${what}: ${count}\n`)),
        }),
      terminal,
    );
  } finally {
    await client.close();
  }

  function stdioCarrier(): Carrier {
    const [command, ...args] = splitCommand(flags.text("stdio") ?? "") ?? [];
    if (command === undefined) {
      throw usageFault("MG702", "--stdio is no command line", 'for example --stdio "node server.js"');
    }
    // Told before it is done: a command runs with the user's own rights.
    if (!quiet)
      terminal.tell(
        visible(`starting ${[command, ...args].map((word) => JSON.stringify(word)).join(" ")}\n`),
      );
    return live.stdio(command, args);
  }

  async function moduleCarrier(text: string, { directory }: Terminal): Promise<Carrier> {
    const [ours, theirs] = live.memoryPair();
    const server = await loadServer(text, directory);
    await reached(() => live.serve(theirs, server), terminal);
    return ours;
  }
}

/** `./server.js#server`: the export of a module of the user's own, which is run for it. */
async function loadServer(text: string, directory: string): Promise<unknown> {
  const [file = "", name = "default"] = text.split("#");
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(resolve(directory, file)).href)) as Readonly<
      Record<string, unknown>
    >;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageFault("MG706", `the module ${file} cannot be loaded: ${reason}`, "name a JavaScript module");
  }
  const found = Object.hasOwn(module, name) ? module[name] : undefined;
  const isServer = (value: unknown): boolean =>
    typeof value === "object" && value !== null && "core" in value;
  if (isServer(found) || (Array.isArray(found) && found.length > 0 && found.every(isServer))) return found;
  const names = Object.keys(module).join(", ");
  throw usageFault(
    "MG706",
    `the export "${name}" of ${file} is no server`,
    names === "" ? "the module exports nothing" : `it exports ${names}; say ${file}#name`,
  );
}

/** Whatever goes wrong between us and a server is told in a sentence, with an exit code of its own. */
async function reached<T>(work: () => Promise<T>, { signal }: Terminal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw new Interruption("interrupted; nothing was written");
    const isRefusal = error instanceof PullRefused;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault(
      [
        {
          code: isRefusal ? "MG731" : "MG730",
          severity: "error",
          message: isRefusal
            ? `the snapshot was given up: ${reason}`
            : `the server cannot be read: ${reason}`,
          hint: isRefusal
            ? null
            : "see that the command starts a server, and what it says on its standard error",
          location: null,
          within: [],
        },
      ],
      exitCodes.unreachable,
    );
  }
}
