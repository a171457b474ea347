import { type SchemaSets, under } from "../../compare/model.js";
import type { Hints, Json, Tool } from "../model.js";
import { compareTexts } from "./entries.js";
import { isRecord } from "../../json/value.js";
import { memberOf, textOf } from "./json.js";
import { changed, deltaOf } from "../../change/delta.js";
import type { Delta } from "../../change/model.js";
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

export function compareTools(
  sets: SchemaSets,
  old: Tool,
  fresh: Tool,
): Delta[] {
  const [before, after] = [old.raw, fresh.raw];
  const inputs = compareSchemas(
    sets,
    { key: old.input, raw: before["inputSchema"] },
    { key: fresh.input, raw: after["inputSchema"] },
    "client",
  );
  // A model chooses a tool by its description, so a change of this text
  // changes what the model is instructed to do.
  const description = changed(
    "text-for-models-changed",
    textOf(before["description"]),
    textOf(after["description"]),
    ".description",
  );
  return [
    ...description,
    ...compareHints(old.hints, fresh.hints),
    ...compareTasks(taskSupport(before), taskSupport(after)),
    ...under(".input", inputs),
    ...compareOutputs(sets, old, fresh),
    ...compareTexts(before, after, comparedMembers),
    ...comparePart(
      "annotations",
      before,
      after,
      hints.map(([, name]) => name),
    ),
    ...comparePart("execution", before, after, ["taskSupport"]),
  ];
}

/**
 * The hints: the member, the name on the wire, the default, and the value that
 * is less safe.
 */
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
    const [oldMeaning, newMeaning] = [
      old ?? defaultValue,
      fresh ?? defaultValue,
    ];
    const change =
      oldMeaning === newMeaning
        ? "hint-restated"
        : newMeaning === unsafeValue
          ? "hint-weakened"
          : "hint-strengthened";
    return [
      deltaOf(change, hintText(old), hintText(fresh), `.annotations.${name}`),
    ];
  });
}

function hintText(hint: boolean | null): string | null {
  return hint === null ? null : String(hint);
}

function compareTasks(before: string, after: string): Delta[] {
  const isRefused =
    after !== "optional" && (after === "forbidden" || before === "required");
  const change =
    after === "required"
      ? "tasks-required"
      : isRefused
        ? "tasks-refused"
        : "tasks-allowed";
  return changed(change, before, after, ".execution.taskSupport");
}

function compareOutputs(sets: SchemaSets, old: Tool, fresh: Tool): Delta[] {
  const [before, after] = [old.output, fresh.output];
  if (before === null && after === null) return [];
  if (before === null)
    return [deltaOf("output-promised", null, null, ".output")];
  if (after === null)
    return [deltaOf("output-withdrawn", null, null, ".output")];
  const outputs = compareSchemas(
    sets,
    { key: before, raw: old.raw["outputSchema"] },
    { key: after, raw: fresh.raw["outputSchema"] },
    "server",
  );
  return under(".output", outputs);
}

function taskSupport(raw: Tool["raw"]): string {
  return textOf(memberOf(raw["execution"], "taskSupport")) ?? "forbidden";
}

/**
 * Compares an object of a tool, without the members that are compared one by
 * one.
 */
function comparePart(
  name: string,
  before: Tool["raw"],
  after: Tool["raw"],
  compared: readonly string[],
): Delta[] {
  const [one, other] = [before, after].map((raw) => memberOf(raw, name));
  const recordOf = (value: Json | undefined): Tool["raw"] =>
    isRecord(value) ? value : {};
  return under(
    `.${name}`,
    compareTexts(recordOf(one), recordOf(other), new Set(compared)),
  );
}
