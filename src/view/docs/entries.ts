import type { Entry, Json, Prompt, Resource, Template } from "../../ir/snapshot/model.js";
import { variablesIn } from "../../ir/snapshot/template.js";
import type { Code } from "../typescript/code.js";
import type { Anchors } from "./anchors.js";
import { badgesIf } from "./badges.js";
import type { EntryView, ExampleView, FactView } from "./entry.js";
import { attribute, joined, markup, nameText, text } from "./html.js";
import { jsonHtml } from "./json.js";
import { proseOf } from "./prose.js";
import type { Schemas } from "./schemas.js";

export function promptEntry(prompt: Prompt, schemas: Schemas): EntryView {
  const { anchors } = schemas;
  return {
    ...headOf(prompt, prompt.name, anchors),
    anchor: attribute(anchors.claim("prompt", prompt.name)),
    tables: prompt.input === null ? [] : [schemas.table("Arguments", prompt.input)],
    examples: [...schemas.example("Example arguments", prompt.input), ...metaExample(prompt)],
  };
}

export function resourceEntry(resource: Resource, anchors: Anchors): EntryView {
  const { uri, raw } = resource;
  return {
    ...headOf(resource, resource.name, anchors),
    anchor: attribute(anchors.claim("resource", uri)),
    facts: [
      { term: markup`URI`, value: markup`<code>${text(uri)}</code>` },
      ...scalarFact(markup`Media type`, raw["mimeType"]),
      ...scalarFact(markup`Size in bytes`, raw["size"]),
    ],
    examples: metaExample(resource),
  };
}

export function templateEntry(template: Template, anchors: Anchors): EntryView {
  const names = variablesIn(template.parts ?? []).map((name) => markup`<code>${text(name)}</code>`);
  return {
    ...headOf(template, template.name, anchors),
    anchor: attribute(anchors.claim("template", template.template)),
    facts: [
      { term: markup`URI template`, value: markup`<code>${text(template.template)}</code>` },
      ...(names.length === 0 ? [] : [{ term: markup`Variables`, value: joined(names, markup`, `) }]),
      ...scalarFact(markup`Media type`, template.raw["mimeType"]),
    ],
    examples: metaExample(template),
  };
}

/** The common head of tools, prompts, resources and templates. */
export function headOf(entry: Entry, name: string, anchors: Anchors): Omit<EntryView, "anchor"> {
  const { title, description } = entry;
  return {
    name: nameText(name),
    title: title === null || title === name || title.trim() === "" ? null : text(title),
    badges: badgesIf({ deprecated: isDeprecated(entry) }),
    paragraphs: proseOf(description ?? "", anchors),
    facts: [],
    tables: [],
    examples: [],
  };
}

export function isDeprecated({ raw }: Entry): boolean {
  return raw["deprecated"] === true;
}

/** The maximum length of metadata that a page shows. */
const maxMetaLength = 20_000;

/** The metadata of an entry, as an example. */
export function metaExample({ raw }: Entry): ExampleView[] {
  const meta = raw["_meta"];
  if (meta === undefined || JSON.stringify(meta).length > maxMetaLength) return [];
  return [{ title: markup`Metadata`, code: jsonHtml(meta) }];
}

function scalarFact(term: Code, value: Json | undefined): FactView[] {
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [{ term, value: markup`<code>${text(String(value))}</code>` }];
}
