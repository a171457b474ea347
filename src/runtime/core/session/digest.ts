import type { JsonObject } from "../../../common/object.js";

/**
 * Serializes a JSON value to text that does not depend on the order of members.
 * Throws a `RangeError` for a value that is nested too deeply.
 */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null)
    return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = value as JsonObject;
  const texts = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`);
  return `{${texts.join(",")}}`;
}

/** The first 128 bits of SHA-256, in hex. */
export async function digest(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash, 0, 16), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
