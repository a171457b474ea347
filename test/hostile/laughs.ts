/**
 * A short schema that takes exponential time if each reference is followed
 * anew.
 */
export const laughs = {
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) },
    ]),
  ),
  $ref: "#/$defs/d0",
};
