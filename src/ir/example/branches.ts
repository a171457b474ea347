import type { Trial } from "../surface/accepts.js";
import type { Check } from "../surface/schema.js";

/** What one example is made with, and how much may still be done for it. */
export interface Making {
  readonly trial: Trial;
  /** How many schemas may still be looked into. */
  readonly steps: { left: number };
}

/** The conditions with one branch chosen of each that offers several, and with references and conjunctions written out. */
export function alternatives(
  making: Making,
  checks: readonly Check[],
  open: readonly string[] = [],
): readonly Check[][] {
  let ways: Check[][] = [[]];
  for (const check of checks) {
    const arms = armsOf(making, check, open);
    ways = ways.flatMap((way) => arms.map((arm) => [...way, ...arm])).slice(0, mostWays);
  }
  return ways;
}

/** How long a chain of references is followed at one place. */
const mostReferences = 50;
/** How many combinations of branches are tried at one place. */
const mostWays = 16;

function armsOf(making: Making, check: Check, open: readonly string[]): readonly Check[][] {
  making.steps.left -= 1;
  if (making.steps.left < 0) return [];
  switch (check.kind) {
    case "reference": {
      const target = making.trial.definitions.get(check.key);
      if (target === undefined || open.length > mostReferences) return [[check]];
      return alternatives(making, target.schema.checks, [...open, check.key]);
    }
    case "all":
      return alternatives(
        making,
        check.schemas.flatMap(({ checks }) => checks),
        open,
      );
    case "any":
    case "one":
      return check.schemas.flatMap(({ checks }) =>
        alternatives(making, checks, open).map((arm) => [...arm, check]),
      );
    default:
      return [[check]];
  }
}
