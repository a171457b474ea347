const { CI, MCPGEN_SAMPLES } = process.env;

/**
 * Whether suites leave out what takes long and seldom finds a fault: with `CI`,
 * but not in `.ci/run all`.
 */
export const isSample: boolean = CI !== undefined && MCPGEN_SAMPLES !== "whole";

/** All rows, or those of the sample: then prints what it leaves out. */
export function sampleOf<Row>(
  what: string,
  rows: readonly Row[],
  isIn: (row: Row, index: number) => boolean,
  nameOf?: (row: Row) => string,
): readonly Row[] {
  if (!isSample) return rows;
  const others = rows.filter((row, i) => !isIn(row, i));
  const names = nameOf ? `: ${others.map(nameOf).join(", ")}` : "";
  console.log(`Left out: ${others.length} of ${rows.length} ${what}${names}.`);
  return rows.filter(isIn);
}
