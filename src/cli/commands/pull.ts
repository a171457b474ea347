import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Diagnostics } from "../../diagnostics.js";
import { readSnapshot } from "../../read/snapshot/index.js";
import type { Command } from "../commands.js";
import { exitCodes, Fault, usageFault } from "../fault.js";
import { liveSource, pullSnapshot } from "../live/snapshot.js";
import { formatBytes, tellDiagnostics, visible } from "../terminal.js";

export const run: Command = async (_words, flags, terminal) => {
  const out = flags.text("out");
  if (liveSource(flags) === null) {
    throw usageFault(
      "MG705",
      "which server is to be read?",
      'say --stdio "<command>" or --module <file#export>',
    );
  }
  if (out === null) throw usageFault("MG705", "where is the snapshot to go?", "say -o <name>.mcp.json");
  const text = await pullSnapshot(flags, terminal);
  const path = resolve(terminal.directory, out);
  const current = await readOrNull(path);
  const isCurrent = current === text;
  const diagnostics = new Diagnostics();
  const surface = await readSnapshot(text, { file: out, name: out }, diagnostics);
  const check = flags.on("check");
  if (!check && !isCurrent) {
    if (current !== null && !flags.on("force") && !isSnapshot(current)) {
      throw usageFault(
        "MG802",
        `${out} is no snapshot, and would be written over`,
        "choose another -o, or say --force",
      );
    }
    await replace(path, text);
  }
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  const state = isCurrent ? "unchanged" : check ? "stale" : "written";
  if (flags.on("json")) {
    const counts = {
      tools: surface?.tools.length ?? 0,
      prompts: surface?.prompts.length ?? 0,
      resources: surface?.resources.length ?? 0,
      resourceTemplates: surface?.templates.length ?? 0,
    };
    const report = {
      ok: !check || isCurrent,
      out,
      state,
      revision: surface?.revision ?? null,
      ...counts,
      diagnostics: diagnostics.list,
    };
    await terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  }
  if (!flags.on("quiet")) {
    const size = formatBytes(Buffer.byteLength(text));
    terminal.tell(visible(`${out}: ${state}, ${size}, revision ${surface?.revision ?? "unknown"}\n`));
  }
  return check && !isCurrent ? exitCodes.found : exitCodes.done;
};

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return null;
  }
}

/** What is there may only be written over when it is an older snapshot. */
function isSnapshot(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "format" in value && "tools" in value;
  } catch {
    return false;
  }
}

/** The whole file or none of it. */
async function replace(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, text, { flag: "wx" });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault([
      {
        code: "MG810",
        severity: "error",
        message: `the snapshot cannot be written: ${reason}`,
        hint: null,
        location: null,
        within: [],
      },
    ]);
  }
}
