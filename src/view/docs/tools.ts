import type { Hints, Json, JsonRecord, Tool } from "../../ir/snapshot/model.js";
import { badgesIf } from "./badges.js";
import type { BadgeView, EntryView, FactView } from "./entry.js";
import { attribute, markup, text } from "./html.js";
import { headOf, metaExample } from "./entries.js";
import type { Schemas } from "./schemas.js";

export function toolEntry(tool: Tool, schemas: Schemas): EntryView {
  const { anchors } = schemas;
  const head = headOf(tool, tool.name, anchors);
  return {
    ...head,
    anchor: attribute(anchors.claim("tool", tool.name)),
    badges: [...head.badges, ...hintBadges(tool.hints)],
    facts: taskFacts(tool.raw["execution"]),
    tables: [
      schemas.table("Arguments", tool.input),
      ...(tool.output === null ? [] : [schemas.table("Structured result", tool.output)]),
    ],
    examples: [
      ...schemas.example("Example arguments", tool.input),
      ...schemas.example("Example result", tool.output),
      ...metaExample(tool),
    ],
  };
}

/** Destructive and idempotent hints have a meaning only for tools that change something. */
function hintBadges({ readOnly, destructive, idempotent, openWorld }: Hints): BadgeView[] {
  const mayWrite = readOnly !== true;
  return badgesIf({
    readOnly: readOnly === true,
    writes: readOnly === false,
    destructive: mayWrite && destructive === true,
    additive: mayWrite && destructive === false,
    idempotent: mayWrite && idempotent === true,
    openWorld: openWorld === true,
    closedWorld: openWorld === false,
  });
}

function taskFacts(execution: Json | undefined): FactView[] {
  if (typeof execution !== "object" || execution === null || Array.isArray(execution)) return [];
  const support = (execution as JsonRecord)["taskSupport"];
  return typeof support === "string" ? [{ term: markup`Runs as a task`, value: text(support) }] : [];
}
