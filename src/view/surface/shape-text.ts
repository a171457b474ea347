import type { Member, Shape } from "../../ir/surface/schema.js";
import { arranged, type Code, literal, propertyKey } from "../code.js";
import { docOf } from "../doc.js";
import {
  group,
  hardline,
  ifBreak,
  indent,
  join,
  line,
  softline,
  unionLayout,
  type Layout,
} from "../layout.js";

/** How a definition's name is written. */
export type SpellKey = (key: string) => Code;

/** `name?: type;` as it stands in an interface. */
export function memberOf({ name, optional, shape }: Member, spell: SpellKey): Code {
  const head: Layout = [propertyKey(name).layout, optional ? "?:" : ":"];
  return arranged([head, annotation(shape, spell), ";"]);
}

/** `Name = type;` as it stands behind `export type`. */
export function aliasOf(name: Code, shape: Shape, spell: SpellKey): Code {
  if (shape.kind !== "union") return arranged([name.layout, " = ", shapeLayout(shape, spell), ";"]);
  const arms = unionLayout(shape.members.map((member) => armLayout(member, spell)));
  return arranged([group([name.layout, " =", indent([line, group(arms)])]), ";"]);
}

/** `[key: string]: type;` of an object whose other members have a type. */
export function restOf(members: readonly Member[], rest: Shape, spell: SpellKey): Code {
  // TypeScript holds named members to the index signature too; a schema does not.
  const shape: Shape = members.length === 0 ? rest : { kind: "unknown" };
  return arranged(["[key: string]:", annotation(shape, spell), ";"]);
}

function annotation(shape: Shape, spell: SpellKey): Layout {
  if (shape.kind !== "union") return [" ", shapeLayout(shape, spell)];
  const arms = shape.members.map((member) => armLayout(member, spell));
  return group(indent([line, group(unionLayout(arms))]));
}

function shapeLayout(shape: Shape, spell: SpellKey): Layout {
  switch (shape.kind) {
    case "literal":
      return literal(shape.value).layout;
    case "array":
      return [elementLayout(shape.element, spell), "[]"];
    case "tuple":
      return tupleLayout(shape, spell);
    case "object":
      return objectLayout(shape.members, shape.rest, spell);
    case "union":
      return group(unionLayout(shape.members.map((member) => armLayout(member, spell))));
    case "intersection":
      return join(
        " & ",
        shape.members.map((member) => armLayout(member, spell)),
      );
    case "reference":
      return spell(shape.key).layout;
    default:
      return shape.kind;
  }
}

function armLayout(shape: Shape, spell: SpellKey): Layout {
  const layout = shapeLayout(shape, spell);
  return shape.kind === "union" ? ["(", layout, ")"] : layout;
}

function elementLayout(element: Shape, spell: SpellKey): Layout {
  if (element.kind === "union") {
    const arms = unionLayout(element.members.map((member) => armLayout(member, spell)));
    return group(["(", indent([softline, arms]), softline, ")"]);
  }
  if (element.kind !== "intersection") return shapeLayout(element, spell);
  return group(["(", indent([softline, shapeLayout(element, spell)]), softline, ")"]);
}

function tupleLayout(tuple: Extract<Shape, { kind: "tuple" }>, spell: SpellKey): Layout {
  const elements = tuple.elements.map((element, index): Layout => {
    return index < tuple.least ? shapeLayout(element, spell) : [elementLayout(element, spell), "?"];
  });
  if (tuple.rest !== null) elements.push(["...", elementLayout(tuple.rest, spell), "[]"]);
  return group(["[", indent([softline, join([",", line], elements), ifBreak(",")]), softline, "]"]);
}

function objectLayout(members: readonly Member[], rest: Shape | null, spell: SpellKey): Layout {
  if (members.length === 0) {
    const value = rest === null ? "never" : shapeLayout(rest, spell);
    return group(["{", indent([line, "[key: string]: ", value, ifBreak(";")]), line, "}"]);
  }
  const lines = members.map((member): Layout => {
    const doc = docOf(member.doc);
    return [doc === null ? "" : [doc.layout, hardline], memberOf(member, spell).layout];
  });
  if (rest !== null) lines.push(restOf(members, rest, spell).layout);
  return ["{", indent(lines.map((text) => [hardline, text])), hardline, "}"];
}
