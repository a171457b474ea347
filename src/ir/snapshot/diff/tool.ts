import type { Hints, Tool } from "../model.js";
import { compareOthers } from "./entries.js";
import { isRecord } from "../value.js";
import { memberOf, textOf } from "./json.js";
import { under } from "../../diff/path.js";
import type { Delta } from "./classify.js";
import { compareSchemas } from "./schema/index.js";

/** Members that are compared one by one. The others are descriptive. */
const comparedMembers: ReadonlySet<string> = new Set([
  "name",
  "annotations",
  "description",
  "execution",
  "inputSchema",
  "outputSchema",
]);

export function compareTools({ raw: was, hints: before }: Tool, { raw: is, hints: after }: Tool): Delta[] {
  const inputs = compareSchemas(was["inputSchema"] ?? true, is["inputSchema"] ?? true, "input", "caution");
  return [
    ...compareText(textOf(was["description"]), textOf(is["description"])),
    ...compareHints(before, after),
    ...compareTasks(taskSupport(was), taskSupport(is)),
    ...under(".input", inputs),
    ...compareOutputs(was, is),
    ...compareOthers(was, is, comparedMembers),
    ...under(
      ".annotations",
      compareOthers(annotationsOf(was), annotationsOf(is), new Set(hints.map(([, name]) => name))),
    ),
    ...under(".execution", compareOthers(executionOf(was), executionOf(is), new Set(["taskSupport"]))),
  ];
}

/** A model chooses a tool by its description, so a change of this text changes what the model is instructed to do. */
function compareText(was: string | null, is: string | null): Delta[] {
  return was === is ? [] : [{ change: "text-for-models-changed", path: ".description", was, is }];
}

/** The hints: the member, the name on the wire, the default, and the value that is less safe. */
const hints: readonly (readonly [
  member: keyof Hints,
  name: string,
  defaultValue: boolean,
  unsafeValue: boolean,
])[] = [
  ["readOnly", "readOnlyHint", false, false],
  ["destructive", "destructiveHint", true, true],
  ["idempotent", "idempotentHint", false, false],
  ["openWorld", "openWorldHint", true, true],
];

function compareHints(before: Hints, after: Hints): Delta[] {
  return hints.flatMap(([member, name, defaultValue, unsafeValue]): Delta[] => {
    const [was, is] = [before[member], after[member]];
    if (was === is) return [];
    const [oldMeaning, newMeaning] = [was ?? defaultValue, is ?? defaultValue];
    const change =
      oldMeaning === newMeaning
        ? "hint-restated"
        : newMeaning === unsafeValue
          ? "hint-weakened"
          : "hint-strengthened";
    return [{ change, path: `.annotations.${name}`, was: hintText(was), is: hintText(is) }];
  });
}

function hintText(hint: boolean | null): string | null {
  return hint === null ? null : String(hint);
}

function compareTasks(was: string, is: string): Delta[] {
  if (was === is) return [];
  const path = ".execution.taskSupport";
  if (is === "required") return [{ change: "tasks-required", path, was, is }];
  const isRefused = is !== "optional" && (is === "forbidden" || was === "required");
  return [{ change: isRefused ? "tasks-refused" : "tasks-allowed", path, was, is }];
}

function compareOutputs(was: Tool["raw"], is: Tool["raw"]): Delta[] {
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
