import { basename } from "node:path";
import type { ServerSource } from "../../config.js";
import type { Diagnostics } from "../../generator/diagnostics.js";
import {
  loadSnapshot,
  type SnapshotText,
} from "../../generator/inputs/snapshots.js";
import { snapshotText } from "../../generator/ir/snapshot/text.js";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import { kindOfJson, listedTools } from "../../generator/read/json-kind.js";
import { revisionNames } from "../../generator/read/load.js";
import { latestOf } from "../../generator/read/revisions.js";
import type { Context } from "../command.js";
import { pullSource } from "../live/snapshot.js";
import { stemIn } from "../snapshot-file.js";
import { isAddress, partFor, type Source } from "./find.js";
import type { SourceNeed } from "./kinds.js";

/**
 * The snapshot of a source: its file, or what its server offers now. `flags`
 * say how to connect to the server.
 */
export async function readSnapshotOf(
  source: Source,
  need: SourceNeed,
  flags: ServerSource,
  context: Context,
  diagnostics: Diagnostics,
): Promise<SnapshotText> {
  const { directory, parts } = source;
  if (partFor(need, source) === "snapshot") {
    const path = parts.snapshot ?? "";
    return await asSnapshot(await loadSnapshot(path, directory, diagnostics));
  }
  const server = { ...parts.server, ...flags };
  const text = await pullSource(server, { ...context, directory }, diagnostics);
  const file = isAddress(source) ? "the server's response" : source.text;
  return { text, file, name: "a live server", says: "kinds" };
}

/** A result of `tools/list`, or its message, as a snapshot of a server. */
export async function asSnapshot(whole: SnapshotText): Promise<SnapshotText> {
  const value = parseOrUndefined(whole.text);
  if (!isRecord(value) || kindOfJson(value) !== "tools") return whole;
  const tools = listedTools(value) ?? [];
  const text = snapshotText({
    revision: latestOf(await revisionNames()) ?? "",
    server: { name: stemIn(basename(whole.file)), version: "" },
    capabilities: { tools: {} },
    instructions: null,
    tools: tools.filter(isRecord),
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });
  return { ...whole, text, says: "kinds" };
}
