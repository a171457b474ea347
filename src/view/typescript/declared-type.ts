import type { TypeText } from "../../ir/snapshot/type-text.js";
import { arranged, type Code, literalText, propertyKey } from "./code.js";
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
import { printType, type PrintedMember, type TypePrinter } from "./checked-type.js";

/** A member of an interface. */
export interface MemberView {
  readonly doc: Code | null;
  /** `name?: type;` */
  readonly text: Code;
}

/** Returns the name of a definition. */
export type DefinitionNamer = (key: string) => Code;

/** A type as code. The surrounding type decides on brackets and line breaks. */
interface Printed {
  readonly layout: Layout;
  readonly kind: "plain" | "union" | "intersection";
  /** The members of a non-empty object. */
  readonly members: readonly MemberView[] | null;
}

/** `interface Name { … }` for an object with members, otherwise `Name = type;`. */
export type Declared =
  { readonly members: readonly MemberView[] } | { readonly members: null; readonly alias: Code };

/** A definition's type as a declaration. */
export function declared(name: Code, type: TypeText, typeName: DefinitionNamer): Declared {
  const { layout, kind, members } = printType(type, layoutPrinter(typeName));
  if (members !== null) return { members };
  const alias: Layout =
    kind === "union"
      ? group([name.layout, " =", indent([line, group(layout)])])
      : [name.layout, " = ", layout];
  return { members, alias: arranged([alias, ";"]) };
}

function layoutPrinter(typeName: DefinitionNamer): TypePrinter<Printed> {
  return {
    keyword: plain,
    literal: (value) => plain(literalText(value)),
    reference: (key) => plain(typeName(key).layout),
    array: (element) => plain([bracketed(element), "[]"]),
    tuple: (elements, required, rest) => {
      const parts = elements.map((element, index): Layout => {
        return index < required ? whole(element) : [bracketed(element), "?"];
      });
      if (rest !== null) parts.push(["...", whole(rest)]);
      return plain(group(["[", indent([softline, join([",", line], parts), ifBreak(",")]), softline, "]"]));
    },
    object: objectOf,
    union: (members) => ({ layout: unionLayout(members.map(arm)), kind: "union", members: null }),
    intersection: (members) => ({
      layout: join(" & ", members.map(arm)),
      kind: "intersection",
      members: null,
    }),
  };
}

function plain(layout: Layout): Printed {
  return { layout, kind: "plain", members: null };
}

/** A type that nothing surrounds. */
function whole({ layout, kind }: Printed): Layout {
  return kind === "union" ? group(layout) : layout;
}

/** A type inside a union or an intersection. */
function arm(type: Printed): Layout {
  return type.kind === "union" ? ["(", whole(type), ")"] : type.layout;
}

/** A type before `[]` or `?`. */
function bracketed({ layout, kind }: Printed): Layout {
  return kind === "plain" ? layout : group(["(", indent([softline, layout]), softline, ")"]);
}

function objectOf(members: readonly PrintedMember<Printed>[], rest: Printed | null): Printed {
  if (members.length === 0) {
    const value = rest === null ? "never" : whole(rest);
    return plain(group(["{", indent([line, "[key: string]: ", value, ifBreak(";")]), line, "}"]));
  }
  const views = members.map(({ name, doc, optional, type }): MemberView => ({
    doc: docOf(doc),
    text: arranged([propertyKey(name).layout, optional ? "?:" : ":", annotation(type), ";"]),
  }));
  if (rest !== null) views.push({ doc: null, text: arranged(["[key: string]:", annotation(rest), ";"]) });
  const lines = views.map(({ doc, text }): Layout => {
    return [hardline, doc === null ? "" : [doc.layout, hardline], text.layout];
  });
  return { layout: ["{", indent(lines), hardline, "}"], kind: "plain", members: views };
}

/** A type after the colon of a member: a union goes below it if it does not fit. */
function annotation({ layout, kind }: Printed): Layout {
  return kind === "union" ? group(indent([line, group(layout)])) : [" ", layout];
}
