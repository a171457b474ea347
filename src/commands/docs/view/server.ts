import { anything, type Definition } from "../../../generator/ir/constraint.js";
import { isRecord } from "../../../generator/ir/json/value.js";
import type { Protocol } from "../../../generator/ir/model.js";
import type {
  Entry as Listed,
  Json,
  JsonRecord,
  Snapshot,
  Tool,
} from "../../../generator/ir/snapshot/model.js";
import { variablesIn } from "../../../generator/ir/snapshot/template.js";
import { hintNames } from "../../../generator/view/project/docs.js";
import { Anchors } from "./anchors.js";
import {
  code,
  example,
  factList,
  markup,
  namesFact,
  text,
  type Fact,
} from "./markdown.js";
import { chapterOf, type Entry, type Page } from "./page.js";
import { constantChapters, revisionOn } from "./revision.js";
import { Schemas } from "./schemas.js";

/** A server, and the anchors of the page that it is described on. */
interface Server {
  readonly snapshot: Snapshot;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly schemas: Schemas;
  readonly anchors: Anchors;
}

function serverOn(anchors: Anchors, snapshot: Snapshot): Server {
  const definitions = new Map(
    snapshot.definitions.map((definition) => [definition.key, definition]),
  );
  const labelOf = (key: string): string =>
    definitions.get(key)?.label || "the root schema";
  return {
    snapshot,
    definitions,
    anchors,
    schemas: new Schemas(definitions, labelOf, anchors),
  };
}

/** An entry of a list of the server. */
interface Offer {
  readonly kind: "tool" | "prompt" | "resource" | "template";
  /** Its name, its URI or its URI template. */
  readonly id: string;
  readonly listed: Listed;
  readonly marks?: readonly string[];
  readonly facts?: readonly Fact[];
  readonly schemas?: readonly TitledSchema[];
}

type TitledSchema = readonly [title: string, exampleTitle: string, key: string];

/** Everything that a server offers, in the order of the page. */
function offersOf({ tools, prompts, resources, templates }: Snapshot): Offer[] {
  return [
    ...tools.map(offerOfTool),
    ...prompts.map((listed): Offer => {
      const schemas = argumentsOf(listed.input);
      return { kind: "prompt", id: listed.name, listed, schemas };
    }),
    ...resources.map((listed): Offer => {
      const { uri, raw } = listed;
      return {
        kind: "resource",
        id: uri,
        listed,
        facts: [["URI", code(uri)], ...contentFacts(raw)],
      };
    }),
    ...templates.map((listed): Offer => {
      const { template, parts, raw } = listed;
      const variables = namesFact("Variables", variablesIn(parts ?? []));
      const facts: Fact[] = [
        ["URI template", code(template)],
        ...variables,
        ...contentFacts(raw),
      ];
      return { kind: "template", id: template, listed, facts };
    }),
  ];
}

function offerOfTool(listed: Tool): Offer {
  const { name, input, output, hints, raw } = listed;
  const support = isRecord(raw["execution"])
    ? raw["execution"]["taskSupport"]
    : undefined;
  return {
    kind: "tool",
    id: name,
    listed,
    marks: [
      ...(hints.readOnly === false ? ["modifies data"] : []),
      ...hintNames(hints),
    ],
    facts: scalarFact("Runs as a task", support),
    schemas: [
      ...argumentsOf(input),
      ...(output === null
        ? []
        : [["Structured result", "Example of a result", output] as const]),
    ],
  };
}

function argumentsOf(key: string | null): TitledSchema[] {
  return key === null ? [] : [["Arguments", "Example of arguments", key]];
}

function contentFacts(raw: JsonRecord): Fact[] {
  return [
    ...scalarFact("Media type", raw["mimeType"]),
    ...scalarFact("Size in bytes", raw["size"]),
  ];
}

function scalarFact(term: string, value: Json | undefined): Fact[] {
  const isScalar =
    typeof value === "number" ||
    (typeof value === "string" && value.trim() !== "");
  return isScalar ? [[term, code(String(value))]] : [];
}

/** The maximum length of metadata that a page shows. */
const maxMetaLength = 20_000;

function offerEntry(
  { kind, id, listed, marks = [], facts = [], schemas: titled = [] }: Offer,
  { schemas, definitions, anchors }: Server,
): Entry {
  const { name, title, description, raw } = listed;
  const isDeprecated = raw["deprecated"] === true;
  const sections = titled.map(([members, exampleTitle, key]) => {
    const { schema = anything, label = "" } = definitions.get(key) ?? {};
    return {
      blocks: schemas.section(text(members), schema),
      examples: schemas.example(exampleTitle, schema, label),
    };
  });
  const meta = raw["_meta"];
  const hasMeta =
    meta !== undefined && JSON.stringify(meta).length <= maxMetaLength;
  const isTitled = title !== null && title !== name && title.trim() !== "";
  return {
    anchor: anchors.of(kind, id),
    name,
    title: isTitled ? text(title) : null,
    isDeprecated,
    marks,
    prose: anchors.prose(description ?? ""),
    facts,
    sections: sections.flatMap(({ blocks }) => blocks),
    examples: [
      ...sections.flatMap(({ examples }) => examples),
      ...(hasMeta ? example("Metadata", meta) : []),
    ],
  };
}

/** The schemas that others refer to. */
function partEntries({ definitions, schemas, anchors }: Server): Entry[] {
  const parts = [...definitions.values()].filter(
    ({ key, root }) => key !== root,
  );
  return parts.map(({ key, label, root, schema }) => ({
    anchor: anchors.of("type", key),
    name: label,
    prose: anchors.doc(schema.doc),
    facts: [["Part of", code(root)]],
    sections: schemas.section(markup`Members`, schema, markup`Type`),
    examples: schemas.example("Example", schema, label),
  }));
}

/**
 * The kinds of what a server offers, in the order of the page, with the title
 * of each chapter.
 */
const chapterTitles = [
  ["server", "The server as a whole"],
  ["tool", "Tools"],
  ["prompt", "Prompts"],
  ["resource", "Resources"],
  ["template", "Resource templates"],
] as const;

/**
 * A page on what one server offers.
 *
 * @param protocol the revision of the snapshot, for its error codes; null if it
 *   is not known
 */
export function serverPage(
  snapshot: Snapshot,
  protocol: Protocol | null,
): Page {
  const anchors = new Anchors();
  const server = serverOn(anchors, snapshot);
  const offers = offersOf(snapshot);
  // All anchors are assigned before the first link is made.
  for (const { kind, id } of offers) anchors.claim(kind, id);
  for (const { key, root } of snapshot.definitions)
    if (key !== root) anchors.claim("type", key);
  for (const { kind, name } of protocol?.declarations ?? [])
    if (kind === "constant") anchors.claim("constant", name);
  const instructions = anchors.prose(snapshot.instructions ?? "");
  const forModels = [markup`**Instructions for models**`, ...instructions];
  return {
    title: titleOf(snapshot),
    blocks: [
      markup`An MCP server.`,
      ...factList(serverFacts(snapshot)),
      ...(instructions.length === 0 ? [] : forModels),
    ],
    chapters: [
      ...chapterTitles.flatMap(([kind, title]) => {
        const own = offers.filter((offer) => offer.kind === kind);
        return chapterOf(
          title,
          own.map((offer) => offerEntry(offer, server)),
        );
      }),
      ...chapterOf("Types", partEntries(server)),
      ...(protocol === null
        ? []
        : constantChapters(revisionOn(anchors, protocol)).slice(0, 1)),
    ],
  };
}

/** The title of a server. */
function titleOf({ server, name }: Snapshot): string {
  const { title } = server;
  return typeof title === "string" && title.trim() !== "" ? title : name;
}

/** The facts of a server as a whole. */
function serverFacts(snapshot: Snapshot): Fact[] {
  const {
    name,
    server,
    revision,
    capabilities,
    tools,
    prompts,
    resources,
    templates,
  } = snapshot;
  return [
    [
      "Offers",
      markup`tools (${tools.length}), prompts (${prompts.length}), resources (${resources.length}), resource templates (${templates.length})`,
    ],
    ["Name", code(name)],
    ...scalarFact("Version", server["version"]),
    ["Revision", code(revision)],
    ...namesFact("Capabilities", pathsIn(capabilities, []).slice(0, maxPaths)),
    // Shown as text and not as a link, because its target is not trusted.
    ...scalarFact("Website", server["websiteUrl"]),
  ];
}

/** The maximum number of listed capabilities. The protocol has fewer. */
const maxPaths = 60;

/**
 * The paths of what is declared: `{ tools: { listChanged: true } }` becomes
 * `tools.listChanged`.
 */
function pathsIn(value: Json, path: readonly string[]): string[] {
  if (value === false || value === null) return [];
  const members =
    isRecord(value) && path.length < 4 ? Object.entries(value) : [];
  if (members.length === 0) return path.length === 0 ? [] : [path.join(".")];
  return members.flatMap(([name, member]) => pathsIn(member, [...path, name]));
}
