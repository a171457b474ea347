import { availableParallelism, loadavg } from "node:os";

/**
 * How many processes there are for each core, at least one: read once in each
 * process of the tests. Windows does not tell it.
 */
const crowd = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/**
 * The time, in milliseconds, after which something that takes less than a tenth
 * of `milliseconds` on a machine with nothing else to do will never happen.
 * Every limit of the tests that is not their subject comes from here.
 */
export function timeLimit(milliseconds: number): number {
  return Math.ceil(milliseconds * crowd);
}
