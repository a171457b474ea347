/** Maximum depth that is checked. A deeper value is serialized. */
const maxDepth = 100;

/**
 * The value as the peer receives it, so that the checked value is the sent one. Returns a plain JSON value unchanged. A value that
 * JSON changes, with `toJSON`, class instances or functions, is serialized and parsed.
 *
 * @throws TypeError for a value that cannot be serialized.
 */
export function asSent(value: unknown): unknown {
  if (typeof value !== "object" || isPlain(value, 0)) return value;
  // The text is undefined if `toJSON` returns undefined. No message accepts null instead of an object.
  return JSON.parse((JSON.stringify(value) as string | undefined) ?? "null");
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object") return typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false;
  return true;
}
