/** The same findings, further in. */
export function under<Finding extends { readonly path: string }>(
  path: string,
  findings: readonly Finding[],
): Finding[] {
  return findings.map((finding) => ({ ...finding, path: path + finding.path }));
}

/** The step to a member: `.name`, or `["a name"]` where a dot would be misread. */
export function step(name: string): string {
  return isName(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** May it stand as a member's name without quotes? */
export function isName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}
