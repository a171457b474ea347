/**
 * Whether tables and random tests run whole, as with `npm run test:long`.
 * `npm test` takes a sample of what is slow: the rows that are most likely to
 * find a fault, and fewer random values. A file that imports this module is
 * part of both.
 */
export const isWhole: boolean = process.env["MCPGEN_SIZE"] === "whole";

/** All rows, or those that `npm test` runs. */
export const sampled = <Row>(
  rows: readonly Row[],
  isInSample: (row: Row) => boolean,
): Row[] => rows.filter((row) => isWhole || isInSample(row));

/**
 * The number of random values, or the size of a value: this one, or a fifth of
 * it in `npm test`.
 */
export const runs = (number: number): number =>
  isWhole ? number : Math.ceil(number / 5);
