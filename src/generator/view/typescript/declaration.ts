import { fromLayout, type Code, literalText, propertyKey } from "./code.js";
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
import {
  keywordText,
  type PrintedMember,
  type TypePrinter,
} from "./schema-type.js";

/** A member of an interface. */
export interface MemberView {
  readonly doc: Code | null;
  /** `name?: type;` */
  readonly text: Code;
}

/**
 * Returns the name of a definition: bare in `types.ts`, after `t.` elsewhere.
 */
export type TypeNamer = (key: string) => Code;

/** A type as code. The surrounding type decides on brackets and line breaks. */
export interface PrintedType {
  readonly layout: Layout;
  readonly kind: "plain" | "object" | "map" | "union" | "intersection";
  /** The parts of a union or an intersection. */
  readonly parts: readonly PrintedType[];
  /** The members of an object, or the index signature of a map. */
  readonly members: readonly MemberView[];
}

/** `Name = type;` */
export function aliasCode(name: Code, type: PrintedType): Code {
  return fromLayout([name.layout, " =", annotation(type), ";"]);
}

/** A type that nothing surrounds. */
export function typeCode(type: PrintedType): Code {
  return fromLayout(outermost(type));
}

/**
 * Prints the types of a revision, in which a value can repeat a constant, and
 * any object is `object`.
 */
export function revisionPrinter(typeName: TypeNamer): TypePrinter<PrintedType> {
  return {
    ...typePrinter(typeName),
    literal: (value, constant) =>
      plain(
        constant === null
          ? literalText(value)
          : ["typeof ", typeName(constant).layout],
      ),
    anyObject: plain("object"),
  };
}

export function typePrinter(typeName: TypeNamer): TypePrinter<PrintedType> {
  return {
    keyword: (name) => plain(keywordText(name)),
    literal: (value) => plain(literalText(value)),
    reference: (key) => plain(typeName(key).layout),
    array: (element) => plain([inBrackets(element), "[]"]),
    tuple: (elements, required, rest) => {
      const parts = elements.map((element, index): Layout => {
        return index < required
          ? outermost(element)
          : [inBrackets(element), "?"];
      });
      if (rest !== null) parts.push(["...", outermost(rest)]);
      return plain(
        group([
          "[",
          indent([softline, join([",", line], parts), ifBreak(",")]),
          softline,
          "]",
        ]),
      );
    },
    object: objectOf,
    // In a union, brackets around another one say nothing; the same is true of
    // intersections.
    union: (arms) => {
      const parts = withOpenString(
        arms.flatMap((arm) => (arm.kind === "union" ? arm.parts : [arm])),
      );
      return {
        ...plain(unionLayout(parts.map(inBrackets))),
        kind: "union",
        parts,
      };
    },
    intersection: (all) => {
      const parts = all.flatMap((part) =>
        part.kind === "intersection" ? part.parts : [part],
      );
      return {
        ...plain(intersectionLayout(parts)),
        kind: "intersection",
        parts,
      };
    },
  };
}

/**
 * Known strings have completions in an editor, although any string is allowed.
 */
function withOpenString(arms: readonly PrintedType[]): readonly PrintedType[] {
  const isKnown = arms.some(
    ({ layout }) => typeof layout === "string" && /^["']/.test(layout),
  );
  return arms.map((arm) =>
    isKnown && arm.layout === "string" ? plain("(string & {})") : arm,
  );
}

/**
 * An intersection as Prettier breaks it: a new line starts only between two
 * parts that are not objects.
 */
function intersectionLayout(parts: readonly PrintedType[]): Layout {
  let isIndented = false;
  return group(
    parts.map((part, i): Layout => {
      const layout = inBrackets(part);
      const previous = parts[i - 1];
      if (previous === undefined) return layout;
      const objects = [previous, part].filter(
        ({ kind }) => kind === "object" || kind === "map",
      );
      if (objects.length === 0) return indent([" &", line, layout]);
      if (objects.length === 1) isIndented ||= i > 1;
      return [" & ", isIndented ? indent(layout) : layout];
    }),
  );
}

function plain(layout: Layout): PrintedType {
  return { layout, kind: "plain", parts: [], members: [] };
}

/** A type that nothing surrounds. */
function outermost({ layout, kind }: PrintedType): Layout {
  return kind === "union" ? group(layout) : layout;
}

/** A type inside a union or an intersection, or before `[]` or `?`. */
function inBrackets({ layout, kind }: PrintedType): Layout {
  if (kind === "intersection") return ["(", layout, ")"];
  return kind === "union"
    ? group(["(", indent([softline, layout]), softline, ")"])
    : layout;
}

function objectOf(
  members: readonly PrintedMember<PrintedType>[],
  rest: PrintedType | null,
): PrintedType {
  const signature: Layout = [
    "[key: string]:",
    annotation(rest ?? plain("never")),
  ];
  const views = members.map(({ name, doc, optional, type }): MemberView => ({
    doc: docOf(doc),
    text: fromLayout([
      propertyKey(name).layout,
      optional ? "?:" : ":",
      annotation(type),
      ";",
    ]),
  }));
  if (members.length === 0 || rest !== null)
    views.push({ doc: null, text: fromLayout([signature, ";"]) });
  if (members.length === 0) {
    const layout = group([
      "{",
      indent([line, signature, ifBreak(";")]),
      line,
      "}",
    ]);
    return { ...plain(layout), kind: "map", members: views };
  }
  const lines = views.map(({ doc, text }): Layout => {
    return [hardline, doc === null ? "" : [doc.layout, hardline], text.layout];
  });
  return {
    ...plain(["{", indent(lines), hardline, "}"]),
    kind: "object",
    members: views,
  };
}

/**
 * A type after the colon of a member: a union goes below it if it does not fit.
 */
function annotation({ layout, kind }: PrintedType): Layout {
  return kind === "union"
    ? group(indent([line, group(layout)]))
    : [" ", layout];
}
