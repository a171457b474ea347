import type { Scope } from "../../diagnostics.js";
import { maxLevels } from "../../ir/snapshot/depth.js";
import type {
  Entry,
  Hints,
  JsonRecord,
  Prompt,
  Resource,
  Template,
  Tool,
} from "../../ir/snapshot/model.js";
import {
  anything,
  type Check,
  type Definition,
  type Note,
  type Schema,
  type SchemaProperty,
} from "../../ir/constraint.js";
import {
  flagOf,
  member,
  show,
  stringOf,
  type JsonNode,
  type JsonObject,
  toJson,
  type Locations,
} from "../json/text/tree.js";
import { definitionOf, readDefinitions } from "./definitions.js";
import { isDeepSchema } from "./depth.js";
import { parseTemplate } from "./template.js";
import { byCodePoint } from "../../ir/json.js";

const pullAgain = "correct it, or create the snapshot again with `mcpgen pull`";

/** The snapshot being read, and the definitions that its entries add. */
export interface Entries {
  readonly root: JsonObject;
  readonly at: Locations;
  readonly scope: Scope;
  readonly definitions: Definition[];
}

export function readTools(entries: Entries): Tool[] {
  return readEntries(
    entries,
    "tools",
    "tool",
    "name",
    (entry, node, scope, key) => {
      const first = entries.definitions.length;
      const input = readSchemaAt(
        entries,
        node,
        "inputSchema",
        `${key} input`,
        scope,
      );
      const schema = entries.definitions[first]?.schema ?? anything;
      const output = readSchemaAt(
        entries,
        node,
        "outputSchema",
        `${key} output`,
        scope,
      );
      if (input === null) {
        scope.error(
          "MG302",
          entries.at(node.at),
          'the member "inputSchema" is missing',
          "add one: every tool must have it",
        );
      }
      return {
        ...entry,
        input: input ?? "",
        needsInput: requires(schema),
        output,
        hints: readHints(member(node, "annotations")),
      };
    },
  );
}

export function readPrompts(entries: Entries): Prompt[] {
  return readEntries(
    entries,
    "prompts",
    "prompt",
    "name",
    (entry, node, scope, key) => {
      const schema = readArguments(entries, member(node, "arguments"), scope);
      if (schema === null) return { ...entry, input: null, needsInput: false };
      const definition = definitionOf(`${key} input`, schema);
      entries.definitions.push(definition);
      return { ...entry, input: definition.key, needsInput: requires(schema) };
    },
  );
}

export function readResources(entries: Entries): Resource[] {
  return readEntries(
    entries,
    "resources",
    "resource",
    "uri",
    (entry, _node, _scope, _key, uri) => ({
      ...entry,
      uri,
    }),
  );
}

export function readTemplates(entries: Entries): Template[] {
  return readEntries(
    entries,
    "resourceTemplates",
    "resource template",
    "uriTemplate",
    (entry, node, scope, _key, template) => {
      const parts = parseTemplate(template);
      if (typeof parts !== "string") return { ...entry, template, parts };
      const place = member(node, "uriTemplate") ?? node;
      scope.warn(
        "MG309",
        entries.at(place.at),
        `${parts}; no function is generated for it`,
        "write the template as in RFC 6570",
      );
      return { ...entry, template, parts: null };
    },
  );
}

/**
 * The entries of a list by their ids on the wire, in the order of their code
 * points.
 */
function readEntries<T extends Entry>(
  { root, at, scope: outer }: Entries,
  list: string,
  what: string,
  id: "name" | "uri" | "uriTemplate",
  reader: (
    entry: Entry,
    node: JsonObject,
    scope: Scope,
    key: string,
    id: string,
  ) => T,
): T[] {
  const node = member(root, list);
  if (node === null) return [];
  if (node.kind !== "array") {
    outer.error(
      "MG302",
      at(node.at),
      `"${list}" is ${show(node)}, expected a list`,
      pullAgain,
    );
    return [];
  }
  const entries = new Map<string, T>();
  for (const [index, item] of node.items.entries()) {
    const wire = stringOf(member(item, id));
    const name = stringOf(member(item, "name"));
    if (item.kind !== "object" || wire === null || name === null) {
      const scope = outer.in(`${what} ${index}`);
      const needs = [...new Set(["name", id])];
      if (item.kind !== "object") {
        const expected = `expected an object with ${needs.map((name) => `a "${name}"`).join(" and ")}`;
        scope.error(
          "MG302",
          at(item.at),
          `found ${show(item)}, ${expected}`,
          pullAgain,
        );
        continue;
      }
      for (const name of needs.filter(
        (name) => stringOf(member(item, name)) === null,
      ))
        scope.error(
          "MG302",
          at(item.at),
          `the member "${name}" is missing or not a string`,
          "add it",
        );
      continue;
    }
    const scope = outer.in(`${what} ${JSON.stringify(wire.slice(0, 80))}`);
    if (entries.has(wire)) {
      scope.warn(
        "MG303",
        at(item.at),
        `the ${what} is listed twice; the first one is used`,
        null,
      );
      continue;
    }
    const entry: Entry = {
      name,
      title:
        stringOf(member(item, "title")) ??
        stringOf(member(member(item, "annotations") ?? item, "title")),
      description: stringOf(member(item, "description")),
      raw: toJson(item) as JsonRecord,
    };
    entries.set(wire, reader(entry, item, scope, `${what} ${wire}`, wire));
  }
  return [...entries]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([, entry]) => entry);
}

function readSchemaAt(
  { definitions, at }: Entries,
  node: JsonObject,
  name: string,
  key: string,
  outer: Scope,
): string | null {
  const schema = member(node, name);
  if (schema === null) return null;
  if (isDeepSchema(schema)) {
    const message = `the schema is nested more than ${maxLevels} levels deep; it is not checked, and its type is unknown`;
    outer
      .in(name)
      .warn(
        "MG304",
        at(schema.at),
        message,
        "use references for repeated parts",
      );
  }
  for (const each of readDefinitions(key, schema, at, outer.in(name)))
    definitions.push(each);
  return key;
}

/** The schema of a prompt's arguments: an object of strings. */
function readArguments(
  { at }: Entries,
  node: JsonNode | null,
  scope: Scope,
): Schema | null {
  if (node === null) return null;
  if (node.kind !== "array") {
    scope.warn(
      "MG305",
      at(node.at),
      `"arguments" is ${show(node)}, expected a list; it is ignored`,
    );
    return null;
  }
  const properties: SchemaProperty[] = [];
  const names = new Set<string>();
  const required: string[] = [];
  for (const item of node.items) {
    const name = stringOf(member(item, "name"));
    if (name === null || names.has(name)) continue;
    names.add(name);
    const text =
      stringOf(member(item, "description")) ??
      stringOf(member(item, "title")) ??
      "";
    const checks: Check[] = [{ kind: "type", types: ["string"] }];
    properties.push({
      name,
      schema: { doc: { text, tags: [] }, checks, notes: notesOf(item) },
    });
    if (flagOf(member(item, "required")) === true) required.push(name);
  }
  return {
    doc: anything.doc,
    checks: [
      { kind: "type", types: ["object"] },
      { kind: "required", names: required },
      { kind: "members", properties, patterns: [], rest: null },
    ],
  };
}

/**
 * The members of an argument apart from its name: `title`, `description` and
 * unknown ones.
 */
function notesOf(item: JsonNode): Note[] {
  return Object.entries(toJson(item) as JsonRecord)
    .filter(([name]) => name !== "name" && name !== "required")
    .map(([keyword, value]) => ({ keyword, value, isCondition: false }));
}

/** True if the schema requires a member. */
function requires(schema: Schema): boolean {
  return schema.checks.some((check) => {
    if (check.kind === "required") return check.names.length > 0;
    return check.kind !== "type" && check.kind !== "members";
  });
}

function readHints(node: JsonNode | null): Hints {
  const flag = (name: string): boolean | null =>
    node && flagOf(member(node, name));
  return {
    readOnly: flag("readOnlyHint"),
    destructive: flag("destructiveHint"),
    idempotent: flag("idempotentHint"),
    openWorld: flag("openWorldHint"),
  };
}
