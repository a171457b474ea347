/** A value as it arrives at the client, and its text. */
export interface Sendable {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Converts a value to JSON and back.
 *
 * @throws TypeError for a value that JSON does not have, and that would arrive as an empty object: a `Map`, a generator, an error, bytes.
 */
export function toJson(value: unknown, where: string): Sendable {
  // `toJSON` was called before the replacer gets a value; the object has the original.
  const refuse = function (this: unknown, key: string, replaced: unknown): unknown {
    if (typeof replaced === "object" && replaced !== null) {
      const kind = kindWithoutJson((this as Record<string, unknown>)[key]);
      if (kind !== undefined) throw new TypeError(messageFor(kind, key));
    }
    return replaced;
  };
  const messageFor = (kind: string, key: string): string =>
    `${where}: expected a JSON value, got ${kind}${key === "" ? "" : ` in ${JSON.stringify(key)}`}. Return plain objects, lists, text and numbers.`;
  const text = JSON.stringify(value, refuse) as string | undefined;
  if (text === undefined && value !== undefined) throw new TypeError(messageFor(typeof value, ""));
  return { value: text === undefined ? undefined : JSON.parse(text), text: text ?? "" };
}

/** The name of the class of an object whose content is not in its JSON; undefined for any other value. */
function kindWithoutJson(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Plain objects, also those of another realm.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const isError = value instanceof Error;
  const isLost = isError || Object.keys(value).length === 0;
  if (!ArrayBuffer.isView(value) && (!isLost || "toJSON" in value)) return undefined;
  const tag = isError ? value.name : Object.prototype.toString.call(value).slice(8, -1);
  return tag === "Object" ? value.constructor.name : tag;
}
