import type { Check } from "../../../ir/constraint.js";
import { type Code, code, literal } from "../code.js";
import type { Layout } from "../layout.js";
import { constantOf, type Scope } from "./file.js";
import { call, failure, type Place, refuseIf } from "./spelling.js";
import { countWords } from "./words.js";

/** The value is known to be a string. */
export function stringStatements(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] {
  return checks.flatMap((check) => {
    if (check.kind === "size")
      return sizes(check.min, check.max, code`lengthOf(${value})`, "character", place);
    if (check.kind !== "pattern") return [];
    const { isShort, matches } = patternTest(scope, check, value);
    const refusal = failure(`a string that matches ${shorten(check.source)}`, place);
    return [refuseIf([...isShort, code`!${matches}`], refusal)];
  });
}

/** Bounds of a count. */
export function sizes(min: number, max: number | null, size: Code, noun: string, place: Place): Layout[] {
  const low = refuseIf([code`${size} < ${literal(min)}`], failure(countWords("least", min, noun), place));
  const high =
    max === null
      ? []
      : [refuseIf([code`${size} > ${literal(max)}`], failure(countWords("most", max, noun), place))];
  return min > 0 ? [low, ...high] : high;
}

function shorten(source: string): string {
  return source.length > 60 ? `${source.slice(0, 60)}…` : source;
}

/** A test of a text by a pattern, and the condition under which it is tested: a long text could take too long. */
export interface PatternTest {
  readonly isShort: readonly Code[];
  readonly matches: Code;
}

export function patternTest(
  scope: Scope,
  { source, maxLength }: { readonly source: string; readonly maxLength: number | null },
  text: Code,
): PatternTest {
  const made = call(code`/* @__PURE__ */ new RegExp`, [literal(source), code`"u"`]);
  const constant = constantOf(scope, "pattern", code`RegExp`, made);
  return {
    isShort: maxLength === null ? [] : [code`${text}.length <= ${literal(maxLength)}`],
    matches: code`${constant}.test(${text})`,
  };
}

/** The value is known to be a number. */
export function numberStatements(
  _scope: Scope,
  checks: readonly Check[],
  value: Code,
  place: Place,
): Layout[] {
  return checks.flatMap((check) => {
    if (check.kind === "multiple") {
      const refusal = failure(`a multiple of ${check.of}`, place);
      return [refuseIf([code`!isMultiple(${value}, ${literal(check.of)})`], refusal)];
    }
    if (check.kind !== "bound") return [];
    const limit = literal(check.value);
    const [test, words] = {
      low: check.open
        ? ([code`${value} <= ${limit}`, "above"] as const)
        : ([code`${value} < ${limit}`, "of at least"] as const),
      high: check.open
        ? ([code`${value} >= ${limit}`, "below"] as const)
        : ([code`${value} > ${limit}`, "of at most"] as const),
    }[check.side];
    return [refuseIf([test], failure(`a number ${words} ${check.value}`, place))];
  });
}
