import {
  anything,
  type BranchKind,
  type Check,
  type CheckOf,
  type Schema,
  type Sized,
  type ValueKind,
} from "../../ir/constraint.js";
import type { Code } from "../typescript/code.js";
import { markup, joined, text } from "./html.js";

/** The constraints of a schema beside its type, in words; empty without constraints. */
export function conditionsOf({ checks }: Schema): Code[] {
  const conditions = checks.flatMap(conditionOf);
  return conditions.length === 0 ? [] : [joined(conditions, markup`, `)];
}

function conditionOf(check: Check): Code[] {
  switch (check.kind) {
    case "bound":
      return [text(`${boundWords[check.side][check.open ? "open" : "closed"]} ${check.value}`)];
    case "multiple":
      return [text(`a multiple of ${check.of}`)];
    case "size":
      return sizeWords(check.of, check.min, check.max).map(text);
    case "pattern":
      return [markup`matches <code>${text(check.source)}</code>`];
    case "unique":
      return [markup`no duplicate items`];
    case "not":
      return [markup`with exceptions (see the schema)`];
    case "contains":
      return [markup`with items of a certain kind`];
    case "dependent":
      return check.names.length === 0 ? [] : [dependentWords(check.member, check.names)];
    default:
      void (check satisfies CheckOf<
        ValueKind | "items" | "members" | "required" | "names" | Exclude<BranchKind, "not">
      >);
      return [];
  }
}

const boundWords = {
  low: { open: "more than", closed: "at least" },
  high: { open: "less than", closed: "at most" },
} as const;

const unitNames: Readonly<Record<Sized, string>> = { string: "character", array: "item", object: "member" };

function sizeWords(of: Sized, min: number, max: number | null): string[] {
  const noun = (count: number): string => `${count} ${unitNames[of]}${count === 1 ? "" : "s"}`;
  if (max === min) return [`exactly ${noun(min)}`];
  return [...(min > 0 ? [`at least ${noun(min)}`] : []), ...(max === null ? [] : [`at most ${noun(max)}`])];
}

function dependentWords(member: string, names: readonly string[]): Code {
  const others = joined(
    names.map((name) => markup`<code>${text(name)}</code>`),
    markup`, `,
  );
  return markup`<code>${text(member)}</code> only with ${others}`;
}

/** The schema of a member; anything if the schema does not describe it. */
export function propertyOf({ checks }: Schema, name: string): Schema {
  const properties = checks.flatMap((check) =>
    check.kind === "members" ? check.properties.filter((property) => property.name === name) : [],
  );
  return properties[0]?.schema ?? anything;
}

/** The schema of the items of a list. */
export function elementOf({ checks }: Schema): Schema {
  const items = checks.find((check) => check.kind === "items");
  return items?.rest ?? anything;
}

export function isInteger({ checks }: Schema): boolean {
  return checks.some((check) => check.kind === "type" && check.types.includes("integer"));
}
