import { type SchemaSets, under } from "../../compare/model.js";
import type { JsonRecord, Prompt, Resource, Template } from "../model.js";
import { compareTexts } from "./entries.js";
import { variablesIn } from "../template.js";
import { textOf } from "./json.js";
import { changed, deltaOf, eventOf } from "../../change/delta.js";
import type { Delta } from "../../change/model.js";
import { compareSchemas, type SnapshotSchema } from "./schema.js";

/**
 * A prompt's arguments are an object with a string for each of them. People
 * read their descriptions.
 */
export function comparePrompts(
  sets: SchemaSets,
  before: Prompt,
  after: Prompt,
): Delta[] {
  const schemaOf = ({ input }: Prompt): SnapshotSchema => ({
    key: input ?? "",
    raw: undefined,
  });
  const inputs = compareSchemas(
    sets,
    schemaOf(before),
    schemaOf(after),
    "client",
    "words",
  );
  return [
    ...under(".arguments", inputs),
    ...compareTexts(before.raw, after.raw, new Set(["name", "arguments"])),
  ];
}

const comparedMembers: ReadonlySet<string> = new Set([
  "uri",
  "uriTemplate",
  "mimeType",
]);

export function compareResources(before: Resource, after: Resource): Delta[] {
  return [
    ...changed("uri-changed", before.uri, after.uri, ".uri"),
    ...compareContents(before.raw, after.raw),
  ];
}

export function compareTemplates(before: Template, after: Template): Delta[] {
  return [
    ...compareVariables(before, after),
    ...compareContents(before.raw, after.raw),
  ];
}

/**
 * Code that expands the older template creates URIs that the newer one does not
 * match.
 */
function compareVariables(old: Template, fresh: Template): Delta[] {
  if (old.template === fresh.template) return [];
  const path = ".uriTemplate";
  const [before, after] = [
    variablesIn(old.parts ?? []),
    variablesIn(fresh.parts ?? []),
  ];
  const removed = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  if (removed.length + added.length === 0)
    return changed("uri-changed", old.template, fresh.template, path);
  return [
    ...removed.map((name) => deltaOf("variable-removed", name, null, path)),
    ...added.map((name) => deltaOf("variable-added", null, name, path)),
  ];
}

/** Compares the media type and the other members. */
function compareContents(old: JsonRecord, fresh: JsonRecord): Delta[] {
  const [before, after] = [textOf(old["mimeType"]), textOf(fresh["mimeType"])];
  return [
    ...changed(
      `mime-type-${eventOf(before, after)}`,
      before,
      after,
      ".mimeType",
    ),
    ...compareTexts(old, fresh, comparedMembers),
  ];
}
