import { deltaOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";
import { compareSchemas } from "../compare/index.js";
import { keyOf } from "../compare/key.js";
import {
  pairOf,
  schemaSets,
  type Pair as SchemaPair,
  type SchemaSet,
  step,
  under,
} from "../compare/model.js";
import { anything, type Doc, type Schema, type Tag } from "../constraint.js";
import {
  itemsIn,
  noteIn,
  propertiesIn,
  restIn,
  typeIn,
} from "../constraint/form.js";
import { definitionsOf, merged } from "../definitions.js";
import { type Index, namesIn } from "../lookup.js";
import { showProperty, showSchema } from "./show.js";

/**
 * Two protocols under comparison. The older one already uses the names of the
 * newer one.
 */
export interface Pair {
  readonly before: Index;
  readonly after: Index;
  readonly schemas: SchemaPair;
}

/** A new comparison of the declarations of two protocols. */
export function pairOfIndexes(before: Index, after: Index): Pair {
  const named = new Set([...before.keys()].filter((name) => after.has(name)));
  const schemas = pairOf(
    schemaSets(definitionsOf(before), definitionsOf(after), named),
    {
      schema: (_, schema) => showSchema(schema),
      member: (_, member) => showProperty(member),
      step: () => "",
      annotations: (_, old, fresh) => [
        ...compareFormats(old, fresh),
        ...compareTags(old.doc, fresh.doc),
      ],
    },
  );
  return { before, after, schemas };
}

/**
 * The differences between two schemas. A name that both protocols declare is
 * compared at its declaration, not here.
 */
export function schemaDeltas(
  pair: Pair,
  before: Schema,
  after: Schema,
): Delta[] {
  const bare = (declarations: Index, schema: Schema): Schema => ({
    ...merged(declarations, schema),
    doc: anything.doc,
  });
  const deltas = compareSchemas(
    pair.schemas,
    bare(pair.before, before),
    bare(pair.after, after),
  );
  return [...deltas, ...restatements(pair, before, after, deltas)];
}

/**
 * Types that are written differently, at the deepest place, if no other
 * difference is found there.
 */
function restatements(
  pair: Pair,
  before: Schema,
  after: Schema,
  deltas: readonly Delta[],
): Delta[] {
  if (
    spelling(pair.schemas.before, before) ===
    spelling(pair.schemas.after, after)
  )
    return [];
  const within = (path: string): Delta[] =>
    deltas.flatMap((delta) =>
      delta.path.startsWith(path) &&
      /^(?:[.[{]|$)/.test(delta.path.slice(path.length))
        ? [{ ...delta, path: delta.path.slice(path.length) }]
        : [],
    );
  const at = (path: string, one: Schema, other: Schema): Delta[] =>
    under(path, restatements(pair, one, other, within(path)));
  const types = [typeIn(before), typeIn(after)];
  if (types.every((type) => type === "array"))
    return at("[]", itemsIn(before), itemsIn(after));
  if (types.every((type) => type === "object")) {
    const others = new Map(
      propertiesIn(after).map(({ name, schema }) => [name, schema]),
    );
    const members = propertiesIn(before).flatMap(({ name, schema }) => {
      const other = others.get(name);
      return other === undefined ? [] : at(step(name), schema, other);
    });
    const [old, fresh] = [restIn(before), restIn(after)];
    return old === null || fresh === null
      ? members
      : [...members, ...at("{}", old, fresh)];
  }
  if (deltas.some(({ change }) => !change.startsWith("tag-"))) return [];
  return [deltaOf("restated", showSchema(before), showSchema(after))];
}

/**
 * A text that is equal for schemas that are written alike: also with the same
 * constants.
 */
function spelling(side: SchemaSet, schema: Schema): string {
  return [keyOf(side, schema), ...namesIn({ schema }).sort()].join("\n");
}

/** The difference between the formats of two strings. */
function compareFormats(before: Schema, after: Schema): Delta[] {
  const [old, fresh] = [before, after].map((schema) =>
    noteIn(schema, "format"),
  );
  if (
    old === fresh ||
    [before, after].some((schema) => typeIn(schema) !== "string")
  )
    return [];
  return [deltaOf("format-changed", showSchema(before), showSchema(after))];
}

/** Tags that are part of the type. */
const typeTags: ReadonlySet<string> = new Set([
  "format",
  "minimum",
  "maximum",
  "maxItems",
]);

/** Removed and added tags. A tag with a changed text is in both lists. */
export function compareTags(before: Doc, after: Doc): Delta[] {
  const old = textsOf(before);
  const fresh = textsOf(after);
  return [
    ...old
      .filter((tag) => !fresh.includes(tag))
      .map((tag) => deltaOf("tag-removed", tag, null)),
    ...fresh
      .filter((tag) => !old.includes(tag))
      .map((tag) => deltaOf("tag-added", null, tag)),
  ];
}

function textsOf({ tags }: Doc): readonly string[] {
  return tags
    .filter(({ name }) => !typeTags.has(name))
    .map(({ name, text }: Tag) =>
      text === "" ? `@${name}` : `@${name} ${text}`,
    );
}
