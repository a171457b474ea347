import type { Snapshot } from "./model.js";
import { byCodePoint } from "../json.js";

/**
 * Names of tools and prompts, names or URIs of resources and templates; a `*`
 * matches any text.
 */
export interface Patterns {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
}

interface Selection {
  readonly snapshot: Snapshot;
  /** The patterns that match nothing, each with the names that exist. */
  readonly unmatched: readonly {
    readonly pattern: string;
    readonly names: readonly string[];
  }[];
}

/**
 * The part of a snapshot that matches one of `include` (if there are any) and
 * none of `exclude`.
 */
export function select(
  snapshot: Snapshot,
  include: Patterns,
  exclude: Patterns,
): Selection {
  const unmatched: Selection["unmatched"][number][] = [];
  const filter = <T>(
    entries: readonly T[],
    kind: keyof Patterns,
    names: (entry: T) => string[],
  ): T[] => {
    const fits = (patterns: readonly string[] | undefined, entry: T): boolean =>
      patterns?.some((pattern) =>
        names(entry).some((name) => isLike(name, pattern)),
      ) === true;
    return entries.filter((entry) => {
      return (
        (include[kind] === undefined || fits(include[kind], entry)) &&
        !fits(exclude[kind], entry)
      );
    });
  };
  const { tools, prompts, resources, templates } = snapshot;
  const namesByKind: Readonly<Record<keyof Patterns, readonly string[]>> = {
    tools: tools.map(({ name }) => name),
    prompts: prompts.map(({ name }) => name),
    resources: [
      ...resources.flatMap(({ name, uri }) => [name, uri]),
      ...templates.flatMap(({ name, template }) => [name, template]),
    ],
  };
  for (const kind of ["tools", "prompts", "resources"] as const) {
    for (const pattern of new Set([
      ...(include[kind] ?? []),
      ...(exclude[kind] ?? []),
    ])) {
      if (!namesByKind[kind].some((name) => isLike(name, pattern)))
        unmatched.push({ pattern, names: namesByKind[kind] });
    }
  }
  const selection = {
    tools: filter(tools, "tools", ({ name }) => [name]),
    prompts: filter(prompts, "prompts", ({ name }) => [name]),
    resources: filter(resources, "resources", ({ name, uri }) => [name, uri]),
    templates: filter(templates, "resources", ({ name, template }) => [
      name,
      template,
    ]),
  };
  const roots = new Set([
    ...selection.tools.flatMap(({ input, output }) => [input, output]),
    ...selection.prompts.map(({ input }) => input),
  ]);
  const definitions = snapshot.definitions.filter(({ root }) =>
    roots.has(root),
  );
  return {
    snapshot: { ...snapshot, ...selection, definitions },
    unmatched: unmatched.sort(byPattern),
  };
}

function byPattern(
  a: Selection["unmatched"][number],
  b: Selection["unmatched"][number],
): number {
  return byCodePoint(a.pattern, b.pattern);
}

/** Matches a name against a pattern, piece by piece, in linear time. */
function isLike(name: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (
    !name.startsWith(first) ||
    !name.endsWith(last) ||
    name.length < first.length + last.length
  )
    return false;
  let at = first.length;
  for (const piece of others) {
    const index = name.indexOf(piece, at);
    if (index === -1 || index + piece.length > name.length - last.length)
      return false;
    at = index + piece.length;
  }
  return true;
}
