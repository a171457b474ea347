import type { Json, JsonRecord } from "./model.js";

/** Orders texts by their code points, which no locale and no half of a surrogate pair decides. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The value with the members of every object in order. Names that are whole numbers come first, as in any object. */
export function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  // `fromEntries` keeps a member called `__proto__` a member.
  return Object.fromEntries(
    Object.entries(value as JsonRecord)
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Equal texts mean equal values: members in any order. */
export function exact(value: Json): string {
  return JSON.stringify(sorted(value));
}

/** What a snapshot holds, in the order in which it is written. */
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

/** A snapshot as text: the same bytes for the same offer, in whatever order a server tells it. */
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
