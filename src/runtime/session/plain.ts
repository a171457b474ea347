/** The deepest place that is looked at before a value is taken for one that has to be written out. */
const most = 100;

/**
 * The value as it arrives: what is checked must be what is sent. A plain value is returned as it is. One with anything that JSON
 * changes or leaves out, such as a `toJSON`, a getter of a class or a function, is replaced by what JSON makes of it.
 *
 * @throws TypeError for what cannot be JSON.
 */
export function asSent(value: unknown): unknown {
  if (typeof value !== "object" || isPlain(value, 0)) return value;
  // An object that JSON leaves out is nothing that a message may have.
  return JSON.parse((JSON.stringify(value) as string | undefined) ?? "null");
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object") return typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (depth > most) return false;
  if (Array.isArray(value)) {
    for (const one of value) if (!isPlain(one, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false;
  return true;
}
