import fc from "fast-check";

/** A regular expression over the characters a, b and -. */
export type Expression =
  | { readonly kind: "set"; readonly members: string }
  | { readonly kind: "start" | "end" }
  | {
      readonly kind: "sequence" | "choice";
      readonly items: readonly Expression[];
    }
  | {
      readonly kind: "look";
      readonly isAhead: boolean;
      readonly isNegated: boolean;
      readonly of: Expression;
    }
  | {
      readonly kind: "repeat";
      readonly of: Expression;
      readonly min: number;
      readonly max: number;
    };

const { node } = fc.letrec<{ node: Expression }>((tie) => {
  const items = fc.array(tie("node"), { minLength: 0, maxLength: 3 });
  return {
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      {
        weight: 5,
        arbitrary: fc.constantFrom("a", "b", "-", "ab", "ab-").map(set),
      },
      {
        weight: 4,
        arbitrary: items.map((all): Expression => ({
          kind: "sequence",
          items: all,
        })),
      },
      {
        weight: 2,
        arbitrary: fc
          .array(tie("node"), { minLength: 2, maxLength: 3 })
          .map((all): Expression => ({ kind: "choice", items: all })),
      },
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            tie("node"),
            fc.constantFrom(
              [0, Infinity],
              [1, Infinity],
              [0, 1],
              [1, 3],
              [2, 2],
              [2, Infinity],
            ),
          )
          .map(([of, [min = 0, max = 0]]): Expression => ({
            kind: "repeat",
            of,
            min,
            max,
          })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie("node"), fc.boolean(), fc.boolean())
          .map(([of, isAhead, isNegated]): Expression => ({
            kind: "look",
            isAhead,
            isNegated,
            of,
          })),
      },
      { weight: 1, arbitrary: fc.constant<Expression>({ kind: "end" }) },
    ),
  };
});

function set(members: string): Expression {
  return { kind: "set", members };
}

/** Random expressions: a sequence of a few parts. */
export const arms: fc.Arbitrary<Expression> = fc
  .array(node, { minLength: 1, maxLength: 4 })
  .map((items) => ({ kind: "sequence", items }));

export function sourceOf(of: Expression): string {
  switch (of.kind) {
    case "set":
      return of.members.length === 1 ? of.members : `[${of.members}]`;
    case "start":
      return "^";
    case "end":
      return "$";
    case "sequence":
      return of.items
        .map((item) =>
          `(?:${sourceOf(item)})`.replace(/^\(\?:(.|\[[^\]]*\])\)$/, "$1"),
        )
        .join("");
    case "choice":
      return `(?:${of.items.map(sourceOf).join("|")})`;
    case "look":
      return `(?${of.isAhead ? "" : "<"}${of.isNegated ? "!" : "="}${sourceOf(of.of)})`;
    case "repeat":
      return `(?:${sourceOf(of.of)}){${of.min},${of.max === Infinity ? "" : of.max}}`;
    default:
      return of satisfies never;
  }
}

type Next = (at: number) => boolean;

/**
 * The number of characters that a backtracking search compares, as in section
 * 22.2.2 of ECMAScript; stops above a limit.
 */
export function countSteps(
  expression: Expression,
  text: string,
  limit: number,
): number {
  let steps = 0;
  const match = (
    of: Expression,
    at: number,
    isAhead: boolean,
    next: Next,
  ): boolean => {
    if (steps > limit) return true;
    switch (of.kind) {
      case "set": {
        steps += 1;
        const character = text[isAhead ? at : at - 1];
        return (
          character !== undefined &&
          of.members.includes(character) &&
          next(isAhead ? at + 1 : at - 1)
        );
      }
      case "start":
        return at === 0 && next(at);
      case "end":
        return at === text.length && next(at);
      case "sequence": {
        const items = isAhead ? of.items : [...of.items].reverse();
        return items.reduceRight<Next>(
          (after, item) => (here) => match(item, here, isAhead, after),
          next,
        )(at);
      }
      case "choice":
        return of.items.some((item) => match(item, at, isAhead, next));
      case "look":
        return (
          match(of.of, at, of.isAhead, () => true) !== of.isNegated && next(at)
        );
      case "repeat":
        return repeat(of.of, of.min, of.max, at, isAhead, next);
      default:
        return of satisfies never;
    }
  };
  const repeat = (
    of: Expression,
    min: number,
    max: number,
    at: number,
    isAhead: boolean,
    next: Next,
  ): boolean => {
    if (max === 0) return next(at);
    const again: Next = (here) =>
      (min > 0 || here !== at) &&
      repeat(of, Math.max(0, min - 1), max - 1, here, isAhead, next);
    return match(of, at, isAhead, again) || (min === 0 && next(at));
  };
  for (let at = 0; at <= text.length; at++)
    if (match(expression, at, true, () => false) && steps > limit) break;
  return steps;
}
