import type { Json, JsonRecord } from "./model.js";

/** Compares texts by code points, independent of any locale; surrogate pairs count as one. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Sorts the members of every object. As in any JavaScript object, integer keys come first. */
export function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  // `fromEntries` keeps a member named `__proto__`.
  return Object.fromEntries(
    Object.entries(value as JsonRecord)
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** A text that is equal for equal values, in any order of members. */
export function exact(value: Json): string {
  return JSON.stringify(sorted(value));
}

/** The content of a snapshot, in the order in which it is written. */
export interface SnapshotParts {
  readonly revision: string;
  readonly server: JsonRecord;
  readonly capabilities: JsonRecord;
  readonly instructions: string | null;
  readonly tools: readonly JsonRecord[];
  readonly prompts: readonly JsonRecord[];
  readonly resources: readonly JsonRecord[];
  readonly resourceTemplates: readonly JsonRecord[];
}

/** A snapshot as text: the same bytes for the same content, in any order that the server lists it. */
export function snapshotText(parts: SnapshotParts): string {
  const { revision, server, capabilities, instructions, tools, prompts, resources, resourceTemplates } =
    parts;
  const list = (entries: readonly JsonRecord[], id: string): readonly Json[] =>
    entries
      .map((entry) => sorted(entry) as JsonRecord)
      .sort((a, b) => byCodePoint(String(a[id]), String(b[id])));
  const whole = {
    format: 1,
    revision,
    server: sorted(server),
    capabilities: sorted(capabilities),
    ...(instructions === null ? {} : { instructions }),
    tools: list(tools, "name"),
    prompts: list(prompts, "name"),
    resources: list(resources, "uri"),
    resourceTemplates: list(resourceTemplates, "uriTemplate"),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
