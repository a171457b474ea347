import type { Flat, FlatProperty } from "../flatten.js";
import type { Doc, Tag } from "../model.js";
import type { Pair } from "./context.js";
import { acceptsAnything } from "./context.js";
import { showProperty, showType } from "./show.js";
import { compareTypes } from "./type.js";
import { step, under } from "./path.js";
import type { Delta } from "./variance.js";

/** The differences between the members of two objects. `skip` excludes members that are compared elsewhere. */
export function compareObjects(
  pair: Pair,
  before: Flat,
  after: Flat,
  skip: (was: FlatProperty | null, is: FlatProperty | null) => boolean = () => false,
): Delta[] {
  const old = new Map(before.properties.map((property) => [property.name, property]));
  const fresh = new Map(after.properties.map((property) => [property.name, property]));
  const deltas: Delta[] = [];
  for (const [name, was] of old) {
    const is = fresh.get(name) ?? null;
    if (!skip(was, is)) for (const each of compareMember(pair, was, is)) deltas.push(each);
  }
  for (const [name, is] of fresh) {
    if (!old.has(name) && !skip(null, is))
      for (const each of compareMember(pair, null, is)) deltas.push(each);
  }
  return [...deltas, ...compareRest(pair, before, after)];
}

function compareMember(pair: Pair, was: FlatProperty | null, is: FlatProperty | null): Delta[] {
  const path = step((was ?? is)?.name ?? "");
  if (was === null || is === null) {
    const optional = (was ?? is)?.optional === true ? "optional" : "required";
    const change = `${optional}-member-${was === null ? "added" : "removed"}` as const;
    return [{ change, path, was: was && showProperty(was), is: is && showProperty(is) }];
  }
  const deltas: Delta[] = [];
  if (was.optional !== is.optional) {
    const change = is.optional ? "member-made-optional" : "member-made-required";
    deltas.push({ change, path, was: showProperty(was), is: showProperty(is) });
  }
  return [
    ...deltas,
    ...under(path, compareTypes(pair, was.type, is.type)),
    ...under(path, compareTags(was.doc, is.doc)),
  ];
}

/** Compares the index signatures. An index signature of any value has the same meaning as none. */
function compareRest(pair: Pair, before: Flat, after: Flat): Delta[] {
  const [was, is] = [before.rest, after.rest];
  const [wasAny, isAny] = [
    was === null || acceptsAnything(pair.before, was),
    is === null || acceptsAnything(pair.after, is),
  ];
  if (was !== null && is !== null && !wasAny && !isAny) return under("{}", compareTypes(pair, was, is));
  const values = { path: "{}", was: was && showType(was), is: is && showType(is) };
  if (wasAny && isAny) {
    if (was === null && is === null) return [];
    return (was === null) === (is === null)
      ? under("{}", compareTypes(pair, was ?? { kind: "unknown" }, is ?? { kind: "unknown" }))
      : [{ change: "openness-changed", ...values }];
  }
  return [{ change: isAny ? "type-widened" : "type-narrowed", ...values }];
}

/** Tags that are part of the type. */
const typeTags: ReadonlySet<string> = new Set(["format", "minimum", "maximum", "maxItems"]);

/** Removed and added tags. A tag with a changed text is in both lists. */
export function compareTags(was: Doc, is: Doc): Delta[] {
  const old = textsOf(was);
  const fresh = textsOf(is);
  return [
    ...old
      .filter((tag) => !fresh.includes(tag))
      .map((tag): Delta => ({ change: "tag-removed", path: "", was: tag, is: null })),
    ...fresh
      .filter((tag) => !old.includes(tag))
      .map((tag): Delta => ({ change: "tag-added", path: "", was: null, is: tag })),
  ];
}

function textsOf({ tags }: Doc): readonly string[] {
  return tags
    .filter(({ name }) => !typeTags.has(name))
    .map(({ name, text }: Tag) => (text === "" ? `@${name}` : `@${name} ${text}`));
}
