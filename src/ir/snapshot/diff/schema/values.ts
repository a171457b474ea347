import type { Json } from "../../model.js";
import { isList } from "../../value.js";
import { exact } from "../../canonical.js";
import { show } from "../json.js";
import type { Delta } from "../classify.js";
import { valuesIn, type Parts } from "./parts.js";

/** All types of JSON values; an integer is also a number. */
const typeNames = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
type Name = (typeof typeNames)[number];

/** The types of the allowed values. */
export function typesOf(parts: Parts): ReadonlySet<Name> {
  let types = new Set<Name>(typeNames);
  const meet = (others: ReadonlySet<string>): void => {
    types = new Set([...types].filter((type) => others.has(type)));
  };
  for (const value of valuesIn(parts, "type")) {
    const names = new Set((isList(value) ? value : [value]).map(String));
    if (names.has("number")) names.add("integer");
    meet(names);
  }
  const values = valuesOf(parts);
  if (values !== null) meet(new Set(values.flatMap(typesOfValue)));
  return types;
}

function typesOfValue(value: Json): readonly Name[] {
  if (value === null) return ["null"];
  if (isList(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value as "boolean" | "string" | "object"];
}

/** The types in TypeScript syntax. */
export function showTypes(types: ReadonlySet<Name>): string {
  if (types.size === typeNames.length) return "any";
  const names = [...types].filter((type) => type !== "integer" || !types.has("number"));
  return names.length === 0 ? "nothing" : names.join(" | ");
}

/**
 * The difference between the types. If both sides list their values, the values are compared instead, unless they
 * have no type in common.
 */
export function compareTypes(old: Parts, fresh: Parts): { delta: Delta | null; isReplaced: boolean } {
  const [was, is] = [typesOf(old), typesOf(fresh)];
  const removed = [...was].filter((type) => !is.has(type));
  const added = [...is].filter((type) => !was.has(type));
  if (removed.length + added.length === 0) return { delta: null, isReplaced: false };
  const isReplaced = removed.length === was.size || added.length === is.size;
  const isListed = valuesOf(old) !== null && valuesOf(fresh) !== null;
  if (isListed && !isReplaced) return { delta: null, isReplaced };
  const change =
    removed.length > 0 && added.length > 0
      ? "type-replaced"
      : removed.length > 0
        ? "type-narrowed"
        : "type-widened";
  return { delta: { change, path: "", was: showTypes(was), is: showTypes(is) }, isReplaced };
}

/** The values of `enum` or `const`; null without these. */
export function valuesOf(parts: Parts): readonly Json[] | null {
  const lists = [
    ...valuesIn(parts, "const").map((value) => [value]),
    ...valuesIn(parts, "enum").flatMap((value) => (isList(value) ? [value] : [])),
  ];
  const [first, ...others] = lists;
  if (first === undefined) return null;
  return first.filter((value) => others.every((list) => list.some((other) => exact(other) === exact(value))));
}

export function compareValues(old: Parts, fresh: Parts): Delta[] {
  const [was, is] = [valuesOf(old), valuesOf(fresh)];
  if (was === null && is === null) return [];
  if (was === null) return [{ change: "values-listed", path: "", was: null, is: list(is ?? []) }];
  if (is === null) return [{ change: "values-freed", path: "", was: list(was), is: null }];
  const [before, after] = [new Set(was.map(exact)), new Set(is.map(exact))];
  return [
    ...[...before]
      .filter((value) => !after.has(value))
      .map((value): Delta => ({ change: "value-removed", path: "", was: value, is: null })),
    ...[...after]
      .filter((value) => !before.has(value))
      .map((value): Delta => ({ change: "value-added", path: "", was: null, is: value })),
  ];
}

function list(values: readonly Json[]): string {
  return [...new Set(values.map(exact))].sort().join(" | ");
}

/** An upper or lower limit of numbers or sizes. */
interface Bound {
  readonly keyword: string;
  readonly value: number;
  readonly isExclusive: boolean;
}

/** The keywords of each limit, the inclusive one first, and the value without effect. */
const limits: readonly {
  readonly side: "low" | "high";
  readonly keywords: readonly string[];
  readonly none?: number;
}[] = [
  { side: "low", keywords: ["minimum", "exclusiveMinimum"] },
  { side: "low", keywords: ["minLength"], none: 0 },
  { side: "low", keywords: ["minItems"], none: 0 },
  { side: "low", keywords: ["minProperties"], none: 0 },
  { side: "high", keywords: ["maximum", "exclusiveMaximum"] },
  { side: "high", keywords: ["maxLength"] },
  { side: "high", keywords: ["maxItems"] },
  { side: "high", keywords: ["maxProperties"] },
];

export const boundKeywords: readonly string[] = limits.flatMap(({ keywords }) => keywords);

export function compareBounds(old: Parts, fresh: Parts): Delta[] {
  return limits.flatMap((limit): Delta[] => {
    const [was, is] = [tightest(old, limit), tightest(fresh, limit)];
    const order = tightness(was, is, limit.side);
    if (order === 0) return [];
    const change = order < 0 ? "bound-tightened" : "bound-loosened";
    return [{ change, path: "", was: showBound(was), is: showBound(is) }];
  });
}

/** The strictest limit. For integers, an exclusive limit becomes the next integer. */
function tightest(parts: Parts, { side, keywords, none }: (typeof limits)[number]): Bound | null {
  const isInteger = !typesOf(parts).has("number");
  const bounds = keywords.flatMap((keyword, i) =>
    valuesIn(parts, keyword).flatMap((value): Bound[] =>
      typeof value !== "number" || value === none ? [] : [{ keyword, value, isExclusive: i === 1 }],
    ),
  );
  const whole = isInteger ? bounds.map((bound) => ofIntegers(bound, side)) : bounds;
  return whole.reduce<Bound | null>((best, bound) => (tightness(best, bound, side) < 0 ? bound : best), null);
}

function ofIntegers(bound: Bound, side: "low" | "high"): Bound {
  const { value, isExclusive } = bound;
  const keyword = side === "low" ? "minimum" : "maximum";
  const next = side === "low" ? Math.floor(value) + 1 : Math.ceil(value) - 1;
  return isExclusive ? { keyword, value: next, isExclusive: false } : bound;
}

/** Negative if `is` allows less than `was`, positive if it allows more. */
function tightness(was: Bound | null, is: Bound | null, side: "low" | "high"): number {
  const none = side === "low" ? -Infinity : Infinity;
  const [old, fresh] = [was?.value ?? none, is?.value ?? none];
  if (old !== fresh) return (side === "low" ? old > fresh : old < fresh) ? 1 : -1;
  return Number(was?.isExclusive ?? false) - Number(is?.isExclusive ?? false);
}

function showBound(bound: Bound | null): string | null {
  return bound === null ? null : `${bound.keyword} ${show(bound.value) ?? ""}`;
}
