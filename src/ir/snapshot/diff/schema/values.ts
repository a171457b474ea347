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
function valuesOf(parts: Parts): readonly Json[] | null {
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

/** Bounds, each with the value that says nothing where there is one. */
const bounds: readonly (readonly [keyword: string, side: "low" | "high", none: number | null])[] = [
  ["minimum", "low", null],
  ["exclusiveMinimum", "low", null],
  ["minLength", "low", 0],
  ["minItems", "low", 0],
  ["minProperties", "low", 0],
  ["maximum", "high", null],
  ["exclusiveMaximum", "high", null],
  ["maxLength", "high", null],
  ["maxItems", "high", null],
  ["maxProperties", "high", null],
];

export const boundKeywords: readonly string[] = bounds.map(([keyword]) => keyword);

export function compareBounds(old: Parts, fresh: Parts): Finding[] {
  return bounds.flatMap(([keyword, side, none]): Finding[] => {
    const tightest = (parts: Parts): number | null => {
      const values = said(parts, keyword).filter((value) => typeof value === "number");
      if (values.length === 0) return none;
      return values.reduce((a, b) => (side === "low" ? Math.max(a, b) : Math.min(a, b)));
    };
    const [was, is] = [tightest(old), tightest(fresh)];
    if (was === is) return [];
    const isTighter = was === null || (is !== null && (side === "low" ? is > was : is < was));
    const told = (value: number | null): string | null =>
      value === null ? null : `${keyword} ${show(value) ?? ""}`;
    return [
      { change: isTighter ? "bound-tightened" : "bound-loosened", path: "", was: told(was), is: told(is) },
    ];
  });
}
