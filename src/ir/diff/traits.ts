import type { Delta } from "./variance.js";

/**
 * Compares all other members of a message or protocol as JSON, so that a member that is added later is never ignored.
 */
export function compareTraits(was: object, is: object, comparedMembers: ReadonlySet<string>): Delta[] {
  const old = new Map<string, unknown>(Object.entries(was));
  const fresh = new Map<string, unknown>(Object.entries(is));
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name): Delta[] => {
    if (comparedMembers.has(name)) return [];
    const [one, other] = [textOf(old.get(name)), textOf(fresh.get(name))];
    return one === other ? [] : [{ change: "trait-changed", path: `.${name}`, was: one, is: other }];
  });
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
