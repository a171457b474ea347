import type { Check } from "../../../ir/constraint.js";
import { callCode, type Code, code, literal } from "../code.js";
import type { Layout } from "../layout.js";
import { constantOf, type Scope } from "./file.js";
import { failCall, type Path, rejectIf } from "./syntax.js";
import { countWords } from "./words.js";

/** Checks a value that is a string. */
export function stringStatements(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout[] {
  return checks.flatMap((check) => {
    if (check.kind === "size") return lengths(check, value, path);
    if (check.kind !== "pattern") return [];
    const { isShort, matches } = patternTest(scope, check, value);
    const result = failCall(
      `a string that matches ${shorten(check.source)}`,
      path,
    );
    return [rejectIf([...isShort, code`!${matches}`], result)];
  });
}

/**
 * Checks the length of a string. A `length` of at least 1 means at least one
 * character, so this check needs no `lengthOf`.
 */
function lengths(
  { min, max }: { min: number; max: number | null },
  value: Code,
  path: Path,
): Layout[] {
  const count = code`lengthOf(${value})`;
  if (min !== 1) return sizes(min, max, count, "character", path);
  const low = sizes(1, null, code`${value}.length`, "character", path);
  return max === null
    ? low
    : [...low, ...sizes(0, max, count, "character", path)];
}

/** Checks a count against its bounds. */
export function sizes(
  min: number,
  max: number | null,
  size: Code,
  noun: string,
  path: Path,
): Layout[] {
  const low = rejectIf(
    [code`${size} < ${literal(min)}`],
    failCall(countWords("least", min, noun), path),
  );
  const high =
    max === null
      ? []
      : [
          rejectIf(
            [code`${size} > ${literal(max)}`],
            failCall(countWords("most", max, noun), path),
          ),
        ];
  return min > 0 ? [low, ...high] : high;
}

function shorten(source: string): string {
  return source.length > 60 ? `${source.slice(0, 60)}…` : source;
}

/**
 * The test of a text by a pattern, and the condition under which it runs,
 * because a long text could take too long.
 */
interface PatternTest {
  readonly isShort: readonly Code[];
  readonly matches: Code;
}

export function patternTest(
  scope: Scope,
  {
    source,
    maxLength,
  }: { readonly source: string; readonly maxLength: number | null },
  text: Code,
): PatternTest {
  const expression = callCode(code`/* @__PURE__ */ new RegExp`, [
    literal(source),
    code`"u"`,
  ]);
  const constant = constantOf(scope, "pattern", code`RegExp`, expression);
  const mayOverflow = maxLength === null && /[*+]|,\}/.test(source);
  return {
    isShort:
      maxLength === null ? [] : [code`${text}.length <= ${literal(maxLength)}`],
    matches: mayOverflow
      ? code`isMatch(${constant}, ${text})`
      : code`${constant}.test(${text})`,
  };
}

/** Checks a value that is a number. */
export function numberStatements(
  _scope: Scope,
  checks: readonly Check[],
  value: Code,
  path: Path,
): Layout[] {
  return checks.flatMap((check) => {
    if (check.kind === "multiple") {
      const result = failCall(`a multiple of ${check.of}`, path);
      return [
        rejectIf([code`!isMultiple(${value}, ${literal(check.of)})`], result),
      ];
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
    return [
      rejectIf([test], failCall(`a number ${words} ${check.value}`, path)),
    ];
  });
}
