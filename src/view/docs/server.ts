import { isRecord } from "../../ir/json/value.js";
import type { Protocol } from "../../ir/model.js";
import type { Entry, Json, JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import type { Code } from "../typescript/code.js";
import { Anchors, type Subject } from "./anchors.js";
import { constantChapters } from "./constants.js";
import type { Chapter, EntryView, FactView } from "./entry.js";
import { attribute, joined, markup, nameText, text } from "./html.js";
import type { Subjects } from "./page.js";
import { proseOf } from "./prose.js";
import { plural } from "./revision.js";
import { isDeprecated, promptEntry, resourceEntry, templateEntry } from "./entries.js";
import { partChapters, Schemas } from "./schemas.js";
import { toolEntry } from "./tools.js";

/**
 * A page on what one server offers.
 *
 * @param protocol the revision of the snapshot, for its error codes; null if it is not known
 */
export function serverPage(snapshot: Snapshot, protocol: Protocol | null): Subjects {
  const { tools, prompts, resources, templates } = snapshot;
  const anchors = new Anchors();
  for (const { name } of tools) anchors.claim("tool", name);
  for (const { name } of prompts) anchors.claim("prompt", name);
  for (const { uri } of resources) anchors.claim("resource", uri);
  for (const { template } of templates) anchors.claim("template", template);
  const schemas = new Schemas(snapshot.definitions, anchors);
  for (const { kind, name } of protocol?.declarations ?? [])
    if (kind === "constant") anchors.claim("constant", name);
  const chapters: Chapter[] = [
    ...chapter(
      "tools",
      "Tools",
      "tool",
      tools,
      ({ name }) => name,
      (tool) => toolEntry(tool, schemas),
      anchors,
    ),
    ...chapter(
      "prompts",
      "Prompts",
      "prompt",
      prompts,
      ({ name }) => name,
      (prompt) => promptEntry(prompt, schemas),
      anchors,
    ),
    ...chapter(
      "resources",
      "Resources",
      "resource",
      resources,
      ({ uri }) => uri,
      (entry) => resourceEntry(entry, anchors),
      anchors,
    ),
    ...chapter(
      "templates",
      "Resource templates",
      "template",
      templates,
      ({ template }) => template,
      (entry) => templateEntry(entry, anchors),
      anchors,
    ),
    ...partChapters(schemas),
    ...(protocol === null ? [] : constantChapters(protocol, anchors).slice(0, 1)),
  ];
  return {
    kind: "MCP server",
    title: titleOf(snapshot),
    paragraphs: instructionParagraphs(proseOf(snapshot.instructions ?? "", anchors)),
    facts: factsOf(snapshot),
    chapters,
  };
}

/** The title of a server. */
export function titleOf({ server, name }: Snapshot): string {
  return stringIn(server, "title") ?? name;
}

/** The instructions under a heading that says that they are for models. */
function instructionParagraphs(paragraphs: readonly Code[]): Code[] {
  if (paragraphs.length === 0) return [];
  return [markup`<span class="kind">Instructions for models</span>`, ...paragraphs];
}

function chapter<E extends Entry>(
  anchor: string,
  title: string,
  subject: Subject,
  list: readonly E[],
  wire: (item: E) => string,
  view: (item: E) => EntryView,
  anchors: Anchors,
): Chapter[] {
  if (list.length === 0) return [];
  const entries = list.map((item) => ({
    link: {
      anchor: attribute(anchors.claim(subject, wire(item))),
      name: nameText(item.name),
      isDeprecated: isDeprecated(item),
    },
    view: view(item),
  }));
  return [{ anchor, title, entries }];
}

function factsOf({
  name,
  server,
  revision,
  capabilities,
  tools,
  prompts,
  resources,
  templates,
}: Snapshot): FactView[] {
  const counts = [
    plural(tools.length, "tool"),
    plural(prompts.length, "prompt"),
    plural(resources.length, "resource"),
    plural(templates.length, "resource template"),
  ];
  const website = stringIn(server, "websiteUrl");
  const paths = pathsIn(capabilities);
  return [
    { term: markup`Offers`, value: text(counts.join(", ")) },
    { term: markup`Name`, value: markup`<code>${text(name)}</code>` },
    ...optional(markup`Version`, stringIn(server, "version")),
    { term: markup`Revision`, value: markup`<code>${text(revision)}</code>` },
    ...(paths.length === 0 ? [] : [{ term: markup`Capabilities`, value: codes(paths) }]),
    // Shown as text and not as a link, because its target is not trusted.
    ...optional(markup`Website`, website),
  ];
}

function optional(term: Code, value: string | null): FactView[] {
  return value === null ? [] : [{ term, value: markup`<code>${text(value)}</code>` }];
}

function codes(names: readonly string[]): Code {
  return joined(
    names.map((name) => markup`<code>${text(name)}</code>`),
    markup`, `,
  );
}

/** The maximum number of listed capabilities. The protocol has fewer. */
const maxPaths = 60;

/** The capabilities as paths: `{ tools: { listChanged: true } }` becomes `tools.listChanged`. */
function pathsIn(capabilities: JsonRecord): string[] {
  const paths: string[] = [];
  const open: [path: string, value: Json][] = Object.entries(capabilities).reverse();
  for (let next = open.pop(); next !== undefined && paths.length < maxPaths; next = open.pop()) {
    const [path, value] = next;
    const members = isRecord(value) && path.split(".").length < 4 ? Object.entries(value) : [];
    if (value === false || value === null) continue;
    if (members.length === 0) paths.push(path);
    for (const [name, member] of members.reverse()) open.push([`${path}.${name}`, member]);
  }
  return paths;
}

function stringIn(record: JsonRecord, name: string): string | null {
  const value = record[name];
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
