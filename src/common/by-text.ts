/** Compares texts by UTF-16 code units, in any locale the same, for `sort`. */
export const byText = (a: string, b: string): number =>
  a < b ? -1 : Number(a > b);
