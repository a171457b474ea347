/**
 * For `it.each`: one run of a test where the revision has what it tests, and no
 * such test where it has not.
 */
export const where = (holds: unknown): readonly [true] | readonly [] =>
  holds ? [true] : [];
