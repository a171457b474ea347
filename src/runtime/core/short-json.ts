import { jsonText } from "./report.js";

/**
 * The JSON of a value. Undefined if it has none, or one of more than `max`
 * bytes.
 */
export function shortJson(value: unknown, max: number): string | undefined {
  const text = jsonText(value);
  return text !== undefined && new TextEncoder().encode(text).length <= max
    ? text
    : undefined;
}
