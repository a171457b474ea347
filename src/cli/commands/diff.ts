import { Diagnostics } from "../../diagnostics.js";
import { diff, renderJson, renderMarkdown, renderText } from "../../ir/diff/index.js";
import {
  compareSnapshots,
  type Drift,
  renderDriftsJson,
  renderDriftsMarkdown,
  renderDriftsText,
} from "../../ir/snapshot/diff/index.js";
import type { Protocol } from "../../ir/model.js";
import type { Command } from "../command.js";
import { memberNamesOf } from "../../view/project/naming.js";
import { exitCodes, usageError } from "../command-error.js";
import { namedExtensions, readExtended } from "../../sources/extensions.js";
import { isSnapshot, parseSnapshot, type SnapshotText } from "../../sources/snapshots.js";
import { namedPair, rejectMixture, type Source } from "../../sources/schemas.js";
import { visible, visibleJson } from "../terminal.js";

export const run: Command = async ([a = "", b = ""], flags, { directory }) => {
  const diagnostics = new Diagnostics();
  const sources = await namedPair(a, b, directory);
  const snapshots = sources.map(snapshotIn);
  const [old, fresh] = snapshots;
  const isJson = flags.on("json");
  const markdown = flags.on("markdown");
  const isBreaking = flags.on("breaking");
  const extensionNames = flags.list("extension");
  let text: string;
  let isEqual: boolean;
  if (old !== null && fresh !== null && old !== undefined && fresh !== undefined) {
    if (extensionNames.length > 0)
      throw usageError("MG705", "--extension is for schemas, and both sources are snapshots", "remove it");
    const whole = compareSnapshots(
      await parseSnapshot(old, diagnostics),
      await parseSnapshot(fresh, diagnostics),
      memberNamesOf,
    );
    const breaks = ({ callers, implementers }: Drift): boolean =>
      callers === "breaking" || implementers === "breaking";
    const comparison = isBreaking ? { ...whole, drifts: whole.drifts.filter(breaks) } : whole;
    const restated = isJson || flags.on("verbose") ? [] : comparison.drifts.filter(isRestated);
    // One row says as much as a count.
    const counted = restated.length > 1 ? restated : [];
    const drifts = comparison.drifts.filter((drift) => !counted.includes(drift));
    const render = isJson ? renderDriftsJson : markdown ? renderDriftsMarkdown : renderDriftsText;
    text = [
      ...(isJson || drifts.length > 0 ? [render({ ...comparison, drifts })] : []),
      ...(counted.length > 0
        ? [
            `${counted.length} changes have the same meaning in another notation, as far as it can be compared. --verbose lists them for a review.\n`,
          ]
        : []),
    ].join("\n");
    isEqual = comparison.drifts.length === 0;
  } else {
    rejectMixture(
      snapshots.map((snapshot) => snapshot !== null),
      [a, b],
    );
    const extensions = await namedExtensions(extensionNames, directory);
    const protocols = await readExtended(sources, extensions, diagnostics);
    const whole = diff(...(protocols as [Protocol, Protocol]));
    const comparison = isBreaking
      ? { ...whole, differences: whole.differences.filter(({ impact }) => impact === "breaking") }
      : whole;
    text = (isJson ? renderJson : markdown ? renderMarkdown : renderText)(comparison);
    isEqual = comparison.differences.length === 0;
  }
  const safe = isJson ? visibleJson(text) : visible(text);
  return {
    kind: "text",
    exitCode: isEqual ? exitCodes.done : exitCodes.checkFailed,
    text: safe === "" || safe.endsWith("\n") ? safe : `${safe}\n`,
    diagnostics: diagnostics.list,
    advice: "",
  };
};

const isRestated = ({ change }: Drift): boolean => change === "restated" || change === "hint-restated";

function snapshotIn({ loaded, name, isBundled }: Source): SnapshotText | null {
  if (isBundled || !isSnapshot(loaded.text)) return null;
  return { text: loaded.text, file: loaded.file, name };
}
