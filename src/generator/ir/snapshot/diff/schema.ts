import { anything, type Definition, type Schema } from "../../constraint.js";
import type { Definitions } from "../../constraint/accepts.js";
import { descriptionsIn } from "../../constraint/annotations.js";
import { valuesOf } from "../../constraint/form.js";
import { compareSchemas as compareAny } from "../../compare/index.js";
import { keyOf } from "../../compare/key.js";
import {
  pairOf,
  schemaSets,
  type SchemaSet,
  type SchemaSets,
  type Phrases,
} from "../../compare/model.js";
import {
  alternativesOf,
  constantsOf,
  partsOf,
  possibleTypes,
  showTypes,
  typesOf,
} from "../../compare/parts.js";
import type { Json } from "../model.js";
import { isList } from "../../json/value.js";
import { deltaOf } from "../../change/delta.js";
import type { Delta } from "../../change/model.js";
import { show, unorderedText } from "./json.js";
import type { Side } from "../../model.js";
import { exact } from "../../json.js";

/** The schemas of two snapshots, as they were read. */
export function originals(
  before: readonly Definition[],
  after: readonly Definition[],
): SchemaSets {
  const schemas = (definitions: readonly Definition[]): Definitions =>
    new Map(
      definitions.map(({ key, original }) => [key, { schema: original }]),
    );
  return schemaSets(schemas(before), schemas(after));
}

/** A schema of a snapshot. */
export interface SnapshotSchema {
  /** The key of its definition. */
  readonly key: string;
  /**
   * The JSON Schema as the server wrote it; undefined for one that is made from
   * something else.
   */
  readonly raw: Json | undefined;
}

/**
 * The differences between two schemas of the snapshots. If their texts differ
 * and no other difference is found, the result is one "restated" change, so
 * that no change is ignored. Models read the descriptions of arguments.
 */
export function compareSchemas(
  sets: SchemaSets,
  oldTarget: SnapshotSchema,
  newTarget: SnapshotSchema,
  sender: Side,
  descriptions: "caution" | "words" = sender === "client" ? "caution" : "words",
): Delta[] {
  const hasText = oldTarget.raw !== undefined && newTarget.raw !== undefined;
  if (hasText && exact(oldTarget.raw) === exact(newTarget.raw)) return [];
  const { before, after } = sets;
  const [old, fresh] = [
    schemaAt(before, oldTarget.key),
    schemaAt(after, newTarget.key),
  ];
  const deltas = compareAny(pairOf(sets, phrasesFor(descriptions)), old, fresh);
  const others: Delta[] = [];
  if (hasText && !deltas.some(({ change }) => !annotationChanges.has(change))) {
    others.push(
      ...hiddenDescriptions(oldTarget.raw, newTarget.raw, deltas, descriptions),
    );
    const isNothing =
      deltas.length + others.length === 0 &&
      unorderedText(oldTarget.raw) !== unorderedText(newTarget.raw);
    if (isNothing || keyOf(before, old) !== keyOf(after, fresh))
      others.push(deltaOf("restated", null, null));
  }
  return [...deltas, ...others].map((delta) => ({
    ...withSender(delta, sender),
    before: withPointers(delta.before, oldTarget.key),
    after: withPointers(delta.after, newTarget.key),
    senders: new Set([sender]),
  }));
}

/** The schema with a key; for a prompt without arguments, any object. */
function schemaAt({ definitions }: SchemaSet, key: string): Schema {
  return (
    definitions.get(key)?.schema ?? {
      doc: anything.doc,
      checks: [{ kind: "type", types: ["object"] }],
    }
  );
}

/** References inside a text as the server wrote them. */
function withPointers(text: string | null, key: string): string | null {
  const root = JSON.stringify(key).slice(0, -1);
  return text?.replaceAll(`"$ref":${root}`, '"$ref":"#') ?? null;
}

/**
 * Descriptions in parts that the comparison does not look at. A model may read
 * them nevertheless.
 */
function hiddenDescriptions(
  before: Json,
  after: Json,
  deltas: readonly Delta[],
  descriptions: "caution" | "words",
): Delta[] {
  const [old, fresh] = [
    new Set(descriptionsIn(before)),
    new Set(descriptionsIn(after)),
  ];
  const reported = new Set(
    deltas.flatMap((delta) => [delta.before, delta.after]),
  );
  const onlyIn = (
    texts: ReadonlySet<string>,
    others: ReadonlySet<string>,
  ): string | null => {
    const own = [...texts].filter(
      (text) => !others.has(text) && !reported.has(text),
    );
    return own.length === 0 ? null : own.join("; ");
  };
  const [removed, added] = [onlyIn(old, fresh), onlyIn(fresh, old)];
  return removed === null && added === null
    ? []
    : [annotationDelta("description", removed, added, descriptions)];
}

/** Changes of annotations. */
const annotationChanges: ReadonlySet<string> = new Set([
  "default-changed",
  "deprecation-changed",
  "description-changed",
  "text-for-models-changed",
  "words-changed",
]);

/**
 * Callers rely on every member of a result. A removed argument breaks those
 * that pass it, even if the server ignores it.
 */
function withSender(delta: Delta, sender: Side): Delta {
  const { change, shift } = delta;
  if (change === "restated") return { ...delta, shift: "harmless" };
  if (shift !== undefined || !change.endsWith("-member-removed")) return delta;
  if (change === "optional-member-removed")
    return { ...delta, shift: sender === "client" ? "narrower" : "wider" };
  return sender === "client" ? { ...delta, shift: "other" } : delta;
}

/** A changed description is a caution if models read it. */
function phrasesFor(descriptions: "caution" | "words"): Phrases {
  return {
    schema: label,
    member: (side, { schema }) =>
      showTypes(possibleTypes(side, partsOf(side, schema))),
    step: (side, alternative) => `<${label(side, alternative)}>`,
    annotations: ({ before, after }, oldSchema, newSchema, whole) => {
      const reported =
        whole === null ? new Map() : notesOf(whole.side, whole.schema);
      const old = notesOf(
        before,
        annotatedPart(before, oldSchema, after, newSchema),
      );
      const fresh = notesOf(
        after,
        annotatedPart(after, newSchema, before, oldSchema),
      );
      return [...new Set([...old.keys(), ...fresh.keys()])]
        .sort()
        .flatMap((keyword): Delta[] => {
          const [one, other] = [
            show(old.get(keyword)),
            show(fresh.get(keyword)),
          ];
          return one === other || reported.has(keyword)
            ? []
            : [annotationDelta(keyword, one, other, descriptions)];
        });
    },
  };
}

function annotationDelta(
  keyword: string,
  before: string | null,
  after: string | null,
  descriptions: "caution" | "words",
): Delta {
  switch (keyword) {
    case "description":
      return deltaOf(
        descriptions === "caution"
          ? "text-for-models-changed"
          : "description-changed",
        before,
        after,
      );
    case "default":
      return deltaOf("default-changed", before, after);
    case "deprecated":
      return deltaOf("deprecation-changed", before, after);
    default: {
      const textOf = (value: string | null): string | null =>
        value === null ? null : `${keyword} ${value}`;
      return deltaOf("words-changed", textOf(before), textOf(after));
    }
  }
}

/**
 * The values of each annotation, one or several. Lists of examples have no
 * order.
 */
function notesOf(side: SchemaSet, schema: Schema): ReadonlyMap<string, Json> {
  const notes = new Map<string, Set<Json>>();
  for (const each of partsOf(side, schema).schemas) {
    for (const { keyword, value, isCondition } of each.notes ?? [])
      if (!isCondition)
        notes.set(
          keyword,
          (notes.get(keyword) ?? new Set()).add(unordered(value)),
        );
  }
  return new Map(
    [...notes].map(([keyword, values]): [string, Json] => {
      const [only = null, ...others] = values;
      return [keyword, others.length === 0 ? only : [only, ...others]];
    }),
  );
}

/**
 * The schema whose annotations are compared. If a schema becomes nullable, its
 * annotations are usually those of the alternative beside null.
 */
function annotatedPart(
  side: SchemaSet,
  schema: Schema,
  otherSide: SchemaSet,
  other: Schema,
): Schema {
  const alternatives = alternativesOf(side, schema);
  if (
    alternatives === null ||
    notesOf(side, schema).size > 0 ||
    alternativesOf(otherSide, other) !== null
  )
    return schema;
  const [only, ...others] = alternatives.filter((each) => !isNull(side, each));
  return only === undefined || others.length > 0 ? schema : only;
}

function isNull(side: SchemaSet, schema: Schema): boolean {
  return [...typesOf(partsOf(side, schema))].every((type) => type === "null");
}

function unordered(value: Json): Json {
  return isList(value) ? value.map((item) => show(item) ?? "").sort() : value;
}

/**
 * The types of a schema, and the constants that tell its objects from others;
 * or its only value.
 */
function label(side: SchemaSet, schema: Schema): string {
  const parts = partsOf(side, schema);
  const [value, ...others] = valuesOf(parts.checks) ?? [];
  if (value !== undefined && others.length === 0) return exact(value);
  const tags = [...constantsOf(parts)]
    .map(([name, constant]) => `${name}: ${constant}`)
    .sort();
  const types = showTypes(possibleTypes(side, parts));
  return tags.length === 0 ? types : `${types} with ${tags.join(", ")}`;
}
