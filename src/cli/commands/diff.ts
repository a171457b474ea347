import { Diagnostics } from "../../diagnostics.js";
import { diff, renderJson, renderMarkdown, renderText } from "../../ir/diff/index.js";
import {
  compareSurfaces,
  renderDriftsJson,
  renderDriftsMarkdown,
  renderDriftsText,
} from "../../ir/surface/diff/index.js";
import type { Command } from "../commands.js";
import { exitCodes, Fault, usageFault } from "../fault.js";
import { isSnapshot, surfaceOf, type SnapshotText } from "../snapshot.js";
import { namedSource, readSource, type Source } from "../source.js";
import { tellDiagnostics, visible } from "../terminal.js";

export const run: Command = async ([a = "", b = ""], flags, terminal) => {
  const diagnostics = new Diagnostics();
  const sources = [await namedSource(a), await namedSource(b)] as const;
  const snapshots = sources.map(snapshotIn);
  const [old, fresh] = snapshots;
  const isJson = flags.on("json");
  const markdown = flags.on("markdown");
  let text: string;
  let isEqual: boolean;
  if (old !== null && fresh !== null && old !== undefined && fresh !== undefined) {
    const comparison = compareSurfaces(
      await surfaceOf(old, diagnostics),
      await surfaceOf(fresh, diagnostics),
    );
    const render = isJson ? renderDriftsJson : markdown ? renderDriftsMarkdown : renderDriftsText;
    text = render(comparison);
    isEqual = comparison.drifts.length === 0;
  } else {
    refuseMixture(
      snapshots.map((snapshot) => snapshot !== null),
      [a, b],
    );
    const comparison = await compareProtocols(sources, diagnostics);
    text = (isJson ? renderJson : markdown ? renderMarkdown : renderText)(comparison);
    isEqual = comparison.differences.length === 0;
  }
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  const safe = isJson ? text : visible(text);
  if (safe !== "") await terminal.out(safe.endsWith("\n") ? safe : `${safe}\n`);
  return isEqual ? exitCodes.done : exitCodes.found;
};

function snapshotIn({ loaded, name, isBundled }: Source): SnapshotText | null {
  if (isBundled || !isSnapshot(loaded.text)) return null;
  return { text: loaded.text, file: loaded.file, name };
}

function refuseMixture(areSnapshots: readonly boolean[], words: readonly string[]): void {
  const snapshot = words[areSnapshots.indexOf(true)];
  const other = words[areSnapshots.indexOf(false)];
  if (snapshot === undefined || other === undefined) return;
  throw usageFault(
    "MG705",
    `${snapshot} is a snapshot of a server, and ${other} is a schema of the protocol`,
    "compare two snapshots, or two schemas",
  );
}

async function compareProtocols(sources: readonly [Source, Source], diagnostics: Diagnostics) {
  const before = await readSource(sources[0], diagnostics);
  const after = await readSource(sources[1], diagnostics);
  // Both are read before either is complained of, so that one run shows the faults of both.
  if (before === null || after === null) throw new Fault(diagnostics.list);
  return diff(before, after);
}
