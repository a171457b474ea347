import { isObject, type JsonObject } from "../../../common/object.js";
import type { Downgrade } from "../tables.js";

/**
 * Converts a value to a revision: omits or replaces members and blocks that the revision does not have. Returns the same
 * value if nothing changes, and undefined for an omitted block. `onChange` gets a description of each change, with its path.
 */
export function downgrade(
  value: unknown,
  rule: Downgrade | undefined,
  tag: string,
  onChange: (change: string) => void,
  path = "",
): unknown {
  if (!rule) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const after = downgrade(value[i], rule, tag, onChange, path);
      if (after !== value[i]) copy ??= value.slice(0, i);
      if (after !== undefined) copy?.push(after);
    }
    return copy ?? value;
  }
  if (!isObject(value)) return value;
  const pathOf = (member: string): string => (path === "" ? member : `${path}.${member}`);
  let result = value;
  const name = value[tag];
  const { kinds } = rule;
  const kind = kinds && typeof name === "string" && Object.hasOwn(kinds, name) && kinds[name];
  if (kind) {
    const { as } = kind;
    if (as === null) return void onChange(`a block ${JSON.stringify(name)} in ${path} is left out`);
    if (as) {
      const text = `a block ${JSON.stringify(name)} in ${path} is sent as a block ${JSON.stringify(as[tag])}`;
      onChange(text);
      return downgrade(fillTemplate(as, value), rule, tag, onChange, path);
    }
    result = downgrade(value, kind, tag, onChange, path) as JsonObject;
  }
  for (const [list, as] of Object.entries(rule.lists ?? {})) {
    const { [list]: items, ...rest } = result;
    if (!Array.isArray(items)) continue;
    const lists = Object.entries(as).map(([to, from]) => [
      to,
      items.map((item: unknown) => (isObject(item) ? item[from] : undefined)),
    ]);
    result = { ...rest, ...Object.fromEntries(lists) };
    onChange(`${pathOf(list)} is sent as ${Object.keys(as).join(" and ")}`);
  }
  for (const member of rule.omit ?? []) {
    if (result[member] === undefined) continue;
    const { [member]: _, ...rest } = result;
    result = rest;
    onChange(`${pathOf(member)} is left out`);
  }
  for (const member of Object.keys((rule.values ? result : rule.inside) ?? {})) {
    const before = result[member];
    // Skips the path for absent members, which most are.
    if (typeof before !== "object") continue;
    const after = downgrade(before, rule.values ?? rule.inside?.[member], tag, onChange, pathOf(member));
    if (after !== before) result = { ...result, [member]: after };
  }
  return result;
}

/**
 * A template in which `{name}` is replaced with the member of the block. A string that is only `{name}` becomes the member itself. A
 * longer string becomes undefined if a member in it is not a string; the check of the message then rejects it.
 */
function fillTemplate(template: JsonObject, block: JsonObject): JsonObject {
  const fill = (value: unknown): unknown => {
    if (isObject(value)) return fillTemplate(value, block);
    const parts = String(value).split(/\{(\w+)\}/);
    const values = parts.map((part, i) => (i % 2 === 1 ? block[part] : part));
    if (parts.length === 3 && !parts[0] && !parts[2]) return values[1];
    return values.every((part) => typeof part === "string") ? values.join("") : undefined;
  };
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value)]));
}
