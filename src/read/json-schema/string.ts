import type { Check } from "../../ir/constraint.js";
import type { JsonObject } from "../json/text/tree.js";
import { countIn, keyword, textIn } from "./keyword.js";
import { judgePattern } from "./pattern/judge.js";
import type { SchemaContext } from "./context.js";
import type { JsonNode } from "../json/text/tree.js";

/** `format` is no condition: it tells a reader what is meant. */
export function readStringChecks(context: SchemaContext, node: JsonObject): Check[] {
  const checks = readSize(context, node, "string", "minLength", "maxLength");
  const pattern = textIn(context, node, "pattern");
  const value = keyword(node, "pattern");
  if (pattern === null || value === undefined) return checks;
  const maxLength = readPattern(context, value, pattern);
  return maxLength === undefined ? checks : [...checks, { kind: "pattern", source: pattern, maxLength }];
}

/** How long a text the pattern may be tried on; undefined when it must not be used at all, which is reported. */
export function readPattern(
  context: SchemaContext,
  node: JsonNode,
  pattern: string,
): number | null | undefined {
  const verdict = judgePattern(pattern);
  if (verdict.kind === "unsafe" || verdict.maxLength !== null) context.own.isOverApproximated = true;
  const shown = JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern);
  const at = context.places(node.at);
  if (verdict.kind === "unsafe") {
    const message = `the pattern ${shown} ${verdict.reason}; it is left unchecked`;
    context.scope.warn("MG307", at, message, "values that it would refuse are accepted");
    return undefined;
  }
  if (verdict.maxLength !== null) {
    const message = `the pattern ${shown} may take long; it is tried on texts of up to ${verdict.maxLength} characters`;
    context.scope.note("MG307", at, message);
  }
  return verdict.maxLength;
}

/** A pair of keywords that count what a value holds. */
export function readSize(
  context: SchemaContext,
  node: JsonObject,
  of: "string" | "array" | "object",
  low: string,
  high: string,
): Check[] {
  const min = countIn(context, node, low) ?? 0;
  const max = countIn(context, node, high);
  return min === 0 && max === null ? [] : [{ kind: "size", of, min, max }];
}
