import { type SchemaSets, under } from "../../compare/model.js";
import type { JsonRecord, Prompt, Resource, Template } from "../model.js";
import { compareOthers } from "./entries.js";
import { variablesIn } from "../template.js";
import { textOf } from "./json.js";
import type { Delta } from "./classify.js";
import { compareSchemas, type SnapshotSchema } from "./schema.js";

/** A prompt's arguments are an object with a string for each of them. People read their descriptions. */
export function comparePrompts(sets: SchemaSets, was: Prompt, is: Prompt): Delta[] {
  const schemaOf = ({ input }: Prompt): SnapshotSchema => ({ key: input ?? "", raw: undefined });
  const inputs = compareSchemas(sets, schemaOf(was), schemaOf(is), "input", "words");
  return [...under(".arguments", inputs), ...compareOthers(was.raw, is.raw, new Set(["name", "arguments"]))];
}

const comparedMembers: ReadonlySet<string> = new Set(["uri", "uriTemplate", "mimeType"]);

export function compareResources(was: Resource, is: Resource): Delta[] {
  const uris: Delta[] =
    was.uri === is.uri ? [] : [{ change: "uri-changed", path: ".uri", was: was.uri, is: is.uri }];
  return [...uris, ...compareContents(was.raw, is.raw)];
}

export function compareTemplates(was: Template, is: Template): Delta[] {
  return [...compareVariables(was, is), ...compareContents(was.raw, is.raw)];
}

/** Code that expands the older template creates URIs that the newer one does not match. */
function compareVariables(was: Template, is: Template): Delta[] {
  if (was.template === is.template) return [];
  const path = ".uriTemplate";
  const [before, after] = [variablesIn(was.parts ?? []), variablesIn(is.parts ?? [])];
  const removed = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  if (removed.length + added.length === 0)
    return [{ change: "uri-changed", path, was: was.template, is: is.template }];
  return [
    ...removed.map((name): Delta => ({ change: "variable-removed", path, was: name, is: null })),
    ...added.map((name): Delta => ({ change: "variable-added", path, was: null, is: name })),
  ];
}

/** Compares the media type and the other members. */
function compareContents(was: JsonRecord, is: JsonRecord): Delta[] {
  const [before, after] = [textOf(was["mimeType"]), textOf(is["mimeType"])];
  const change =
    before === null ? "mime-type-added" : after === null ? "mime-type-removed" : "mime-type-changed";
  const types: Delta[] = before === after ? [] : [{ change, path: ".mimeType", was: before, is: after }];
  return [...types, ...compareOthers(was, is, comparedMembers)];
}
