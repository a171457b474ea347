import { Diagnostics } from "../../../generator/diagnostics.js";
import { diff } from "../../../generator/ir/diff/index.js";
import type { Protocol } from "../../../generator/ir/model.js";
import type { Comparison } from "../../../generator/ir/change/model.js";
import {
  isBreaking,
  renderMarkdown,
  renderText,
} from "../../../generator/ir/report/render.js";
import { compareSnapshots } from "../../../generator/ir/snapshot/diff/index.js";
import {
  namedExtensions,
  readExtended,
} from "../../../generator/inputs/extensions.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { memberNamesOf } from "../../../generator/view/project/naming.js";
import type { Command, Context } from "../../command.js";
import { readSubjects } from "../../source/subjects.js";
import { exitCodes, usageError } from "../../command-error.js";

export const run: Command = async ([a = "", b = ""], flags, context) => {
  const diagnostics = new Diagnostics();
  const whole = await compare(
    [a, b],
    flags.list("extension"),
    context,
    diagnostics,
  );
  const comparison = flags.on("breaking") ? onlyBreaking(whole) : whole;
  const [listed, count] = flags.on("verbose")
    ? [comparison, ""]
    : withoutRestated(comparison);
  const withCount = (text: string): string =>
    [text, count].filter((part) => part !== "").join("\n");
  return {
    exitCode:
      comparison.differences.length === 0
        ? exitCodes.done
        : exitCodes.checkFailed,
    diagnostics: diagnostics.list,
    json: comparison,
    markdown: () => withCount(renderMarkdown(listed)),
    data: (style) =>
      withCount(
        renderText(listed, "callers", (part, colour) => style[colour](part)),
      ),
  };
};

async function compare(
  words: readonly [string, string],
  extensionNames: readonly string[],
  context: Context,
  diagnostics: Diagnostics,
): Promise<Comparison> {
  const { directory } = context;
  const subjects = await readSubjects(words, context, diagnostics);
  if (subjects.kind === "schemas") {
    const { schemas } = subjects;
    const extensions = await namedExtensions(extensionNames, directory);
    const protocols = await readExtended(schemas, extensions, diagnostics);
    return diff(...(protocols as [Protocol, Protocol]));
  }
  if (extensionNames.length > 0)
    throw usageError(
      "MG705",
      "--extension is for schemas, and both sources are snapshots",
      "remove it",
    );
  const [before, after] = subjects.snapshots as [Snapshot, Snapshot];
  return compareSnapshots(before, after, memberNamesOf);
}

function onlyBreaking(whole: Comparison): Comparison {
  return { ...whole, differences: whole.differences.filter(isBreaking) };
}

/**
 * Replaces changes of a server that have the same meaning by their count. One
 * row says as much as a count.
 */
function withoutRestated(
  whole: Comparison,
): readonly [Comparison, count: string] {
  const differences = whole.differences.filter(
    ({ change }) => change !== "restated" && change !== "hint-restated",
  );
  const count = whole.differences.length - differences.length;
  if (whole.basis !== "snapshot" || count < 2) return [whole, ""];
  return [
    { ...whole, differences },
    `${count} changes have the same meaning in another notation, as far as it can be compared. --verbose lists them for a review.\n`,
  ];
}
