import type { Property, Type } from "../../ir/model.js";
import { fromLayout, type Code, literal, propertyKey } from "./code.js";
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

/** How the name of a declaration is written in a type: bare in `types.ts`, after `t.` elsewhere. */
export type TypeNamer = (name: string) => Code;

/** A type in TypeScript syntax. */
export function typeText(type: Type, typeName: TypeNamer): Code {
  return fromLayout(layoutType(type, typeName));
}

function layoutType(type: Type, typeName: TypeNamer): Layout {
  switch (type.kind) {
    case "unknown":
    case "never":
    case "boolean":
    case "number":
      return type.kind;
    case "string":
      return type.known.length === 0 ? "string" : group(unionLayout(knownArms(type.known)));
    case "literal":
      if (type.constant !== null) return ["typeof ", typeName(type.constant).layout];
      return literal(type.value).layout;
    case "array":
      return [elementLayout(type.element, typeName), "[]"];
    case "record":
      return recordLayout(type.member, typeName);
    case "object":
      return objectLayout(type.properties, type.rest, typeName);
    case "union":
      return group(unionLayout(type.members.map((member) => layoutArm(member, typeName))));
    case "intersection":
      return join(
        " & ",
        type.members.map((member) => layoutArm(member, typeName)),
      );
    case "reference":
      return typeName(type.name).layout;
    default:
      return type satisfies never;
  }
}

/** An open enumeration has completions in an editor and accepts any string. */
function knownArms(values: readonly string[]): Layout[] {
  return [...values.map((value) => literal(value).layout), "(string & {})"];
}

function layoutArm(type: Type, typeName: TypeNamer): Layout {
  const layout = layoutType(type, typeName);
  return type.kind === "union" ? ["(", layout, ")"] : layout;
}

function elementLayout(element: Type, typeName: TypeNamer): Layout {
  const isOpen = element.kind === "string" && element.known.length > 0;
  if (element.kind !== "union" && element.kind !== "intersection" && !isOpen)
    return layoutType(element, typeName);
  const inner =
    element.kind === "union"
      ? unionLayout(element.members.map((member) => layoutArm(member, typeName)))
      : layoutType(element, typeName);
  return group(["(", indent([softline, inner]), softline, ")"]);
}

function objectLayout(properties: readonly Property[], rest: Type | null, typeName: TypeNamer): Layout {
  if (properties.length === 0 && rest === null) return "object";
  const members = properties.map((property): Layout => {
    const doc = docOf(property.doc);
    return [doc === null ? "" : [doc.layout, hardline], memberText(property, typeName).layout];
  });
  if (rest !== null) members.push(["[key: string]: ", layoutType(restType(properties, rest), typeName), ";"]);
  if (properties.length === 0 && rest !== null) return recordLayout(rest, typeName);
  return ["{", indent(members.map((member) => [hardline, member])), hardline, "}"];
}

function recordLayout(member: Type, typeName: TypeNamer): Layout {
  const signature = ["[key: string]:", annotation(member, typeName), ifBreak(";")];
  return group(["{", indent([line, signature]), line, "}"]);
}

/**
 * In TypeScript, named members must match the index signature; in a schema they need not. Next to named members only
 * `unknown` always compiles.
 */
export function restType(properties: readonly Property[], rest: Type): Type {
  return properties.length === 0 ? rest : { kind: "unknown" };
}

/** `name?: type;` of an interface; a long union goes below the name. */
export function memberText(property: Property, typeName: TypeNamer): Code {
  const head: Layout = [propertyKey(property.name).layout, property.optional ? "?:" : ":"];
  return fromLayout([head, annotation(property.type, typeName), ";"]);
}

/** The schema's own `any`: a map that a derived interface narrows to named members. */
export function looseMemberText(property: Property): Code {
  const mark = property.optional ? "?:" : ":";
  return fromLayout([propertyKey(property.name).layout, mark, " { [key: string]: any };"]);
}

/** The type after the colon of a member. */
function annotation(type: Type, typeName: TypeNamer): Layout {
  const arms = unionArms(type, typeName);
  if (arms === null) return [" ", layoutType(type, typeName)];
  return group(indent([line, group(unionLayout(arms))]));
}

/** `Name = type;`, as text after `export type`. */
export function aliasText(name: Code, type: Type, typeName: TypeNamer): Code {
  const arms = unionArms(type, typeName);
  const head: Layout = [name.layout, " ="];
  if (arms === null) return fromLayout([head, " ", layoutType(type, typeName), ";"]);
  return fromLayout([group([head, indent([line, group(unionLayout(arms))])]), ";"]);
}

function unionArms(type: Type, typeName: TypeNamer): Layout[] | null {
  if (type.kind === "string" && type.known.length > 0) return knownArms(type.known);
  return type.kind === "union" ? type.members.map((member) => layoutArm(member, typeName)) : null;
}
