/** The same differences with a path that starts further out. */
export function under<Delta extends { readonly path: string }>(
  path: string,
  deltas: readonly Delta[],
): Delta[] {
  return deltas.map((delta) => ({ ...delta, path: path + delta.path }));
}

/** The path of a member: `.name`, or `["a name"]` for a name with special characters. */
export function step(name: string): string {
  return isName(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** True for a name that needs no quotes. */
export function isName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}
