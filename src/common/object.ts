/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tests for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns an own property of a table. A name from a peer, such as
 * `constructor`, must not return an inherited one.
 */
export function getOwn<T>(
  table: Readonly<Record<string, T>>,
  name: string | undefined,
): T | undefined {
  return name !== undefined && Object.hasOwn(table, name)
    ? table[name]
    : undefined;
}

/** The texts in a list; none for any other value. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((item): item is string => typeof item === "string")
    : [];
