import { Diagnostics } from "../../diagnostics.js";
import { diff } from "../../ir/diff/index.js";
import type { Protocol } from "../../ir/model.js";
import { renderJson, renderMarkdown, renderText, type AnyComparison } from "../../ir/report/render.js";
import { compareSnapshots, type Drift } from "../../ir/snapshot/diff/index.js";
import { namedExtensions, readExtended } from "../../inputs/extensions.js";
import { namedPair, rejectMixture } from "../../inputs/schemas.js";
import { isOfServer, parseSnapshot } from "../../inputs/snapshots.js";
import { memberNamesOf } from "../../view/project/naming.js";
import type { Command } from "../command.js";
import { exitCodes, usageError } from "../command-error.js";
import { paintChanges, visible, visibleJson } from "../terminal.js";

export const run: Command = async ([a = "", b = ""], flags, { directory }, { dataStyle }) => {
  const diagnostics = new Diagnostics();
  const whole = await compare([a, b], flags.list("extension"), directory, diagnostics);
  const comparison = flags.on("breaking") ? onlyBreaking(whole) : whole;
  const isEqual = ("drifts" in comparison ? comparison.drifts : comparison.differences).length === 0;
  const isJson = flags.on("json");
  const render = isJson ? renderJson : flags.on("markdown") ? renderMarkdown : renderText;
  const [listed, count] = isJson || flags.on("verbose") ? [comparison, ""] : withoutRestated(comparison);
  const text = [render(listed), count].filter((part) => part !== "").join("\n");
  return {
    kind: "text",
    exitCode: isEqual ? exitCodes.done : exitCodes.checkFailed,
    text: isJson
      ? visibleJson(text)
      : render === renderText
        ? paintChanges(visible(text), dataStyle)
        : visible(text),
    diagnostics: diagnostics.list,
    advice: "",
  };
};

async function compare(
  names: readonly [string, string],
  extensionNames: readonly string[],
  directory: string,
  diagnostics: Diagnostics,
): Promise<AnyComparison> {
  const [from, to] = await namedPair(...names, directory);
  rejectMixture([from, to].map(isOfServer), names);
  if (!isOfServer(from)) {
    const extensions = await namedExtensions(extensionNames, directory);
    const protocols = await readExtended([from, to], extensions, diagnostics);
    return diff(...(protocols as [Protocol, Protocol]));
  }
  if (extensionNames.length > 0)
    throw usageError("MG705", "--extension is for schemas, and both sources are snapshots", "remove it");
  const before = await parseSnapshot({ ...from.loaded, name: from.name }, diagnostics);
  const after = await parseSnapshot({ ...to.loaded, name: to.name }, diagnostics);
  return compareSnapshots(before, after, memberNamesOf);
}

function onlyBreaking(whole: AnyComparison): AnyComparison {
  if ("drifts" in whole) {
    const breaks = ({ callers, implementers }: Drift): boolean =>
      [callers, implementers].includes("breaking");
    return { ...whole, drifts: whole.drifts.filter(breaks) };
  }
  return { ...whole, differences: whole.differences.filter(({ impact }) => impact === "breaking") };
}

/** Replaces changes of a server that have the same meaning by their count. One row says as much as a count. */
function withoutRestated(whole: AnyComparison): readonly [AnyComparison, count: string] {
  if (!("drifts" in whole)) return [whole, ""];
  const drifts = whole.drifts.filter(({ change }) => change !== "restated" && change !== "hint-restated");
  const count = whole.drifts.length - drifts.length;
  if (count < 2) return [whole, ""];
  return [
    { ...whole, drifts },
    `${count} changes have the same meaning in another notation, as far as it can be compared. --verbose lists them for a review.\n`,
  ];
}
