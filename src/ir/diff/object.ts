import type { Flat, FlatProperty } from "../flatten.js";
import type { Doc, Tag } from "../model.js";
import type { Pair } from "./context.js";
import { acceptsAnything } from "./context.js";
import { showProperty, showType } from "./show.js";
import { compareTypes } from "./type.js";
import { step, under } from "./place.js";
import type { Finding } from "./variance.js";

/** What sets the members of two objects apart; `skip` leaves out members that are told elsewhere. */
export function compareObjects(
  pair: Pair,
  before: Flat,
  after: Flat,
  skip: (was: FlatProperty | null, is: FlatProperty | null) => boolean = () => false,
): Finding[] {
  const old = new Map(before.properties.map((property) => [property.name, property]));
  const fresh = new Map(after.properties.map((property) => [property.name, property]));
  const found: Finding[] = [];
  for (const [name, was] of old) {
    const is = fresh.get(name) ?? null;
    if (!skip(was, is)) for (const each of compareMember(pair, was, is)) found.push(each);
  }
  for (const [name, is] of fresh) {
    if (!old.has(name) && !skip(null, is)) for (const each of compareMember(pair, null, is)) found.push(each);
  }
  return [...found, ...compareRest(pair, before, after)];
}

function compareMember(pair: Pair, was: FlatProperty | null, is: FlatProperty | null): Finding[] {
  const path = step((was ?? is)?.name ?? "");
  if (was === null || is === null) {
    const optional = (was ?? is)?.optional === true ? "optional" : "required";
    const change = `${optional}-member-${was === null ? "added" : "removed"}` as const;
    return [{ change, path, was: was && showProperty(was), is: is && showProperty(is) }];
  }
  const found: Finding[] = [];
  if (was.optional !== is.optional) {
    const change = is.optional ? "member-made-optional" : "member-made-required";
    found.push({ change, path, was: showProperty(was), is: showProperty(is) });
  }
  return [
    ...found,
    ...under(path, compareTypes(pair, was.type, is.type)),
    ...under(path, compareTags(was.doc, is.doc)),
  ];
}

/** The type of members without a name of their own. An index signature of any value says what is true anyway. */
function compareRest(pair: Pair, before: Flat, after: Flat): Finding[] {
  const [was, is] = [before.rest, after.rest];
  const [wide, now] = [
    was === null || acceptsAnything(pair.before, was),
    is === null || acceptsAnything(pair.after, is),
  ];
  if (was !== null && is !== null && !wide && !now) return under("{}", compareTypes(pair, was, is));
  const shown = { path: "{}", was: was && showType(was), is: is && showType(is) };
  if (wide && now) {
    if (was === null && is === null) return [];
    return (was === null) === (is === null)
      ? under("{}", compareTypes(pair, was ?? { kind: "unknown" }, is ?? { kind: "unknown" }))
      : [{ change: "openness-changed", ...shown }];
  }
  return [{ change: now ? "type-widened" : "type-narrowed", ...shown }];
}

/** These tags are part of the type that they stand beside. */
const shaping: ReadonlySet<string> = new Set(["format", "minimum", "maximum", "maxItems"]);

/** Tags that came or went; one whose text changed did both. */
export function compareTags(was: Doc, is: Doc): Finding[] {
  const old = textsOf(was);
  const fresh = textsOf(is);
  return [
    ...old
      .filter((tag) => !fresh.includes(tag))
      .map((tag): Finding => ({ change: "tag-removed", path: "", was: tag, is: null })),
    ...fresh
      .filter((tag) => !old.includes(tag))
      .map((tag): Finding => ({ change: "tag-added", path: "", was: null, is: tag })),
  ];
}

function textsOf({ tags }: Doc): readonly string[] {
  return tags
    .filter(({ name }) => !shaping.has(name))
    .map(({ name, text }: Tag) => (text === "" ? `@${name}` : `@${name} ${text}`));
}
