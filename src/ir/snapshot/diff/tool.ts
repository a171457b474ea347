import type { Hints, Tool } from "../model.js";
import { compareOthers } from "./entries.js";
import { isRecord } from "../value.js";
import { memberOf, textOf } from "./json.js";
import { under } from "../../diff/place.js";
import type { Finding } from "./judge.js";
import { compareSchemas } from "./schema/index.js";

/** Members that are compared one by one; what is left is words. */
const told: ReadonlySet<string> = new Set([
  "name",
  "annotations",
  "description",
  "execution",
  "inputSchema",
  "outputSchema",
]);

export function compareTools({ raw: was, hints: before }: Tool, { raw: is, hints: after }: Tool): Finding[] {
  const inputs = compareSchemas(was["inputSchema"] ?? true, is["inputSchema"] ?? true, "input", "caution");
  return [
    ...compareText(textOf(was["description"]), textOf(is["description"])),
    ...compareHints(before, after),
    ...compareTasks(taskSupport(was), taskSupport(is)),
    ...under(".input", inputs),
    ...compareOutputs(was, is),
    ...compareOthers(was, is, told),
    ...under(
      ".annotations",
      compareOthers(annotationsOf(was), annotationsOf(is), new Set(hints.map(([, name]) => name))),
    ),
    ...under(".execution", compareOthers(executionOf(was), executionOf(is), new Set(["taskSupport"]))),
  ];
}

/** The text by which a model chooses a tool: a change of it is a change of what the model is told to do. */
function compareText(was: string | null, is: string | null): Finding[] {
  return was === is ? [] : [{ change: "text-for-models-changed", path: ".description", was, is }];
}

/** A hint with its name on the wire, what silence means, and the answer that asks for the greater care. */
const hints: readonly (readonly [member: keyof Hints, name: string, silence: boolean, careful: boolean])[] = [
  ["readOnly", "readOnlyHint", false, false],
  ["destructive", "destructiveHint", true, true],
  ["idempotent", "idempotentHint", false, false],
  ["openWorld", "openWorldHint", true, true],
];

function compareHints(before: Hints, after: Hints): Finding[] {
  return hints.flatMap(([member, name, silence, careful]): Finding[] => {
    const [was, is] = [before[member], after[member]];
    if (was === is) return [];
    const [meant, means] = [was ?? silence, is ?? silence];
    const change =
      meant === means ? "hint-restated" : means === careful ? "hint-weakened" : "hint-strengthened";
    return [{ change, path: `.annotations.${name}`, was: shown(was), is: shown(is) }];
  });
}

function shown(hint: boolean | null): string | null {
  return hint === null ? null : String(hint);
}

function compareTasks(was: string, is: string): Finding[] {
  if (was === is) return [];
  const path = ".execution.taskSupport";
  if (is === "required") return [{ change: "tasks-required", path, was, is }];
  const isLost = is === "forbidden" || was === "required";
  return [{ change: isLost && is !== "optional" ? "tasks-refused" : "tasks-allowed", path, was, is }];
}

function compareOutputs(was: Tool["raw"], is: Tool["raw"]): Finding[] {
  const [before, after] = [was["outputSchema"], is["outputSchema"]];
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ change: "output-promised", path: ".output", was: null, is: null }];
  if (after === undefined) return [{ change: "output-withdrawn", path: ".output", was: null, is: null }];
  return under(".output", compareSchemas(before, after, "output", "words"));
}

function taskSupport(raw: Tool["raw"]): string {
  return textOf(memberOf(raw["execution"], "taskSupport")) ?? "forbidden";
}

function annotationsOf(raw: Tool["raw"]): Tool["raw"] {
  return recordOf(raw, "annotations");
}

function executionOf(raw: Tool["raw"]): Tool["raw"] {
  return recordOf(raw, "execution");
}

function recordOf(raw: Tool["raw"], name: string): Tool["raw"] {
  const value = memberOf(raw, name);
  return isRecord(value) ? value : {};
}
