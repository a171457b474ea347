/** Deeper than any stack. */
export const depth = 100_000;

/** A value wrapped so many times; nothing here grows with the depth but the value. */
export function nest(innermost: unknown, levels: number, around: (inner: unknown) => unknown): unknown {
  let value = innermost;
  for (let i = 0; i < levels; i++) value = around(value);
  return value;
}
