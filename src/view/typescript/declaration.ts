import type { Schema } from "../../ir/constraint.js";
import { fromLayout, type Code, literalText, propertyKey } from "./code.js";
import type { Definitions } from "./guards/file.js";
import { docOf } from "./doc.js";
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
} from "./layout.js";
import { keywordText, printType, type PrintedMember, type TypePrinter } from "./schema-type.js";

/** A member of an interface. */
export interface MemberView {
  readonly doc: Code | null;
  /** `name?: type;` */
  readonly text: Code;
}

/** Returns the name of a definition. */
export type DefinitionNamer = (key: string) => Code;

/** A type as code. The surrounding type decides on brackets and line breaks. */
interface PrintedType {
  readonly layout: Layout;
  readonly kind: "plain" | "union" | "intersection";
  readonly isObject?: true;
  /** The parts of an intersection. */
  readonly parts?: readonly PrintedType[];
  /** The members of a non-empty object. */
  readonly members: readonly MemberView[] | null;
}

/** `interface Name { … }` for an object with members, otherwise `Name = type;`. */
export type DeclarationCode =
  { readonly members: readonly MemberView[] } | { readonly members: null; readonly alias: Code };

/** The type of a definition's values as a declaration. */
export function declarationOf(
  name: Code,
  schema: Schema,
  definitions: Definitions,
  typeName: DefinitionNamer,
): DeclarationCode {
  const { layout, kind, members } = printType(schema, definitions, layoutPrinter(typeName));
  if (members !== null) return { members };
  const alias: Layout =
    kind === "union"
      ? group([name.layout, " =", indent([line, group(layout)])])
      : [name.layout, " = ", layout];
  return { members, alias: fromLayout([alias, ";"]) };
}

function layoutPrinter(typeName: DefinitionNamer): TypePrinter<PrintedType> {
  return {
    keyword: (name) => plain(keywordText(name)),
    literal: (value) => plain(literalText(value)),
    reference: (key) => plain(typeName(key).layout),
    array: (element) => plain([inBrackets(element), "[]"]),
    tuple: (elements, required, rest) => {
      const parts = elements.map((element, index): Layout => {
        return index < required ? outermost(element) : [inBrackets(element), "?"];
      });
      if (rest !== null) parts.push(["...", outermost(rest)]);
      return plain(group(["[", indent([softline, join([",", line], parts), ifBreak(",")]), softline, "]"]));
    },
    object: objectOf,
    union: (arms) => ({ layout: unionLayout(arms.map(inBrackets)), kind: "union", members: null }),
    intersection: (all) => {
      // In an intersection, brackets around another one say nothing.
      const parts = all.flatMap((part) => part.parts ?? [part]);
      return { layout: intersectionLayout(parts), kind: "intersection", parts, members: null };
    },
  };
}

/** An intersection as Prettier breaks it: a new line starts only between two parts that are not objects. */
function intersectionLayout(parts: readonly PrintedType[]): Layout {
  let isIndented = false;
  return group(
    parts.map((part, i): Layout => {
      const layout = inBrackets(part);
      const previous = parts[i - 1];
      if (previous === undefined) return layout;
      if (!previous.isObject && !part.isObject) return indent([" &", line, layout]);
      if (!previous.isObject || !part.isObject) isIndented ||= i > 1;
      return [" & ", isIndented ? indent(layout) : layout];
    }),
  );
}

function plain(layout: Layout): PrintedType {
  return { layout, kind: "plain", members: null };
}

/** A type that nothing surrounds. */
function outermost({ layout, kind }: PrintedType): Layout {
  return kind === "union" ? group(layout) : layout;
}

/** A type inside a union or an intersection, or before `[]` or `?`. */
function inBrackets({ layout, kind }: PrintedType): Layout {
  if (kind === "intersection") return ["(", layout, ")"];
  return kind === "plain" ? layout : group(["(", indent([softline, layout]), softline, ")"]);
}

function objectOf(members: readonly PrintedMember<PrintedType>[], rest: PrintedType | null): PrintedType {
  if (members.length === 0) {
    const value = rest === null ? "never" : outermost(rest);
    return {
      ...plain(group(["{", indent([line, "[key: string]: ", value, ifBreak(";")]), line, "}"])),
      isObject: true,
    };
  }
  const views = members.map(({ name, doc, optional, type }): MemberView => ({
    doc: docOf(doc),
    text: fromLayout([propertyKey(name).layout, optional ? "?:" : ":", annotation(type), ";"]),
  }));
  if (rest !== null) views.push({ doc: null, text: fromLayout(["[key: string]:", annotation(rest), ";"]) });
  const lines = views.map(({ doc, text }): Layout => {
    return [hardline, doc === null ? "" : [doc.layout, hardline], text.layout];
  });
  return { layout: ["{", indent(lines), hardline, "}"], kind: "plain", isObject: true, members: views };
}

/** A type after the colon of a member: a union goes below it if it does not fit. */
function annotation({ layout, kind }: PrintedType): Layout {
  return kind === "union" ? group(indent([line, group(layout)])) : [" ", layout];
}
