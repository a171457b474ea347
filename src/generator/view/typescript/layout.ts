/**
 * Text with possible line breaks; `emit/print.ts` decides which of them to use.
 *
 * Generated files do not change under Prettier, without the start-up time of
 * Prettier, so long lines must break by the same rules: a group is flat if it
 * fits and otherwise breaks at all of its own lines. A group stores its flat
 * width, so that nothing is measured twice; a group that must break is
 * infinitely wide.
 */
export type Layout =
  | string
  | readonly Layout[]
  | {
      readonly kind: "line";
      readonly flat: "" | " ";
      readonly hard: boolean;
      readonly next?: number;
    }
  | {
      readonly kind: "comment";
      readonly paragraphs: readonly (readonly string[])[];
    }
  | { readonly kind: "group"; readonly of: Layout; readonly width: number }
  | { readonly kind: "indent"; readonly of: Layout }
  | { readonly kind: "below"; readonly of: Layout }
  | {
      readonly kind: "ifBreak";
      readonly broken: Layout;
      readonly flat: Layout;
    };

/** A space, or a new line if the group breaks. */
export const line: Layout = { kind: "line", flat: " ", hard: false };
/** Nothing, or a new line if the group breaks. */
export const softline: Layout = { kind: "line", flat: "", hard: false };
/**
 * A space, or a new line if the next `width` columns do not fit, in a list that
 * fills its lines.
 */
export const fillLine = (width: number): Layout => ({
  kind: "line",
  flat: " ",
  hard: false,
  next: width,
});
/** Always a new line; every surrounding group breaks. */
export const hardline: Layout = { kind: "line", flat: "", hard: true };

/**
 * A comment of several lines. Those of a paragraph stay in a list until they
 * are printed, because there may be 100,000.
 */
export function commentLines(
  paragraphs: readonly (readonly string[])[],
): Layout {
  return { kind: "comment", paragraphs };
}

export function group(of: Layout): Layout {
  return { kind: "group", of, width: widthOf(of) };
}

function widthOf(layout: Layout): number {
  if (typeof layout === "string") return layout.length;
  if (isList(layout)) {
    let width = 0;
    for (let i = 0; i < layout.length && width !== Infinity; i += 1)
      width += widthOf(layout[i] ?? "");
    return width;
  }
  switch (layout.kind) {
    case "line":
      return layout.hard ? Infinity : layout.flat.length;
    case "comment":
      return Infinity;
    case "group":
      return layout.width;
    case "ifBreak":
      return widthOf(layout.flat);
    case "below":
      return widthOf(layout.of) + 1;
    default:
      return widthOf(layout.of);
  }
}

export function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

export function indent(of: Layout): Layout {
  return { kind: "indent", of };
}

/**
 * A space and the layout, or the layout on its own line if even its beginning
 * does not fit.
 */
export function below(of: Layout): Layout {
  return { kind: "below", of };
}

export function ifBreak(broken: Layout, flat: Layout = ""): Layout {
  return { kind: "ifBreak", broken, flat };
}

export function join(separator: Layout, parts: readonly Layout[]): Layout {
  const list: Layout[] = [];
  for (const part of parts) {
    if (list.length > 0) list.push(separator);
    list.push(part);
  }
  return list;
}

/** A union of types, one per line if the surrounding group breaks. */
export function unionLayout(arms: readonly Layout[]): Layout {
  return [ifBreak("| "), join([line, "| "], arms.map(indent))];
}
