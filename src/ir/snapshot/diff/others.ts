import { type SchemaSets, under } from "../../compare/model.js";
import type { JsonRecord, Prompt, Resource, Template } from "../model.js";
import { compareOthers } from "./entries.js";
import { variablesIn } from "../template.js";
import { textOf } from "./json.js";
import type { Delta } from "./classify.js";
import { compareSchemas, type SnapshotSchema } from "./schema.js";

/** A prompt's arguments are an object with a string for each of them. People read their descriptions. */
export function comparePrompts(sets: SchemaSets, before: Prompt, after: Prompt): Delta[] {
  const schemaOf = ({ input }: Prompt): SnapshotSchema => ({ key: input ?? "", raw: undefined });
  const inputs = compareSchemas(sets, schemaOf(before), schemaOf(after), "input", "words");
  return [
    ...under(".arguments", inputs),
    ...compareOthers(before.raw, after.raw, new Set(["name", "arguments"])),
  ];
}

const comparedMembers: ReadonlySet<string> = new Set(["uri", "uriTemplate", "mimeType"]);

export function compareResources(before: Resource, after: Resource): Delta[] {
  const uris: Delta[] =
    before.uri === after.uri ? [] : [{ change: "uri-changed", path: ".uri", was: before.uri, is: after.uri }];
  return [...uris, ...compareContents(before.raw, after.raw)];
}

export function compareTemplates(before: Template, after: Template): Delta[] {
  return [...compareVariables(before, after), ...compareContents(before.raw, after.raw)];
}

/** Code that expands the older template creates URIs that the newer one does not match. */
function compareVariables(old: Template, fresh: Template): Delta[] {
  if (old.template === fresh.template) return [];
  const path = ".uriTemplate";
  const [before, after] = [variablesIn(old.parts ?? []), variablesIn(fresh.parts ?? [])];
  const removed = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  if (removed.length + added.length === 0)
    return [{ change: "uri-changed", path, was: old.template, is: fresh.template }];
  return [
    ...removed.map((name): Delta => ({ change: "variable-removed", path, was: name, is: null })),
    ...added.map((name): Delta => ({ change: "variable-added", path, was: null, is: name })),
  ];
}

/** Compares the media type and the other members. */
function compareContents(old: JsonRecord, fresh: JsonRecord): Delta[] {
  const [before, after] = [textOf(old["mimeType"]), textOf(fresh["mimeType"])];
  const change =
    before === null ? "mime-type-added" : after === null ? "mime-type-removed" : "mime-type-changed";
  const types: Delta[] = before === after ? [] : [{ change, path: ".mimeType", was: before, is: after }];
  return [...types, ...compareOthers(old, fresh, comparedMembers)];
}
