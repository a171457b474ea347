/** The path of a position in a value. */
export type Steps = readonly (string | number)[];

/**
 * Every path, the outermost first, so that an outer one is as likely as each
 * inner one.
 */
export function placesOf(value: unknown): Steps[] {
  const results: Steps[] = [];
  const open: [unknown, Steps][] = [[value, []]];
  for (
    let next = open.pop();
    next !== undefined && results.length < 200;
    next = open.pop()
  ) {
    const [at, steps] = next;
    results.push(steps);
    if (Array.isArray(at))
      open.push(
        ...at
          .slice(0, 4)
          .map((item, i): [unknown, Steps] => [item, [...steps, i]]),
      );
    else if (isObject(at)) {
      open.push(
        ...Object.entries(at).map(([key, member]): [unknown, Steps] => [
          member,
          [...steps, key],
        ]),
      );
    }
  }
  return results;
}

/** A copy of the value with a replacement at one path. */
export function replaceAt(
  value: unknown,
  steps: Steps,
  change: (original: unknown) => unknown,
): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, i) =>
      i === step ? replaceAt(item, rest, change) : item,
    );
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === step ? replaceAt(member, rest, change) : member,
    ]),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
