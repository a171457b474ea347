import { isObject, type JsonObject } from "../message.js";
import type { Fitting } from "../tables.js";

/**
 * The value as a peer of the revision may get it: members that only other revisions have are left out, and blocks that only
 * others have are replaced, or left out of their list. The value itself where nothing has to change; undefined for a block that is
 * left out. `tell` gets each change, with its place.
 */
export function fit(
  value: unknown,
  how: Fitting | undefined,
  tag: string,
  tell: (change: string) => void,
  place = "",
): unknown {
  if (!how) return value;
  if (Array.isArray(value)) {
    let sent: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const after = fit(value[i], how, tag, tell, place);
      if (after !== value[i]) sent ??= value.slice(0, i);
      if (after !== undefined) sent?.push(after);
    }
    return sent ?? value;
  }
  if (!isObject(value)) return value;
  const at = (member: string): string => (place === "" ? member : `${place}.${member}`);
  let sent = value;
  const name = value[tag];
  const kind = how.kinds && typeof name === "string" && Object.hasOwn(how.kinds, name) && how.kinds[name];
  if (kind) {
    const { as } = kind;
    if (as === null) return void tell(`a block ${JSON.stringify(name)} in ${place} is left out`);
    if (as) {
      const text = `a block ${JSON.stringify(name)} in ${place} is sent as a block ${JSON.stringify(as[tag])}`;
      tell(text);
      return fit(filled(as, value), how, tag, tell, place);
    }
    sent = fit(value, kind, tag, tell, place) as JsonObject;
  }
  for (const member of how.omit ?? []) {
    if (sent[member] === undefined) continue;
    const { [member]: _, ...rest } = sent;
    sent = rest;
    tell(`${at(member)} is left out`);
  }
  for (const member in how.inside) {
    const before = sent[member];
    // Before the place is written out: most members that could need a change are not there.
    if (typeof before !== "object") continue;
    const after = fit(before, how.inside[member], tag, tell, at(member));
    if (after !== before) sent = { ...sent, [member]: after };
  }
  return sent;
}

/**
 * A template with the members of a block in place of their names in braces. A name alone stands for the very value; a text with
 * the name of a member that is no text is missing, so that the check of the message refuses it.
 */
function filled(template: JsonObject, block: JsonObject): JsonObject {
  const fill = (value: unknown): unknown => {
    if (isObject(value)) return filled(value, block);
    const parts = String(value).split(/\{(\w+)\}/);
    const values = parts.map((part, i) => (i % 2 === 1 ? block[part] : part));
    if (parts.length === 3 && !parts[0] && !parts[2]) return values[1];
    return values.every((one) => typeof one === "string") ? values.join("") : undefined;
  };
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value)]));
}
