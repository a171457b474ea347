import type { Json } from "../../model.js";
import { isList } from "../../value.js";
import { exact } from "../../canonical.js";
import { show } from "../json.js";
import type { Finding } from "../judge.js";
import { said, type Parts } from "./parts.js";

/** Every type of JSON; an integer is a number too. */
const all = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
type Name = (typeof all)[number];

/** The types of the values that may stand there. */
export function typesOf(parts: Parts): ReadonlySet<Name> {
  let types = new Set<Name>(all);
  const meet = (others: ReadonlySet<string>): void => {
    types = new Set([...types].filter((type) => others.has(type)));
  };
  for (const value of said(parts, "type")) {
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

/** The types as they are written. */
export function showTypes(types: ReadonlySet<Name>): string {
  if (types.size === all.length) return "any";
  const shown = [...types].filter((type) => type !== "integer" || !types.has("number"));
  return shown.length === 0 ? "nothing" : shown.join(" | ");
}

/** How the types differ. Where both sides list their values, those are told instead, unless they have nothing in common. */
export function compareTypes(old: Parts, fresh: Parts): { finding: Finding | null; isReplaced: boolean } {
  const [was, is] = [typesOf(old), typesOf(fresh)];
  const gone = [...was].filter((type) => !is.has(type));
  const come = [...is].filter((type) => !was.has(type));
  if (gone.length + come.length === 0) return { finding: null, isReplaced: false };
  const isReplaced = gone.length === was.size || come.length === is.size;
  const isListed = valuesOf(old) !== null && valuesOf(fresh) !== null;
  if (isListed && !isReplaced) return { finding: null, isReplaced };
  const change =
    gone.length > 0 && come.length > 0 ? "type-replaced" : gone.length > 0 ? "type-narrowed" : "type-widened";
  return { finding: { change, path: "", was: showTypes(was), is: showTypes(is) }, isReplaced };
}

/** The values that are listed, by `enum` or `const`; null where none are. */
export function valuesOf(parts: Parts): readonly Json[] | null {
  const lists = [
    ...said(parts, "const").map((value) => [value]),
    ...said(parts, "enum").flatMap((value) => (isList(value) ? [value] : [])),
  ];
  const [first, ...others] = lists;
  if (first === undefined) return null;
  return first.filter((value) => others.every((list) => list.some((other) => exact(other) === exact(value))));
}

export function compareValues(old: Parts, fresh: Parts): Finding[] {
  const [was, is] = [valuesOf(old), valuesOf(fresh)];
  if (was === null && is === null) return [];
  if (was === null) return [{ change: "values-listed", path: "", was: null, is: list(is ?? []) }];
  if (is === null) return [{ change: "values-freed", path: "", was: list(was), is: null }];
  const [before, after] = [new Set(was.map(exact)), new Set(is.map(exact))];
  return [
    ...[...before]
      .filter((value) => !after.has(value))
      .map((value): Finding => ({ change: "value-removed", path: "", was: value, is: null })),
    ...[...after]
      .filter((value) => !before.has(value))
      .map((value): Finding => ({ change: "value-added", path: "", was: null, is: value })),
  ];
}

function list(values: readonly Json[]): string {
  return [...new Set(values.map(exact))].sort().join(" | ");
}

/** A limit of numbers or sizes, on one side. An exclusive limit is not allowed itself. */
interface Bound {
  readonly keyword: string;
  readonly value: number;
  readonly isExclusive: boolean;
}

/** The keywords of each limit, the inclusive one first, with a value that restricts nothing. */
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

export function compareBounds(old: Parts, fresh: Parts): Finding[] {
  return limits.flatMap((limit): Finding[] => {
    const [was, is] = [tightest(old, limit), tightest(fresh, limit)];
    const order = tightness(was, is, limit.side);
    if (order === 0) return [];
    const change = order < 0 ? "bound-tightened" : "bound-loosened";
    return [{ change, path: "", was: showBound(was), is: showBound(is) }];
  });
}

/** The limit that decides: for integers, an exclusive one as the next integer. */
function tightest(parts: Parts, { side, keywords, none }: (typeof limits)[number]): Bound | null {
  const isInteger = !typesOf(parts).has("number");
  const bounds = keywords.flatMap((keyword, i) =>
    said(parts, keyword).flatMap((value): Bound[] =>
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
