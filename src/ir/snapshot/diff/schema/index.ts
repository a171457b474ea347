import type { Json } from "../../model.js";
import type { Delta } from "../classify.js";
import type { Direction, Shift } from "../model.js";
import { compareAlternatives, compareWithUnion } from "./alternatives.js";
import { compareConditions, compareWords } from "./conditions.js";
import { compareItems, compareMembers } from "./members.js";
import { budget, isRepeated, type Pair } from "./pair.js";
import { keyOf, partsOf } from "./parts.js";
import { compareBounds, compareTypes, compareValues } from "./values.js";

/**
 * The differences between two JSON Schemas of either dialect. References are resolved, `allOf` is merged, and order
 * does not matter. If the texts differ and no other difference is found, the result is one "restated" change, so that
 * no change is ignored.
 */
export function compareSchemas(
  before: Json,
  after: Json,
  direction: Direction,
  descriptions: Shift,
): Delta[] {
  const pair: Pair = { before, after, direction, descriptions, started: new Map(), steps: budget.pairs };
  const deltas = compare(pair, before, after, 0).map((delta) => ({ ...delta, direction }));
  const hasOtherChange = deltas.some(({ change }) => !annotationChanges.has(change));
  if (hasOtherChange || keyOf(before, before) === keyOf(after, after)) return deltas;
  return [...deltas, { change: "restated", path: "", was: null, is: null, direction }];
}

/** Changes of annotations. */
const annotationChanges: ReadonlySet<string> = new Set([
  "default-changed",
  "deprecation-changed",
  "description-changed",
  "text-for-models-changed",
  "words-changed",
]);

function compare(pair: Pair, was: Json, is: Json, depth: number): Delta[] {
  if (was === is || isRepeated(pair, was, is)) return [];
  pair.steps -= 1;
  if (depth > budget.depth || pair.steps < 0) {
    const isSame = keyOf(was, pair.before) === keyOf(is, pair.after);
    return isSame ? [] : [{ change: "schema-changed", path: "", was: null, is: null }];
  }
  const [old, fresh] = [partsOf(was, pair.before), partsOf(is, pair.after)];
  const words = compareWords(pair, old, fresh);
  const asUnion = compareWithUnion(pair, was, is, old, fresh, depth, compare);
  if (asUnion !== null) return [...words, ...asUnion];
  const { delta, isReplaced } = compareTypes(old, fresh);
  const types = delta === null ? [] : [delta];
  // Types without a common value are not compared further.
  if (isReplaced) return [...words, ...types];
  return [
    ...words,
    ...types,
    ...compareValues(old, fresh),
    ...compareBounds(old, fresh),
    ...compareConditions(pair, old, fresh),
    ...compareAlternatives(pair, old, fresh, depth, compare),
    ...compareMembers(pair, old, fresh, depth, compare),
    ...compareItems(pair, old, fresh, depth, compare),
  ];
}
