import type { Doc, Property, Type } from "../../../ir/model.js";
import { stringOf, type JsonNode, type JsonObject } from "../text/tree.js";
import { malformed, widened, within, type SchemaContext } from "./context.js";
import { readType } from "./type.js";

/** Reads `properties`, `required` and `additionalProperties` as an object, or as a map without named members. */
export function readMembers(context: SchemaContext, node: JsonObject): Type {
  const required = readRequired(context, node);
  const properties: Property[] = [];
  const listed = node.members.get("properties")?.value;
  if (listed?.kind === "object") {
    // The keys are names of members, not keywords.
    for (const [name, { value }] of listed.members) {
      const type = readType(within(context, `member ${name}`), value);
      properties.push({ name, optional: !required.has(name), type, doc: readDoc(context, value) });
    }
  } else if (listed !== undefined) malformed(context, listed, "properties", "an object of schemas by name");
  for (const name of required) {
    if (listed?.kind === "object" && listed.members.has(name)) continue;
    properties.push({ name, optional: false, type: { kind: "unknown" }, doc: { text: "", tags: [] } });
  }
  const rest = readRest(context, node);
  if (properties.length === 0 && listed === undefined && rest !== null)
    return { kind: "record", member: rest };
  // `{ properties: {}, additionalProperties: true }` means "any object".
  return {
    kind: "object",
    properties,
    rest: properties.length === 0 && rest?.kind === "unknown" ? null : rest,
  };
}

function readRequired(context: SchemaContext, node: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const entry = node.members.get("required")?.value;
  if (entry === undefined) return names;
  if (entry.kind !== "array") {
    malformed(context, entry, "required", "a list of names");
    return names;
  }
  for (const item of entry.items) {
    const name = stringOf(item);
    if (name === null) malformed(context, item, "required", "a list of names");
    else if (names.has(name)) malformed(context, item, "required", "each name once");
    else names.add(name);
  }
  return names;
}

function readRest(context: SchemaContext, node: JsonObject): Type | null {
  const entry = node.members.get("additionalProperties")?.value;
  if (entry === undefined) return null;
  if (entry.kind === "scalar" && entry.value === false) {
    const message = `"additionalProperties" is false, but objects are never closed: unknown members are accepted`;
    widened(context, entry, message, null);
    return null;
  }
  return readType(within(context, "additionalProperties"), entry);
}

/** The `description` of a schema as text, and `deprecated` as a tag. */
export function readDoc(context: SchemaContext, node: JsonNode): Doc {
  if (node.kind !== "object") return { text: "", tags: [] };
  const description = node.members.get("description")?.value;
  const text = description === undefined ? "" : stringOf(description);
  if (description !== undefined && text === null) malformed(context, description, "description", "a text");
  const deprecated = node.members.get("deprecated")?.value;
  const marked = deprecated?.kind === "scalar" && deprecated.value === true;
  return { text: (text ?? "").trim(), tags: marked ? [{ name: "deprecated", text: "" }] : [] };
}
