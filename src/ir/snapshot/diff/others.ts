import type { Json, JsonRecord, Prompt, Resource, Template } from "../model.js";
import { compareOthers } from "./entries.js";
import { isRecord } from "../value.js";
import { variablesIn } from "../walk.js";
import { listOf, textOf } from "./json.js";
import { under } from "../../diff/place.js";
import type { Finding } from "./judge.js";
import { compareSchemas } from "./schema/index.js";

/** A prompt's arguments are texts by name, which a client gives. */
export function comparePrompts({ raw: was }: Prompt, { raw: is }: Prompt): Finding[] {
  const inputs = compareSchemas(argumentsOf(was), argumentsOf(is), "input", "words");
  return [...under(".arguments", inputs), ...compareOthers(was, is, new Set(["name", "arguments"]))];
}

function argumentsOf({ arguments: list }: JsonRecord): Json {
  const named = listOf(list).flatMap((entry): (readonly [string, JsonRecord])[] => {
    const name = isRecord(entry) ? textOf(entry["name"]) : null;
    return name === null || !isRecord(entry) ? [] : [[name, entry]];
  });
  const properties = named.map(([name, entry]) => {
    const words = Object.entries(entry).filter(([member]) => member !== "name" && member !== "required");
    return [name, { ...Object.fromEntries(words), type: "string" }] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: named.filter(([, entry]) => entry["required"] === true).map(([name]) => name),
  };
}

const told: ReadonlySet<string> = new Set(["uri", "uriTemplate", "mimeType"]);

export function compareResources(was: Resource, is: Resource): Finding[] {
  const moved: Finding[] =
    was.uri === is.uri ? [] : [{ change: "uri-changed", path: ".uri", was: was.uri, is: is.uri }];
  return [...moved, ...compareContents(was.raw, is.raw)];
}

export function compareTemplates(was: Template, is: Template): Finding[] {
  return [...compareVariables(was, is), ...compareContents(was.raw, is.raw)];
}

/** Whoever expands the older template asks for URIs that the newer one does not match. */
function compareVariables(was: Template, is: Template): Finding[] {
  if (was.template === is.template) return [];
  const path = ".uriTemplate";
  const [before, after] = [variablesIn(was.parts ?? []), variablesIn(is.parts ?? [])];
  const gone = before.filter((name) => !after.includes(name));
  const come = after.filter((name) => !before.includes(name));
  if (gone.length + come.length === 0)
    return [{ change: "uri-changed", path, was: was.template, is: is.template }];
  return [
    ...gone.map((name): Finding => ({ change: "variable-removed", path, was: name, is: null })),
    ...come.map((name): Finding => ({ change: "variable-added", path, was: null, is: name })),
  ];
}

/** What a resource is said to hold. */
function compareContents(was: JsonRecord, is: JsonRecord): Finding[] {
  const [before, after] = [textOf(was["mimeType"]), textOf(is["mimeType"])];
  const change =
    before === null ? "mime-type-added" : after === null ? "mime-type-removed" : "mime-type-changed";
  const types: Finding[] = before === after ? [] : [{ change, path: ".mimeType", was: before, is: after }];
  return [...types, ...compareOthers(was, is, told)];
}
