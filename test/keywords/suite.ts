import { readFileSync } from "node:fs";

/** One schema of the official suite, and values that it accepts and rejects. */
export interface Group {
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

export type Suite = Readonly<Record<string, readonly Group[]>>;

/** A file of this folder. */
export const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

/** The schemas of a dialect by keyword. */
export const suiteOf = (dialect: string): Suite => read(dialect) as Suite;

/** The dialects, and the `$schema` that a schema needs to be read as one. */
export const dialects = [
  ["draft-07", "http://json-schema.org/draft-07/schema#"],
  ["2020-12", null],
] as const;

/**
 * A schema with its dialect; without `$schema` it would be read as the newest
 * dialect.
 */
export function inDialect(schema: unknown, uri: string | null): unknown {
  if (uri === null || typeof schema !== "object" || schema === null)
    return schema;
  return { $schema: uri, ...schema };
}

/** Numbers of a list that stands for all prices up to 30.00. */
const prices = Array.from({ length: 3000 }, (_, i) => (i + 1) / 100);

/**
 * What the official suite leaves out and a checker can get wrong: decimal
 * steps, and values with the members that objects of JavaScript inherit.
 */
export const more: readonly Group[] = [
  { schema: { multipleOf: 0.01 }, valid: prices, invalid: [0.015, 1e-9] },
  {
    schema: { multipleOf: 1e-7 },
    valid: [3e-7, 1e300, -0.3],
    invalid: [1.5e-7],
  },
  ...["valueOf", "toString", "constructor", "hasOwnProperty"].flatMap(
    (name) => [
      {
        schema: { const: { [name]: [1] } },
        valid: [{ [name]: [1] }],
        invalid: [{ [name]: 1 }, {}, null, "x"],
      },
      {
        schema: { enum: [1, { a: 1 }, { [name]: null }] },
        valid: [{ a: 1 }, { [name]: null }],
        invalid: [{ [name]: 1 }, { a: { [name]: 1 } }, []],
      },
    ],
  ),
];
