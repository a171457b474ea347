import { Diagnostics } from "../../diagnostics.js";
import type { Surface } from "../../ir/surface/model.js";
import { readSnapshot } from "../../read/snapshot/index.js";
import type { Command } from "../commands.js";
import { exitCodes, CommandError, Interruption, usageError } from "../command-error.js";
import { liveSource } from "../live/place.js";
import { pullSnapshot } from "../live/snapshot.js";
import { printJson, tellDiagnostics } from "../terminal.js";
import { configFor } from "./configured.js";
import { INTERRUPTED } from "./generate/finish.js";
import { pullAll } from "./pull/all.js";
import { pulledLine } from "./pull/line.js";
import { targetOf } from "./pull/target.js";
import { holds, readOrNull, writeSnapshot } from "./pull/write.js";

export const run: Command = async (_words, flags, terminal) => {
  if (liveSource(flags) === null) {
    const config = flags.text("out") === null ? await configFor(flags, terminal) : null;
    if (config !== null) return await pullAll(config, flags, terminal);
    throw usageError(
      "MG705",
      "which server is to be read?",
      'say --url <url>, --stdio "<command>", --config <name> or --module <file#export>; mcpgen init writes a configuration',
    );
  }
  const diagnostics = new Diagnostics();
  const text = await pullSnapshot(flags, terminal, diagnostics);
  const target = await targetOf(flags.text("out"), terminal.directory, nameIn(text));
  const { shown: file } = target;
  const surface = await readSnapshot(text, { file, name: file }, diagnostics);
  // What cannot be read again is of no use to anybody.
  if (surface === null) throw new CommandError(diagnostics.list, exitCodes.unreachable);
  const current = await readOrNull(target.path);
  const isCurrent = holds(current, text);
  const check = flags.on("check");
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  if (!check && !isCurrent) await writeSnapshot(target, text, current, flags.on("force"));
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  const state = isCurrent ? "unchanged" : check ? "stale" : "written";
  if (flags.on("json")) {
    const ok = !check || isCurrent;
    const report = { ok, out: file, state, ...summary(surface), diagnostics: diagnostics.list };
    await printJson(terminal, report);
  }
  if (!flags.on("quiet")) {
    terminal.tell(pulledLine(file, state, text, surface));
    if (state === "stale") terminal.tell("run the same command without --check to write it\n");
  }
  return check && !isCurrent ? exitCodes.found : exitCodes.done;
};

/** What the server calls itself, for the name of a file. */
function nameIn(text: string): string {
  const { server } = JSON.parse(text) as { readonly server: { readonly name?: unknown } };
  return typeof server.name === "string" ? server.name : "";
}

function summary({ revision, tools, prompts, resources, templates }: Surface) {
  return {
    revision,
    tools: tools.length,
    prompts: prompts.length,
    resources: resources.length,
    resourceTemplates: templates.length,
  };
}
