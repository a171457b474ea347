import { resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../../config.js";
import { Diagnostics } from "../../../diagnostics.js";
import { terminalOf } from "../../config/jobs.js";
import type { LoadedConfig } from "../../config/load.js";
import { exitCodes, Interruption, type ExitCode } from "../../command-error.js";
import type { Flags } from "../../flags.js";
import { pullSource } from "../../live/source.js";
import { surfaceOf } from "../../../sources/snapshots.js";
import { printJson, tellDiagnostics, type Terminal } from "../../terminal.js";
import { attempt, gravestCode, noSource } from "../configured.js";
import { INTERRUPTED } from "../generate/finish.js";
import { pulledLine } from "./line.js";
import { holds, readOrNull, writeSnapshot } from "./write.js";

/** Takes the snapshot of every server of a configuration anew; a server that cannot be read keeps no other from it. */
export async function pullAll(config: LoadedConfig, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const servers = (config.config.servers ?? []).flatMap((server) => {
    return server.source === undefined ? [] : [{ server, source: server.source }];
  });
  if (servers.length === 0) {
    throw noSource(config.file);
  }
  const inside = terminalOf(terminal, config, () => undefined);
  const codes: ExitCode[] = [];
  const reports: unknown[] = [];
  const states = new Set<string>();
  for (const { server, source } of servers) {
    const { snapshot } = server;
    const attempted = await attempt(snapshot, inside, () => pullOne(server, source, flags, inside));
    if (attempted.ended) {
      states.add(attempted.result);
      const isStale = attempted.result === "stale";
      codes.push(isStale ? exitCodes.found : exitCodes.done);
      reports.push({ ok: !isStale, out: snapshot, state: attempted.result });
    } else {
      codes.push(attempted.code);
      reports.push({ ok: false, out: snapshot, diagnostics: attempted.diagnostics });
    }
  }
  const code = gravestCode(codes);
  if (!flags.on("quiet")) terminal.tell(nextStep(states, servers));
  if (flags.on("json")) {
    const report = { ok: code === exitCodes.done, config: config.file, servers: reports };
    await printJson(terminal, report);
  }
  return code;
}

/** What to do now that snapshots have changed. */
function nextStep(states: ReadonlySet<string>, servers: readonly { readonly server: ServerJob }[]): string {
  if (states.has("stale")) return "run mcpgen pull without --check to write what is stale\n";
  const isUsed = servers.some(({ server }) => server.out !== undefined);
  return states.has("written") && isUsed ? "now generate from it: mcpgen\n" : "";
}

async function pullOne(
  { snapshot }: ServerJob,
  source: ServerSource,
  flags: Flags,
  terminal: Terminal,
): Promise<"unchanged" | "stale" | "written"> {
  const quiet = flags.on("quiet");
  const diagnostics = new Diagnostics();
  const text = await pullSource(source, flags, terminal, diagnostics);
  // What cannot be read again is of no use to anybody.
  const surface = await surfaceOf({ text, file: snapshot, name: snapshot }, diagnostics);
  tellDiagnostics(terminal, diagnostics.list, quiet);
  const target = { shown: snapshot, path: resolve(terminal.directory, snapshot) };
  const current = await readOrNull(target.path);
  const state = holds(current, text) ? "unchanged" : flags.on("check") ? "stale" : "written";
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  if (state === "written") await writeSnapshot(target, text, current, flags.on("force"));
  if (!quiet) terminal.tell(pulledLine(snapshot, state, text, surface));
  return state;
}
