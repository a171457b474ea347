import type { Check } from "../../../ir/constraint.js";
import type { JsonObject } from "../../json/text/tree.js";
import { countIn, keyword, textIn } from "./keyword.js";
import { judgePattern } from "../pattern/judge.js";
import type { Reading } from "./reading.js";
import type { JsonNode } from "../../json/text/tree.js";

/** `format` is no condition: it tells a reader what is meant. */
export function readStringChecks(reading: Reading, node: JsonObject): Check[] {
  const checks = readSize(reading, node, "string", "minLength", "maxLength");
  const pattern = textIn(reading, node, "pattern");
  const value = keyword(node, "pattern");
  if (pattern === null || value === undefined) return checks;
  const longest = readPattern(reading, value, pattern);
  return longest === undefined ? checks : [...checks, { kind: "pattern", source: pattern, longest }];
}

/** How long a text the pattern may be tried on; undefined when it must not be used at all, which is reported. */
export function readPattern(reading: Reading, node: JsonNode, pattern: string): number | null | undefined {
  const verdict = judgePattern(pattern);
  if (verdict.kind === "unsafe" || verdict.longest !== null) reading.own.isOverApproximated = true;
  const shown = JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern);
  const at = reading.places(node.at);
  if (verdict.kind === "unsafe") {
    const message = `the pattern ${shown} ${verdict.reason}; it is left unchecked`;
    reading.scope.warn("MG307", at, message, "values that it would refuse are accepted");
    return undefined;
  }
  if (verdict.longest !== null) {
    const message = `the pattern ${shown} may take long; it is tried on texts of up to ${verdict.longest} characters`;
    reading.scope.note("MG307", at, message);
  }
  return verdict.longest;
}

/** A pair of keywords that count what a value holds. */
export function readSize(
  reading: Reading,
  node: JsonObject,
  of: "string" | "array" | "object",
  low: string,
  high: string,
): Check[] {
  const least = countIn(reading, node, low) ?? 0;
  const most = countIn(reading, node, high);
  return least === 0 && most === null ? [] : [{ kind: "size", of, least, most }];
}
