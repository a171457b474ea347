import { type SchemaSets, under } from "../../compare/model.js";
import type { Hints, Tool } from "../model.js";
import { compareOthers } from "./entries.js";
import { isRecord } from "../../json/value.js";
import { memberOf, textOf } from "./json.js";
import type { Delta } from "./classify.js";
import { compareSchemas } from "./schema.js";

/** Members that are compared one by one. The others are descriptive. */
const comparedMembers: ReadonlySet<string> = new Set([
  "name",
  "annotations",
  "description",
  "execution",
  "inputSchema",
  "outputSchema",
]);

export function compareTools(sets: SchemaSets, old: Tool, fresh: Tool): Delta[] {
  const [before, after] = [old.raw, fresh.raw];
  const inputs = compareSchemas(
    sets,
    { key: old.input, raw: before["inputSchema"] },
    { key: fresh.input, raw: after["inputSchema"] },
    "input",
  );
  return [
    ...compareText(textOf(before["description"]), textOf(after["description"])),
    ...compareHints(old.hints, fresh.hints),
    ...compareTasks(taskSupport(before), taskSupport(after)),
    ...under(".input", inputs),
    ...compareOutputs(sets, old, fresh),
    ...compareOthers(before, after, comparedMembers),
    ...under(
      ".annotations",
      compareOthers(annotationsOf(before), annotationsOf(after), new Set(hints.map(([, name]) => name))),
    ),
    ...under(".execution", compareOthers(executionOf(before), executionOf(after), new Set(["taskSupport"]))),
  ];
}

/** A model chooses a tool by its description, so a change of this text changes what the model is instructed to do. */
function compareText(before: string | null, after: string | null): Delta[] {
  return before === after
    ? []
    : [{ change: "text-for-models-changed", path: ".description", was: before, is: after }];
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
    const [old, fresh] = [before[member], after[member]];
    if (old === fresh) return [];
    const [oldMeaning, newMeaning] = [old ?? defaultValue, fresh ?? defaultValue];
    const change =
      oldMeaning === newMeaning
        ? "hint-restated"
        : newMeaning === unsafeValue
          ? "hint-weakened"
          : "hint-strengthened";
    return [{ change, path: `.annotations.${name}`, was: hintText(old), is: hintText(fresh) }];
  });
}

function hintText(hint: boolean | null): string | null {
  return hint === null ? null : String(hint);
}

function compareTasks(before: string, after: string): Delta[] {
  if (before === after) return [];
  const path = ".execution.taskSupport";
  if (after === "required") return [{ change: "tasks-required", path, was: before, is: after }];
  const isRefused = after !== "optional" && (after === "forbidden" || before === "required");
  return [{ change: isRefused ? "tasks-refused" : "tasks-allowed", path, was: before, is: after }];
}

function compareOutputs(sets: SchemaSets, old: Tool, fresh: Tool): Delta[] {
  const [before, after] = [old.output, fresh.output];
  if (before === null && after === null) return [];
  if (before === null) return [{ change: "output-promised", path: ".output", was: null, is: null }];
  if (after === null) return [{ change: "output-withdrawn", path: ".output", was: null, is: null }];
  const outputs = compareSchemas(
    sets,
    { key: before, raw: old.raw["outputSchema"] },
    { key: after, raw: fresh.raw["outputSchema"] },
    "output",
  );
  return under(".output", outputs);
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
