import type { Finding } from "./variance.js";

/**
 * Members that are compared as they stand, whatever they are: what is known of a message or protocol beside its types.
 * Written for members to come, so that none is ever passed over in silence.
 */
export function compareTraits(was: object, is: object, told: ReadonlySet<string>): Finding[] {
  const old = new Map<string, unknown>(Object.entries(was));
  const fresh = new Map<string, unknown>(Object.entries(is));
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name): Finding[] => {
    if (told.has(name)) return [];
    const [one, other] = [textOf(old.get(name)), textOf(fresh.get(name))];
    return one === other ? [] : [{ change: "trait-changed", path: `.${name}`, was: one, is: other }];
  });
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
