import type { Check, Sized } from "../../ir/constraint.js";
import { sizes } from "../../ir/constraint/kinds.js";
import { countIn, keyword as valueOf, valueIn } from "./keyword.js";
import { patternSafety } from "./pattern/safety.js";
import { addUnchecked, type SchemaContext } from "./context.js";
import type { Json } from "../../ir/json.js";
import { stringOf, type JsonNode, type JsonObject } from "../json/text/tree.js";

/** `format` is not checked; see `readNotes`. */
export function readStringChecks(
  context: SchemaContext,
  node: JsonObject,
): Check[] {
  const checks = readSize(context, node, "string");
  const value = valueOf(node, "pattern");
  const pattern = valueIn(context, value, "pattern", "a string", stringOf);
  if (pattern === null || value === undefined) return checks;
  const maxLength = readPattern(context, value, pattern, "pattern", pattern);
  return maxLength === undefined
    ? checks
    : [...checks, { kind: "pattern", source: pattern, maxLength }];
}

/**
 * The maximum length of texts to match against the pattern; null for no limit.
 * Undefined for a pattern that must not be used, which is reported: the keyword
 * with this condition as its value is not checked.
 */
export function readPattern(
  context: SchemaContext,
  node: JsonNode,
  pattern: string,
  keyword: string,
  condition: Json,
): number | null | undefined {
  const safety = patternSafety(pattern);
  if (safety.kind === "unsafe") addUnchecked(context, keyword, condition);
  else if (safety.maxLength !== null) context.own.isOverApproximated = true;
  const label = JSON.stringify(
    pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern,
  );
  const at = context.locationAt(node.at);
  if (safety.kind === "unsafe") {
    const message = `the pattern ${label} ${safety.reason}; it is not checked`;
    context.scope.warn(
      "MG307",
      at,
      message,
      "simplify the pattern; until then, values that it rejects are accepted",
    );
    return undefined;
  }
  if (safety.maxLength !== null) {
    const message = `the pattern ${label} may be slow; it is only checked for strings of up to ${safety.maxLength} characters`;
    context.scope.note("MG307", at, message);
  }
  return safety.maxLength;
}

/** The keywords for the minimum and maximum size of a value. */
export function readSize(
  context: SchemaContext,
  node: JsonObject,
  of: Sized,
): Check[] {
  const [low, high] = sizes[of];
  const min = countIn(context, node, low) ?? 0;
  const max = countIn(context, node, high);
  return min === 0 && max === null ? [] : [{ kind: "size", of, min, max }];
}
