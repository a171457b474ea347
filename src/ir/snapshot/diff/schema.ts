import { anything, type Definition, type Schema } from "../../constraint.js";
import { compareSchemas as compareAny } from "../../compare/index.js";
import { keyOf } from "../../compare/key.js";
import { pairOf, type Side, type Words } from "../../compare/model.js";
import { constantsOf, partsOf, showTypes, typesOf, valuesOf } from "../../compare/parts.js";
import { exact } from "../../json/canonical.js";
import type { Json } from "../model.js";
import { isList } from "../../json/value.js";
import type { Delta } from "./classify.js";
import { show, unorderedText } from "./json.js";
import type { Direction } from "./model.js";

/** The schemas of a snapshot, as they were read. */
export function sideOf(definitions: readonly Definition[]): Side {
  return {
    definitions: new Map(definitions.map(({ key, original }) => [key, { schema: original }])),
    shared: new Set(),
  };
}

/** Two snapshots under comparison. */
export interface Snapshots {
  readonly before: Side;
  readonly after: Side;
}

/** A schema of a snapshot, and its text. */
export interface SnapshotSchema {
  readonly schema: Schema;
  readonly raw: Json | undefined;
}

/** The schema with a key. */
export function schemaAt({ definitions }: Side, key: string): Schema {
  return definitions.get(key)?.schema ?? anything;
}

/**
 * The differences between two schemas of the snapshots. If their texts differ and no other difference is found, the
 * result is one "restated" change, so that no change is ignored. Models read the descriptions of arguments.
 */
export function compareSchemas(
  { before, after }: Snapshots,
  was: SnapshotSchema,
  is: SnapshotSchema,
  direction: Direction,
  descriptions: "caution" | "words" = direction === "input" ? "caution" : "words",
): Delta[] {
  if (exact(was.raw ?? null) === exact(is.raw ?? null)) return [];
  const deltas = compareAny<Delta>(pairOf(before, after, wordsFor(descriptions)), was.schema, is.schema);
  const isSame =
    keyOf(before, was.schema) === keyOf(after, is.schema) &&
    (deltas.length > 0 || unorderedText(was.raw) === unorderedText(is.raw));
  const isFound = isSame || deltas.some(({ change }) => !annotationChanges.has(change));
  return [
    ...deltas.map((delta) => ({ ...withDirection(delta, direction), direction })),
    ...(isFound ? [] : [{ change: "restated" as const, path: "", was: null, is: null, direction }]),
  ];
}

/** Changes of annotations. */
const annotationChanges: ReadonlySet<string> = new Set([
  "default-changed",
  "deprecation-changed",
  "description-changed",
  "text-for-models-changed",
  "words-changed",
]);

/** A removed argument breaks callers that pass it, even if the server ignores it. */
function withDirection(delta: Delta, direction: Direction): Delta {
  if (delta.shift !== undefined || direction === "output") return delta;
  if (delta.change === "optional-member-removed") return { ...delta, shift: "narrower" };
  return delta.change === "required-member-removed" ? { ...delta, shift: "other" } : delta;
}

/** A changed description is a caution if models read it. */
function wordsFor(descriptions: "caution" | "words"): Words<Delta> {
  return {
    schema: label,
    member: (side, { schema }) => showTypes(typesOf(partsOf(side, schema))),
    step: (side, alternative) => `<${label(side, alternative)}>`,
    annotations: ({ before, after }, was, is) => {
      const [old, fresh] = [notesOf(before, was), notesOf(after, is)];
      return [...new Set([...old.keys(), ...fresh.keys()])].sort().flatMap((keyword): Delta[] => {
        const [one, other] = [show(old.get(keyword)), show(fresh.get(keyword))];
        return one === other ? [] : [annotationDelta(keyword, one, other, descriptions)];
      });
    },
  };
}

function annotationDelta(
  keyword: string,
  was: string | null,
  is: string | null,
  descriptions: "caution" | "words",
): Delta {
  const values = { path: "", was, is };
  switch (keyword) {
    case "description":
      return {
        change: descriptions === "caution" ? "text-for-models-changed" : "description-changed",
        ...values,
      };
    case "default":
      return { change: "default-changed", ...values };
    case "deprecated":
      return { change: "deprecation-changed", ...values };
    default: {
      const textOf = (value: string | null): string | null => (value === null ? null : `${keyword} ${value}`);
      return { change: "words-changed", path: "", was: textOf(was), is: textOf(is) };
    }
  }
}

/** The first value of each annotation. Lists of examples have no order. */
function notesOf(side: Side, schema: Schema): ReadonlyMap<string, Json> {
  const notes = new Map<string, Json>();
  for (const each of partsOf(side, schema).schemas) {
    for (const { keyword, value, isCondition } of each.notes ?? [])
      if (!isCondition && !notes.has(keyword)) notes.set(keyword, unordered(value));
  }
  return notes;
}

function unordered(value: Json): Json {
  return isList(value) ? value.map((item) => show(item) ?? "").sort() : value;
}

/** The types of a schema, and the constants that tell its objects from others; or its only value. */
function label(side: Side, schema: Schema): string {
  const parts = partsOf(side, schema);
  const [value, ...others] = valuesOf(parts) ?? [];
  if (value !== undefined && others.length === 0) return exact(value);
  const tags = [...constantsOf(parts)].map(([name, constant]) => `${name}: ${constant}`).sort();
  const types = showTypes(typesOf(parts));
  return tags.length === 0 ? types : `${types} with ${tags.join(", ")}`;
}
