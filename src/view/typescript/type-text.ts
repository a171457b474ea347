import type { Property, Type } from "../../ir/model.js";
import { arranged, type Code, literal, propertyKey } from "./code.js";
import { docOf } from "./doc.js";
import {
  group,
  hardline,
  indent,
  join,
  line,
  softline,
  ifBreak,
  unionLayout,
  type Layout,
} from "./layout.js";

/** How a declaration's name is written where a type stands: bare in `types.ts`, behind `t.` elsewhere. */
export type Spell = (name: string) => Code;

/** A type as TypeScript writes it. */
export function typeText(type: Type, spell: Spell): Code {
  return arranged(layoutType(type, spell));
}

function layoutType(type: Type, spell: Spell): Layout {
  switch (type.kind) {
    case "unknown":
    case "boolean":
    case "number":
      return type.kind;
    case "string":
      return type.known.length === 0 ? "string" : group(unionLayout(knownArms(type.known)));
    case "literal":
      if (type.constant !== null) return ["typeof ", spell(type.constant).layout];
      return literal(type.value).layout;
    case "array":
      return [elementLayout(type.element, spell), "[]"];
    case "record":
      return recordLayout(type.member, spell);
    case "object":
      return objectLayout(type.properties, type.rest, spell);
    case "union":
      return group(unionLayout(type.members.map((member) => layoutArm(member, spell))));
    case "intersection":
      return join(
        " & ",
        type.members.map((member) => layoutArm(member, spell)),
      );
    case "reference":
      return spell(type.name).layout;
    default:
      return type satisfies never;
  }
}

/** An open enumeration completes in an editor and still takes any string. */
function knownArms(known: readonly string[]): Layout[] {
  return [...known.map((value) => literal(value).layout), "(string & {})"];
}

function layoutArm(type: Type, spell: Spell): Layout {
  const layout = layoutType(type, spell);
  return type.kind === "union" ? ["(", layout, ")"] : layout;
}

function elementLayout(element: Type, spell: Spell): Layout {
  const open = element.kind === "string" && element.known.length > 0;
  if (element.kind !== "union" && element.kind !== "intersection" && !open) return layoutType(element, spell);
  const inner =
    element.kind === "union"
      ? unionLayout(element.members.map((member) => layoutArm(member, spell)))
      : layoutType(element, spell);
  return group(["(", indent([softline, inner]), softline, ")"]);
}

function objectLayout(properties: readonly Property[], rest: Type | null, spell: Spell): Layout {
  if (properties.length === 0 && rest === null) return "object";
  const members = properties.map((property): Layout => {
    const doc = docOf(property.doc);
    return [doc === null ? "" : [doc.layout, hardline], memberText(property, spell).layout];
  });
  if (rest !== null) members.push(["[key: string]: ", layoutType(restType(properties, rest), spell), ";"]);
  if (properties.length === 0 && rest !== null) return recordLayout(rest, spell);
  return ["{", indent(members.map((member) => [hardline, member])), hardline, "}"];
}

function recordLayout(member: Type, spell: Spell): Layout {
  const signature = ["[key: string]:", annotation(member, spell), ifBreak(";")];
  return group(["{", indent([line, signature]), line, "}"]);
}

/**
 * TypeScript holds named members to the index signature too; a schema does not. Beside named members only `unknown` is
 * sure to compile.
 */
export function restType(properties: readonly Property[], rest: Type): Type {
  return properties.length === 0 ? rest : { kind: "unknown" };
}

/** `name?: type;` as it stands in an interface; a long union goes below the name. */
export function memberText(property: Property, spell: Spell): Code {
  const head: Layout = [propertyKey(property.name).layout, property.optional ? "?:" : ":"];
  return arranged([head, annotation(property.type, spell), ";"]);
}

/** The schemas' own `any`: a map that a derived interface narrows to named members. */
export function looseMemberText(property: Property): Code {
  const mark = property.optional ? "?:" : ":";
  return arranged([propertyKey(property.name).layout, mark, " { [key: string]: any };"]);
}

/** What follows the colon of a member. */
function annotation(type: Type, spell: Spell): Layout {
  const arms = unionArms(type, spell);
  if (arms === null) return [" ", layoutType(type, spell)];
  return group(indent([line, group(unionLayout(arms))]));
}

/** `Name = type;` as it stands behind `export type`. */
export function aliasText(name: Code, type: Type, spell: Spell): Code {
  const arms = unionArms(type, spell);
  const head: Layout = [name.layout, " ="];
  if (arms === null) return arranged([head, " ", layoutType(type, spell), ";"]);
  return arranged([group([head, indent([line, group(unionLayout(arms))])]), ";"]);
}

function unionArms(type: Type, spell: Spell): Layout[] | null {
  if (type.kind === "string" && type.known.length > 0) return knownArms(type.known);
  return type.kind === "union" ? type.members.map((member) => layoutArm(member, spell)) : null;
}
