/**
 * Text that knows where it may break; `emit/print.ts` decides where it does.
 *
 * Generated files are fixed points of prettier without prettier's start-up cost, so long lines must break by the same
 * rules: a group is flat when it fits and otherwise breaks at all of its own lines.
 */
export type Layout =
  | string
  | readonly Layout[]
  | { readonly kind: "line"; readonly flat: "" | " "; readonly hard: boolean }
  | { readonly kind: "group"; readonly of: Layout }
  | { readonly kind: "indent"; readonly of: Layout }
  | { readonly kind: "below"; readonly of: Layout }
  | { readonly kind: "ifBreak"; readonly broken: Layout; readonly flat: Layout };

/** A space, or a new line where the group breaks. */
export const line: Layout = { kind: "line", flat: " ", hard: false };
/** Nothing, or a new line where the group breaks. */
export const softline: Layout = { kind: "line", flat: "", hard: false };
/** Always a new line; every group around it breaks. */
export const hardline: Layout = { kind: "line", flat: "", hard: true };

export function group(of: Layout): Layout {
  return { kind: "group", of };
}

export function indent(of: Layout): Layout {
  return { kind: "indent", of };
}

/** A space and the layout, or the layout on a line of its own where not even its beginning fits. */
export function below(of: Layout): Layout {
  return { kind: "below", of };
}

export function ifBreak(broken: Layout, flat: Layout = ""): Layout {
  return { kind: "ifBreak", broken, flat };
}

export function join(separator: Layout, parts: readonly Layout[]): Layout {
  const joined: Layout[] = [];
  for (const part of parts) {
    if (joined.length > 0) joined.push(separator);
    joined.push(part);
  }
  return joined;
}

/** Types any of which may hold, each on a line of its own where the group around them breaks. */
export function unionLayout(arms: readonly Layout[]): Layout {
  return [ifBreak("| "), join([line, "| "], arms.map(indent))];
}
