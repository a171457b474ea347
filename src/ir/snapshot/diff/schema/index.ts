import type { Json } from "../../model.js";
import type { Finding } from "../judge.js";
import type { Direction, Shift } from "../model.js";
import { compareAlternatives, compareLifted } from "./alternatives.js";
import { compareConditions, compareWords } from "./conditions.js";
import { compareItems, compareMembers } from "./members.js";
import { budget, isBegun, type Pair } from "./pair.js";
import { keyOf, partsOf } from "./parts.js";
import { compareBounds, compareTypes, compareValues } from "./values.js";

/**
 * What sets two JSON Schemas apart, of either dialect: references followed, `allOf` put together, order aside. What is
 * written otherwise without anything to tell is told as that, for nothing may go by in silence.
 */
export function compareSchemas(
  before: Json,
  after: Json,
  direction: Direction,
  descriptions: Shift,
): Finding[] {
  const pair: Pair = { before, after, direction, descriptions, begun: new Map(), left: budget.pairs };
  const findings = compare(pair, before, after, 0).map((finding) => ({ ...finding, direction }));
  const isTold = findings.some(({ change }) => !wordy.has(change));
  if (isTold || keyOf(before, before) === keyOf(after, after)) return findings;
  return [...findings, { change: "restated", path: "", was: null, is: null, direction }];
}

/** Changes that no condition has a part in. */
const wordy: ReadonlySet<string> = new Set([
  "default-changed",
  "deprecation-changed",
  "description-changed",
  "text-for-models-changed",
  "words-changed",
]);

function compare(pair: Pair, was: Json, is: Json, depth: number): Finding[] {
  if (was === is || isBegun(pair, was, is)) return [];
  pair.left -= 1;
  if (depth > budget.depth || pair.left < 0) {
    const isSame = keyOf(was, pair.before) === keyOf(is, pair.after);
    return isSame ? [] : [{ change: "schema-changed", path: "", was: null, is: null }];
  }
  const [old, fresh] = [partsOf(was, pair.before), partsOf(is, pair.after)];
  const words = compareWords(pair, old, fresh);
  const lifted = compareLifted(pair, was, is, old, fresh, depth, compare);
  if (lifted !== null) return [...words, ...lifted];
  const { finding, isReplaced } = compareTypes(old, fresh);
  const types = finding === null ? [] : [finding];
  // What has no value in common is not looked at further in.
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
