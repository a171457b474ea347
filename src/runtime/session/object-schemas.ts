import { isObject } from "../message.js";
import type { Guard, SideTable } from "../tables.js";

/**
 * A copy of a value that the guard rejects, for revisions whose schemas of properties are objects only: `true` becomes `{}`, and `false`
 * becomes `{ not: {} }`, which mean the same in JSON Schema. Returns the value itself if that is not what the guard rejects.
 */
export function withObjectSchemas<T>(side: SideTable, guard: Guard, value: T): T {
  let copy = value;
  // One round for each place of a schema in the type, such as the input and the output of tools.
  for (let round = 0; round < 8 && !guard(copy); round++) {
    const { path = [] } = side.lastIssue(copy);
    const next = path.at(-2) === "properties" ? replaceAt(copy, path.slice(0, -1)) : copy;
    if (next === copy) break;
    copy = next as T;
  }
  return copy;
}

/** Replaces the boolean schemas at the path, in all items of a list alike, so that the time does not grow with their square. */
function replaceAt(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return withoutBooleans(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceAt(item, rest));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isObject(value)) return value;
  const member = value[String(key)];
  const replaced = replaceAt(member, rest);
  return replaced === member ? value : { ...value, [key]: replaced };
}

function withoutBooleans(properties: unknown): unknown {
  if (!isObject(properties)) return properties;
  const entries = Object.entries(properties);
  if (!entries.some(([, schema]) => typeof schema === "boolean")) return properties;
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, typeof schema !== "boolean" ? schema : schema ? {} : { not: {} }]),
  );
}
