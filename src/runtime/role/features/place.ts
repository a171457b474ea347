/** A place as one would write it: `rows[2].name`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => step(String(key)))
    .join("")
    .replace(/^\./, "");
}

function step(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
