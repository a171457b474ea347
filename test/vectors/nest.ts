/** More levels than any call stack. */
export const depth = 100_000;

/** A value wrapped the given number of times, without recursion. */
export function nest(
  innermost: unknown,
  levels: number,
  around: (inner: unknown) => unknown,
): unknown {
  let value = innermost;
  for (let i = 0; i < levels; i++) value = around(value);
  return value;
}
