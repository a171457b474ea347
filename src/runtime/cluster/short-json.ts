/** The JSON of a value. Undefined if it has more than `max` bytes, or the value is nested too deeply to be written. */
export function shortJson(value: unknown, max: number): string | undefined {
  try {
    const text = JSON.stringify(value);
    return new TextEncoder().encode(text).length <= max ? text : undefined;
  } catch {
    return undefined;
  }
}
