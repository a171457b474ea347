import { compareSchemas } from "../compare/index.js";
import { pairOf, schemaSets, type Member, type Pair as SchemaPair, step, under } from "../compare/model.js";
import type { Schema } from "../constraint.js";
import type { Flat } from "../flatten.js";
import { tagOf, type Index } from "../lookup.js";
import { lower, lowerObject, lowerType } from "../lower.js";
import type { Doc, Tag, Type } from "../model.js";
import { objectOf } from "../projection/type.js";
import { typeOf } from "../type-of.js";
import { keyOf } from "./key.js";
import { showProperty, showType } from "./show.js";
import type { Delta } from "./variance.js";

/** Two protocols under comparison. The older one already uses the names of the newer one. */
export interface Pair {
  readonly before: Index;
  readonly after: Index;
  readonly schemas: SchemaPair<Delta>;
}

/** A new comparison of the declarations of two protocols. */
export function pairOfIndexes(before: Index, after: Index): Pair {
  const named = new Set([...before.keys()].filter((name) => after.has(name)));
  const targets = new Map([...before.keys(), ...after.keys()].map((name) => [name, name]));
  const type = (schema: Schema): Type => typeOf(schema, { targets, onConflict: () => {} });
  const schemas = pairOf<Delta>(schemaSets(lower(before), lower(after), named), {
    schema: (_, schema) => showType(type(schema)),
    member: (_, { name, isRequired, schema }: Member) =>
      showProperty({ name, optional: !isRequired, type: type(schema), doc: schema.doc }),
    step: () => "",
    annotations: (_, was, is) => [...compareFormats(was, is, type), ...compareTags(was.doc, is.doc)],
  });
  return { before, after, schemas };
}

/** The differences between two types. A name that both protocols declare is compared at its declaration, not here. */
export function compareTypes(pair: Pair, was: Type, is: Type): Delta[] {
  const deltas = compareSchemas(pair.schemas, lowerType(pair.before, was), lowerType(pair.after, is));
  return [...deltas, ...restatements(was, is, deltas)];
}

/** The differences between the members of two objects. */
export function compareObjects(pair: Pair, was: Flat, is: Flat): Delta[] {
  const [old, fresh] = [
    lowerObject(pair.before, was.properties, was.rest),
    lowerObject(pair.after, is.properties, is.rest),
  ];
  const deltas = compareSchemas(pair.schemas, old, fresh);
  return [...deltas, ...restatements(objectOf(was), objectOf(is), deltas)];
}

/** Types that are written differently, at the deepest place, if no other difference is found there. */
function restatements(was: Type, is: Type, deltas: readonly Delta[]): Delta[] {
  if (keyOf(was) === keyOf(is)) return [];
  const within = (path: string): Delta[] =>
    deltas.flatMap((delta) =>
      delta.path.startsWith(path) && /^(?:[.[{]|$)/.test(delta.path.slice(path.length))
        ? [{ ...delta, path: delta.path.slice(path.length) }]
        : [],
    );
  const at = (path: string, one: Type, other: Type): Delta[] =>
    under(path, restatements(one, other, within(path)));
  if (was.kind === "object" && is.kind === "object") {
    const others = new Map(is.properties.map((property) => [property.name, property]));
    const members = was.properties.flatMap(({ name, type }) => {
      const other = others.get(name);
      return other === undefined ? [] : at(step(name), type, other.type);
    });
    return was.rest === null || is.rest === null ? members : [...members, ...at("{}", was.rest, is.rest)];
  }
  if (was.kind === "array" && is.kind === "array") return at("[]", was.element, is.element);
  if (was.kind === "record" && is.kind === "record") return at("{}", was.member, is.member);
  if (deltas.some(({ change }) => !change.startsWith("tag-"))) return [];
  return [{ change: "restated", path: "", was: showType(was), is: showType(is) }];
}

/** The differences between the formats of two strings. */
function compareFormats(was: Schema, is: Schema, type: (schema: Schema) => Type): Delta[] {
  const [old, fresh] = [tagOf(was.doc, "format"), tagOf(is.doc, "format")];
  if (old === fresh) return [];
  const [before, after] = [type(was), type(is)];
  if (before.kind !== "string" || after.kind !== "string") return [];
  const text = (format: string | null): string => showType({ kind: "string", format, known: [] });
  return [{ change: "format-changed", path: "", was: text(old), is: text(fresh) }];
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
