import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isRecord } from "../../generator/ir/json/value.js";
import { localRef } from "../../generator/read/json/text/pointer.js";

/**
 * Where a part of a schema is: the steps to it as in code, with each reference
 * that was followed on the way (`#/$defs/node`).
 */
export type Steps = readonly string[];

/** A part without a reference, and where it is. */
interface Found {
  readonly schema: JsonRecord;
  readonly at: Steps;
}

/** Finds a part in place of its references; null where that has no end. */
export type Follow = (value: Json, at: Steps) => Found | null;

/** The maximum number of steps. What is deeper is not read. */
export const maxLevel = 60;

/**
 * A schema in place of its references; null if they lead to themselves, nowhere
 * or too deep. What is beside a reference only describes.
 */
export function follow(
  root: JsonRecord,
  value: Json,
  outer: Steps,
): Found | null {
  const at = [...outer];
  let schema = isRecord(value) ? value : {};
  while (at.length <= maxLevel) {
    const { $ref, description } = schema;
    if (typeof $ref !== "string") return { schema, at };
    const target = at.includes($ref) ? undefined : targetOf(root, $ref);
    if (target === undefined) return null;
    at.push($ref);
    schema = {
      ...(isRecord(target) && target),
      ...(description !== undefined && { description }),
    };
  }
  return null;
}

/** What a reference leads to; undefined if it leads nowhere. */
function targetOf(root: JsonRecord, ref: string): Json | undefined {
  let target: Json | undefined = root;
  for (const step of localRef(ref) ?? ["nowhere"])
    target =
      target instanceof Object && Object.hasOwn(target, step)
        ? (target as JsonRecord)[step]
        : undefined;
  return target;
}

/** The steps as people read them. */
export const pathOf = (at: Steps): string =>
  ["inputSchema", ...at.filter((step) => !step.startsWith("#"))].join(".");
