import { escapePoint, invisible } from "../../common/invisible.js";
import { type GeneratedFile, filler } from "../../generator/generate.js";
import { counted, printable } from "../../generator/ir/report/text.js";
import type { Definition, Schema } from "../../generator/ir/constraint.js";
import { mapSchema } from "../../generator/ir/constraint/walk.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import {
  type Code,
  code,
  constant,
  generic,
  identifier,
  jsonCode,
  literal,
  nameList,
  signature,
  unionCode,
} from "../../generator/view/typescript/code.js";
import { docComment } from "../../generator/view/typescript/doc.js";
import { headerOf } from "../../generator/view/typescript/header.js";
import { camelCase, Names } from "../../generator/view/typescript/names.js";
import {
  entriesOf,
  type NamedTool,
} from "../../generator/view/project/entries.js";
import {
  firstSentence,
  linePrinter,
} from "../../generator/view/project/model-tools.js";
import { ProjectNaming } from "../../generator/view/project/naming.js";
import { projectTypesView } from "../../generator/view/project/types.js";

/** A server whose tools a program can call. */
export interface CodeServer {
  /** What its namespace is called, if that can be a name. */
  readonly name: string;
  readonly snapshot: Snapshot;
}

/** The characters of a description that a line of the catalog has. */
const maxSummary = 120;
/** The characters of a description that a model reads. */
const maxDescription = 4000;

/**
 * The files of code mode over some servers, in their order. Writes nothing.
 *
 * @param templates templates by file name
 * @param extension of relative imports, such as `.js`
 */
export function codeFiles(
  servers: readonly CodeServer[],
  templates: ReadonlyMap<string, string>,
  extension: Code,
): GeneratedFile[] {
  const names = new Names(["console", "program", "ToolOutput"]);
  const read = servers.map(({ name, snapshot }) =>
    readServer(names.claim(camelCase(name)), toolsOnly(snapshot)),
  );
  const fill = filler(templates);
  const common = {
    header: headerOf(servers.map(({ snapshot }) => snapshot.source)),
    ext: extension,
  };
  const views = { ...common, servers: read.map(({ view }) => view) };
  const api = fill("", "api.d.ts", views, "code/api.d.ts");
  const catalog = {
    ...common,
    servers: jsonCode(read.map(({ row }) => row)),
    api: constant(code`api`, code`string`, literal(api.text)),
  };
  const module = {
    ...common,
    clients: read.map(({ client }) => client),
    names: nameList(
      read.map(({ view: { name } }) => code`${name}: clients.${name}`),
    ),
  };
  return [
    api,
    fill("", "catalog.ts", catalog, "code/catalog.ts"),
    fill("", "code.ts", module, "code/code.ts"),
  ];
}

/** A snapshot with the tools alone, the types that they use, and clear text. */
function toolsOnly(snapshot: Snapshot): Snapshot {
  const used = new Set(
    snapshot.tools.flatMap(({ input, output }) => [input, output]),
  );
  const definitions = snapshot.definitions
    .filter(({ root }) => used.has(root))
    .map((definition) => ({ ...definition, schema: clear(definition) }));
  return {
    ...snapshot,
    tools: snapshot.tools.map((tool) => ({
      ...tool,
      title: tool.title && clearText(tool.title),
      description: tool.description && clearText(tool.description),
    })),
    prompts: [],
    resources: [],
    templates: [],
    definitions,
  };
}

/** A schema with clear text. */
const clear = ({ schema }: Definition): Schema =>
  mapSchema(schema, ({ doc: { text, tags }, ...part }) => ({
    ...part,
    doc: {
      text: clearText(text),
      tags: tags.map((tag) => ({ ...tag, text: clearText(tag.text) })),
    },
  }));

/**
 * Text of a server for a model: nothing in it is hidden, and it says how much
 * of it is left out.
 */
function clearText(text: string): string {
  const shown = text
    .replaceAll("\r\n", "\n")
    .replace(invisible, (one) =>
      "\n\t".includes(one) ? one : escapePoint(one),
    );
  const points = [...shown];
  const left = points.length - maxDescription;
  return left <= 0
    ? shown
    : `${points.slice(0, maxDescription).join("")}… (and ${counted(left, "character")})`;
}

/** What the three files have of one server. */
function readServer(namespace: string, snapshot: Snapshot) {
  const naming = new ProjectNaming(snapshot);
  const { tools, definitions } = entriesOf(snapshot, naming);
  const name = identifier(namespace);
  const summary = summaryOf(snapshot);
  const line = linePrinter(definitions);
  const members = tools.map(({ member }) => literal(member));
  const names = members.length === 0 ? code`never` : unionCode(members);
  return {
    view: {
      name,
      doc: docComment([summary]),
      declarations: projectTypesView(snapshot, naming).declarations,
      tools: tools.map((tool) => toolView(name, tool, naming)),
    },
    client: { name, client: generic(code`CodeClient`, [names]) },
    row: {
      name: namespace,
      summary,
      tools: tools.map((tool) => catalogRow(namespace, tool, line)),
    },
  };
}

/** A tool as a member of its server. */
function toolView(
  server: Code,
  { entry: { needsInput, input, output }, name, doc }: NamedTool,
  naming: ProjectNaming,
) {
  const mark = needsInput ? code`` : code`?`;
  const args = code`args${mark}: ${server}.${naming.type(input)}`;
  const result =
    output === null ? code`ToolOutput` : code`${server}.${naming.type(output)}`;
  const text = signature(name, [args], code`Promise<${result}>`);
  return { doc, text: code`${text};` };
}

/** What the catalog has of a tool. */
function catalogRow(
  namespace: string,
  { entry, member }: NamedTool,
  line: ReturnType<typeof linePrinter>,
) {
  const args = line(entry.input);
  const result = entry.output === null ? "ToolOutput" : line(entry.output);
  const start = `${namespace}.${member}(${args}): Promise<${result}>`;
  return {
    name: member,
    text: `${start}\n${entry.description ?? entry.title ?? ""}`.trim(),
    line: `${start}${firstSentence(entry)}`,
    isReadOnly: entry.hints.readOnly === true,
  };
}

/** A few words about a server. */
function summaryOf({ name, instructions, server }: Snapshot): string {
  const { title } = server;
  const words = typeof title === "string" ? title : (instructions ?? name);
  return printable(words.replace(/\s+/g, " ").trim(), maxSummary);
}
