import { flattenType } from "../../ir/flatten.js";
import { tagOf, type Index } from "../../ir/lookup.js";
import type { Property, Type } from "../../ir/model.js";
import type { Code } from "../typescript/code.js";
import type { Anchors } from "./anchors.js";
import { badgesIf } from "./badges.js";
import type { RowView } from "./entry.js";
import { attribute, joined, markup, nameText, text } from "./html.js";
import { docProse } from "./prose.js";
import { mark, spell, typeWords, type Word } from "./words.js";

/** The maximum nesting of members in rows; deeper ones are part of the type on one line. */
const maxDepth = 5;

/** The members of an object type, each followed by the members of its anonymous objects. */
export function memberRows(
  declarations: Index,
  type: Type,
  owner: string | null,
  anchors: Anchors,
): RowView[] {
  const flat = flattenType(declarations, type);
  if (flat === null) return [];
  const rows = flat.properties.flatMap((property) => {
    const inherited = owner !== null && property.declaredBy !== null && property.declaredBy !== owner;
    const from = inherited ? property.declaredBy : null;
    return propertyRows(property, from, 0, anchors);
  });
  return flat.rest === null ? rows : [...rows, restRow(flat.rest, 0, anchors)];
}

function propertyRows(property: Property, from: string | null, depth: number, anchors: Anchors): RowView[] {
  const { name, optional, type, doc } = property;
  const literal = depth < maxDepth ? literalIn(type) : null;
  const baseNote =
    from === null ? [] : [markup`<span class="from">from ${anchors.link("type", from)}</span>`];
  const row: RowView = {
    depth: depthClass(depth),
    name: nameText(name),
    type: spell(literal === null ? typeWords(type) : outline(type), anchors),
    badges: badgesIf({ required: !optional, deprecated: tagOf(doc, "deprecated") !== null }),
    paragraphs: [...docProse(doc, anchors), ...boundsOf(type), ...baseNote],
  };
  if (literal === null) return [row];
  const below = literal.properties.flatMap((member) => propertyRows(member, null, depth + 1, anchors));
  return [row, ...below, ...(literal.rest === null ? [] : [restRow(literal.rest, depth + 1, anchors)])];
}

/** The anonymous object that a type is, or is a list or map of. */
function literalIn(type: Type): Extract<Type, { kind: "object" }> | null {
  if (type.kind === "array") return literalIn(type.element);
  if (type.kind === "record") return literalIn(type.member);
  return type.kind === "object" && type.properties.length > 0 ? type : null;
}

/** A type whose members follow in rows. */
function outline(type: Type): Word[] {
  if (type.kind === "array") return [...outline(type.element), mark("[]")];
  if (type.kind === "record") return [mark("{ [key: string]: "), ...outline(type.member), mark(" }")];
  return [mark("object")];
}

function restRow(rest: Type, depth: number, anchors: Anchors): RowView {
  return {
    depth: depthClass(depth),
    name: markup`<em>any other</em>`,
    type: spell(typeWords(rest), anchors),
    badges: [],
    paragraphs: [],
  };
}

/** The constraints of a type, in words. */
export function boundsOf(type: Type): Code[] {
  const notes: string[] = [];
  if (type.kind === "number") {
    if (type.minimum !== null) notes.push(`at least ${type.minimum}`);
    if (type.maximum !== null) notes.push(`at most ${type.maximum}`);
  }
  if (type.kind === "array" && type.maxItems !== null) notes.push(`at most ${type.maxItems} items`);
  if (type.kind === "string" && type.format !== null) notes.push(`in the format ${type.format}`);
  return notes.length === 0 ? [] : [markup`<span class="bound">${text(notes.join(", "))}</span>`];
}

export function depthClass(depth: number): Code {
  return markup`d${attribute(String(Math.min(depth, maxDepth)))}`;
}

/** Links to types, separated by commas. */
export function typeLinks(names: readonly string[], anchors: Anchors): Code {
  return joined(
    names.map((name) => markup`<code>${anchors.link("type", name)}</code>`),
    markup`, `,
  );
}
