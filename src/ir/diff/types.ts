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
    annotations: (_, old, fresh) => [...compareFormats(old, fresh, type), ...compareTags(old.doc, fresh.doc)],
  });
  return { before, after, schemas };
}

/** The differences between two types. A name that both protocols declare is compared at its declaration, not here. */
export function compareTypes(pair: Pair, before: Type, after: Type): Delta[] {
  const deltas = compareSchemas(pair.schemas, lowerType(pair.before, before), lowerType(pair.after, after));
  return [...deltas, ...restatements(before, after, deltas)];
}

/** The differences between the members of two objects. */
export function compareObjects(pair: Pair, before: Flat, after: Flat): Delta[] {
  const [old, fresh] = [
    lowerObject(pair.before, before.properties, before.rest),
    lowerObject(pair.after, after.properties, after.rest),
  ];
  const deltas = compareSchemas(pair.schemas, old, fresh);
  return [...deltas, ...restatements(objectOf(before), objectOf(after), deltas)];
}

/** Types that are written differently, at the deepest place, if no other difference is found there. */
function restatements(before: Type, after: Type, deltas: readonly Delta[]): Delta[] {
  if (keyOf(before) === keyOf(after)) return [];
  const within = (path: string): Delta[] =>
    deltas.flatMap((delta) =>
      delta.path.startsWith(path) && /^(?:[.[{]|$)/.test(delta.path.slice(path.length))
        ? [{ ...delta, path: delta.path.slice(path.length) }]
        : [],
    );
  const at = (path: string, one: Type, other: Type): Delta[] =>
    under(path, restatements(one, other, within(path)));
  if (before.kind === "object" && after.kind === "object") {
    const others = new Map(after.properties.map((property) => [property.name, property]));
    const members = before.properties.flatMap(({ name, type }) => {
      const other = others.get(name);
      return other === undefined ? [] : at(step(name), type, other.type);
    });
    return before.rest === null || after.rest === null
      ? members
      : [...members, ...at("{}", before.rest, after.rest)];
  }
  if (before.kind === "array" && after.kind === "array") return at("[]", before.element, after.element);
  if (before.kind === "record" && after.kind === "record") return at("{}", before.member, after.member);
  if (deltas.some(({ change }) => !change.startsWith("tag-"))) return [];
  return [{ change: "restated", path: "", was: showType(before), is: showType(after) }];
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
export function compareTags(before: Doc, after: Doc): Delta[] {
  const old = textsOf(before);
  const fresh = textsOf(after);
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
